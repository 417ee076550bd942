import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { personKeysContract } from '../../testing/person-keys/contract.ts';
import { openSqlitePersonKeys } from './sqlite/sqlite-person-keys.ts';

let folder: string;
let keys: PersonKeys;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keys-'));
  keys = openSqlitePersonKeys(path.join(folder, 'keys.sqlite'));
});
afterAll(async () => {
  await keys.close();
  rmSync(folder, { recursive: true });
});

personKeysContract(
  'sqlite',
  () => keys,
  async () => openSqlitePersonKeys(path.join(folder, 'keys.sqlite')),
);

it('leaves no byte of an erased key in the file', async () => {
  const { bytes } = await keys.keyFor('somebody who leaves');
  const holds = () =>
    ['keys.sqlite', 'keys.sqlite-wal'].some((name) =>
      readFileSync(path.join(folder, name)).includes(Buffer.from(bytes)),
    );
  expect(holds()).toBe(true);
  await keys.erase('somebody who leaves');
  expect(holds()).toBe(false);
});

it('hands on all keys, also where there are thousands', async () => {
  const serials = Array.from({ length: 2_500 }, (_, n) => n.toString().padStart(8, '0'));
  await keys.add(serials.map((id) => ({ id, person: `many-${id}`, key: 'ab'.repeat(32) })));
  const ids: string[] = [];
  for await (const { id, person } of keys.all()) if (person.startsWith('many-')) ids.push(id);
  expect(ids.sort()).toEqual(serials);
});
