import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import { afterAll, describe, expect, it } from 'vitest';
import { eventStoreContract } from '../../../testing/event-store/contract.ts';
import { anEvent } from '../../../testing/event-store/contract-events.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { linkOf } from './link-events.ts';
import { openSqliteEventStore } from './sqlite-event-store.ts';

eventStoreContract('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-store-'));
  const path = join(folder, 'app.db');
  const opened = [openSqliteDatabase(path)];
  const [database] = opened as [ReturnType<typeof openSqliteDatabase>];
  return {
    store: openSqliteEventStore(database),
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteEventStore(another);
    },
    async stop() {
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
});

describe('links in the SQLite log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-links-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const rowsOf = (path: string) => {
    const database = openSqliteDatabase(path);
    const rows = database.durable
      .prepare('SELECT *, lower(hex(link)) AS text FROM events ORDER BY position')
      .all() as unknown as (Parameters<typeof linkOf>[1] & { text: string })[];
    database.close();
    return rows;
  };
  const expectChain = (rows: ReturnType<typeof rowsOf>) => {
    let previous = '';
    for (const row of rows) {
      previous = linkOf(previous, row);
      expect(row.text).toBe(previous);
    }
  };

  it('are made by appends of two processes in turn', async () => {
    const path = join(folder, 'two.db');
    const databases = [openSqliteDatabase(path), openSqliteDatabase(path)];
    const stores = databases.map((database) => openSqliteEventStore(database));
    for (let n = 0; n < 20; n += 1)
      await Promise.all(
        stores.map((store, index) => store.append(`s-${n}x${index}`, [anEvent('A'), anEvent('B')], 'any')),
      );
    for (const database of databases) database.close();
    const rows = rowsOf(path);
    expect(rows).toHaveLength(80);
    expectChain(rows);
  });

  it('are given to events of earlier versions, also to those that one writes while it still runs', async () => {
    const path = join(folder, 'old.db');
    const database = openSqliteDatabase(path);
    const store = openSqliteEventStore(database);
    for (let n = 0; n < 30; n += 1)
      await store.append(`s-${n}`, [anEvent('Ä', { text: 'x'.repeat(n) })], 'any');
    // As before the migration, and as a process leaves it that dies in the middle of it.
    database.durable.exec('UPDATE events SET link = NULL WHERE position > 10');
    const insert = database.durable.prepare(
      "INSERT INTO events (position, stream, revision, type, id, metadata, data) VALUES (31, 'old', 0, 'A', 'a', '{}', '{}')",
    );
    insert.run();
    await store.append('s-31', [anEvent('B')], 'any');
    expectChain(rowsOf(path));
    database.durable.exec('UPDATE events SET link = NULL');
    openSqliteEventStore(database);
    database.close();
    const rows = rowsOf(path);
    expect(rows).toHaveLength(32);
    expectChain(rows);
  });
});

describe('pages of the SQLite log', () => {
  it('end after so much text, with nothing left out, and everybody reads the same objects', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'event-pages-'));
    const database = openSqliteDatabase(join(folder, 'app.db'));
    const store = openSqliteEventStore(database);
    const text = 'x'.repeat(1_500_000);
    for (let n = 0; n < 7; n += 1)
      await store.append(`s-${n}`, [{ ...anEvent('A'), data: { n, text } }], 'any');
    const read = async (after = BEFORE_FIRST) => {
      const controller = new AbortController();
      const batches = [];
      for await (const batch of store.subscribe(after, { signal: controller.signal })) {
        batches.push(batch.events);
        if (batch.isCaughtUp) controller.abort();
      }
      return batches;
    };
    const first = await read();
    expect(first.map((events) => events.map(({ data }) => (data as { n: number }).n))).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6],
    ]);
    // Whoever follows closely gets what the one before has read.
    const [sixth, last] = first.flat().slice(-2);
    expect((await read(sixth?.position)).flat()[0]).toBe(last);
    database.close();
    rmSync(folder, { recursive: true });
  });
});
