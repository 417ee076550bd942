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

it('finds the few events of a filter in a long log, however far apart they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-filter-'));
  const database = openSqliteDatabase(join(folder, 'app.db'));
  const store = openSqliteEventStore(database);
  // More than one look goes over, before, between and behind what is looked for.
  const others = (n: number) => Array.from({ length: 25_000 }, (_, i) => anEvent('Other', { i: n + i }));
  for (const n of [0, 1]) {
    await store.append(`other-${n}`, others(n), 'noStream');
    await store.append(`wanted-${n}`, [anEvent('Wanted')], 'noStream');
  }
  const filter = { eventTypes: ['Wanted'] };
  const read: string[] = [];
  for await (const { stream } of store.readAll(BEFORE_FIRST, { filter })) read.push(stream);
  expect(read).toEqual(['wanted-0', 'wanted-1']);
  const followed: string[] = [];
  for await (const batch of store.subscribe(BEFORE_FIRST, { filter, signal: new AbortController().signal })) {
    followed.push(...batch.events.map(({ stream }) => stream));
    if (batch.isCaughtUp) break;
  }
  expect(followed).toEqual(['wanted-0', 'wanted-1']);
  await store.close();
  database.close();
  rmSync(folder, { recursive: true });
});

it('wakes who follows the log for what was appended beside a bad request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-group-'));
  const database = openSqliteDatabase(join(folder, 'app.db'));
  const store = openSqliteEventStore(database);
  const seen = database.events.version;
  const bad = { ...anEvent('Bad'), data: { amount: 1n } };
  const outcomes = await Promise.allSettled([
    store.append('s-1', [anEvent('Good')], 'noStream'),
    store.append('s-2', [bad], 'noStream'),
  ]);
  const isAwake = database.events.version !== seen;
  expect([...outcomes.map(({ status }) => status), isAwake]).toEqual(['fulfilled', 'rejected', true]);
  await store.close();
  database.close();
  rmSync(folder, { recursive: true });
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
      'INSERT INTO events (position, stream, revision, type, id, metadata, data) VALUES (31, ' +
        "'old', 0, 'A', 'a', '{}', '{}')",
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

describe('a long stream in the SQLite log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-pages-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read in pages of so many characters, between which others have their turn', async () => {
    const database = openSqliteDatabase(join(folder, 'long.db'));
    const store = openSqliteEventStore(database);
    const text = 'x'.repeat(300_000);
    for (let n = 0; n < 20; n += 1)
      await store.append('s-1', [{ ...anEvent('A'), data: { n, text } }], 'any');
    const read = async (options: Parameters<typeof store.readStream>[1]) => {
      const found: number[] = [];
      for await (const { revision } of store.readStream('s-1', options)) found.push(revision);
      return found;
    };
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    expect(await read({})).toEqual(Array.from({ length: 20 }, (_, n) => n));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(await read({ fromRevision: 3, maxCount: 9 })).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(await read({ direction: 'backwards', fromRevision: 9 })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    database.close();
  });
});
