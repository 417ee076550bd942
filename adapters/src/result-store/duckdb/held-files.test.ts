import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { HeldFiles } from './held-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'held-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MB = 1024 ** 2;

it('takes the file of whoever reads slowest where others need its room', async () => {
  const held = new HeldFiles(5 * MB);
  const begin = async (name: string) => {
    const file = path.join(folder, name);
    writeFileSync(file, Buffer.alloc(2 * MB, name));
    const bytes = held.read(file)[Symbol.asyncIterator]();
    await bytes.next();
    return { file, bytes };
  };
  const rest = async ({ bytes }: Awaited<ReturnType<typeof begin>>) => {
    let size = 0;
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) size += next.value.length;
    return size;
  };
  const slow = await begin('a');
  const second = await begin('b');
  expect(existsSync(slow.file)).toBe(true);
  const third = await begin('c');
  expect(existsSync(slow.file)).toBe(false);
  await expect(rest(slow)).rejects.toThrow('read too slowly');
  for (const reading of [second, third]) {
    expect(await rest(reading)).toBe(2 * MB - (1 << 18));
    expect(existsSync(reading.file)).toBe(false);
  }
  const large = new HeldFiles(MB);
  const file = path.join(folder, 'd');
  writeFileSync(file, Buffer.alloc(2 * MB));
  let size = 0;
  for await (const bytes of large.read(file)) size += bytes.length;
  expect(size).toBe(2 * MB);
});
