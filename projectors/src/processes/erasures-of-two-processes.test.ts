import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { removeDeleted } from '@quantloom/adapters/sqlite/compact';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Act, registerPerson } from '../../testing/person.ts';
import { createProjectors } from '../projectors.ts';
import { startAccountErasures } from './erase-accounts.ts';
import { UNDER_WAY } from './erasures-under-way.ts';

const NAME = 'Featherstonehaugh';
const REQUESTED_AT = '2026-12-01T00:00:00.000Z';
const clock = { now: () => new Date('2026-12-10T00:00:00.000Z') };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'erasures-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Keys of which a process keeps copies, as those in MongoDB. */
function copying(keys: PersonKeys): PersonKeys & { readonly copies: ReadonlyMap<string, unknown> } {
  const copies = new Map<string, Uint8Array | null>();
  const find = async (id: string) => {
    if (!copies.has(id)) copies.set(id, await keys.find(id));
    return copies.get(id) ?? null;
  };
  return { ...keys, copies, find, forgetCopies: () => copies.clear() };
}

it('builds nobody out of the log with a copy of a key that another process has erased', async () => {
  const database = openSqliteDatabase(path.join(folder, 'app.sqlite'));
  const keys = openSqlitePersonKeys(path.join(folder, 'keys.sqlite'));
  const log = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  const processWith = (personKeys: PersonKeys, compact: () => Promise<void>) => {
    const eventStore = openSealedEventStore(log, personKeys);
    const projectors = createProjectors({
      eventStore,
      readModels,
      projections: PROJECTIONS,
      catalogue: EVENT_CATALOGUE,
      clock,
    });
    const open = () =>
      startAccountErasures({
        eventStore,
        readModels,
        personKeys,
        identity: { deleteAccount: async () => {}, deleteMachineClient: async () => {} },
        clock,
        ids: ulid,
        log: NO_LOG,
        caughtUp: async () => {},
        rebuild: (name) => projectors.rebuild(name),
        forgetAnswers: async () => {},
        tidyAt: '03:40',
        compact,
      });
    return { eventStore, projectors, open };
  };
  const isShown = () =>
    readdirSync(folder).some((name) => readFileSync(path.join(folder, name)).includes(NAME));
  const copies = copying(keys);
  const first = processWith(keys, () => Promise.reject(new Error('killed')));
  const second = processWith(copies, () => removeDeleted(database));
  const act: Act = async (userId, kind, id, command) => {
    const commandId = ulid();
    await handleCommand(first.eventStore, kind, id, command, {
      commandId,
      correlationId: commandId,
      actor: { kind: 'user', userId },
      now: REQUESTED_AT,
    });
  };
  await registerPerson(act, { userId: 'ann', email: 'ann@example.org', name: NAME });
  await act('ann', USER_STREAM, 'ann', { type: 'RequestDeletion', eraseAt: REQUESTED_AT });
  for (const { name } of PROJECTIONS) await first.projectors.rebuild(name);
  expect(isShown()).toBe(true);
  for await (const _ of second.eventStore.readAll(BEFORE_FIRST));
  expect(copies.copies.size).toBeGreaterThan(0);

  const dying = first.open();
  await expect(dying.sweep()).rejects.toThrow('killed');
  await dying.close();
  const goingOn = second.open();
  await goingOn.sweep();
  await goingOn.close();

  expect(await readModels.find(UNDER_WAY.name)).toEqual([]);
  expect(isShown()).toBe(false);
  await readModels.close();
  database.close();
  await keys.close();
});
