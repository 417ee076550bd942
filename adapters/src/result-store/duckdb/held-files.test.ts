import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { afterEach, expect, it } from 'vitest';
import type { OpenBatch } from '../parquet/open-batches.ts';
import { streamFiles } from './file-stream.ts';
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

it('leaves no file of a stream that its reader has left', async () => {
  const streams = path.join(folder, 'streams');
  mkdirSync(streams, { recursive: true });
  const written: string[] = [];
  const connection = {
    run: async (sql: string) => {
      const file = / TO '(.+)' \(/.exec(sql)?.[1] ?? '';
      writeFileSync(file, 'row');
      written.push(file);
    },
  } as unknown as DuckDBConnection;
  const piece = () => ({ table: 'rows', rest: '' });
  const source = { columns: [], pieces: [piece, piece, piece], folder: streams };
  const stream = streamFiles(source, 'csv', new HeldFiles(), (work) => work(connection, {} as OpenBatch));
  let pieces = 0;
  for await (const _ of stream) {
    pieces += 1;
    // Behind the header comes the first file; the second one is written by then.
    if (pieces === 2) break;
  }
  expect(written).toHaveLength(2);
  expect(readdirSync(streams)).toEqual([]);
});
