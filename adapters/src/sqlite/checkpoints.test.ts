import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it, vi } from 'vitest';
import { openSqliteDatabase, transaction } from './database.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-checkpoints-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** 250 pages. */
const text = 'x'.repeat(1_000_000);
/** More pages than the thread lets the write-ahead log have. */
const ROWS = 20;

it('moves what is committed into the file in a thread, and starts the write-ahead log anew', async () => {
  const file = path.join(folder, 'test.sqlite');
  const database = openSqliteDatabase(file, { checkpointThread: true });
  database.durable.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.relaxed.prepare('INSERT INTO rows (text) VALUES (?)');
  const write = (value: string) => transaction(database.relaxed, () => insert.run(value));
  for (let row = 0; row < ROWS; row += 1) write(text);
  // Nobody else does it: the connections would wait for 100 MB.
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(ROWS * text.length), {
    timeout: 60_000,
  });
  const pages = database.relaxed.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let further = 0;
  await vi.waitFor(
    () => {
      write('');
      further += 1;
      expect(pages.get()?.log).toBeLessThan(1_000);
    },
    { timeout: 60_000 },
  );

  database.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  const again = new DatabaseSync(file);
  expect(again.prepare('SELECT count(*) AS n FROM rows').get()).toEqual({ n: ROWS + further });
  expect(again.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  again.close();
}, 150_000);
