import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { elapsed, inFolder, report } from './measure.ts';

/**
 * The embedded log at several sizes: `node adapters/events.ts [events…]`, default 10,000 100,000 1,000,000.
 * The baseline is a file of JSON lines with the same events, flushed to disk as often, read and parsed whole.
 * Growth is linear where the time per event stays the same from size to size.
 */
const BATCH = 100;

const event = (n: number): NewEvent => ({
  id: `bench:${n}`,
  type: n % 10 === 0 ? 'StrategySaved' : 'PartitionFinished',
  data: {
    n,
    partition: n % 1000,
    note: 'about as much as a small event carries, some two hundred bytes of it',
  },
  metadata: {
    schemaVersion: 1,
    commandId: `command-${n}`,
    correlationId: `correlation-${n >> 4}`,
    causationId: `command-${n}`,
    actor: { kind: 'user', userId: 'user-1' },
    recordedAt: '2026-01-02T03:04:05.678Z',
  },
});

function batchOf(from: number): NewEvent[] {
  return Array.from({ length: BATCH }, (_, i) => event(from + i));
}

async function appendAll(store: EventStore, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    await store.append(`batch-${from / BATCH}`, batchOf(from), 'noStream');
  }
}

async function follow(store: EventStore, filter?: { eventTypes: string[] }): Promise<number> {
  const stopping = new AbortController();
  let events = 0;
  for await (const batch of store.subscribe(BEFORE_FIRST, {
    signal: stopping.signal,
    ...(filter ? { filter } : {}),
  })) {
    events += batch.events.length;
    if (batch.isCaughtUp) stopping.abort();
  }
  return events;
}

function writeLines(path: string, count: number): void {
  const file = openSync(path, 'w');
  for (let from = 0; from < count; from += BATCH) {
    writeSync(
      file,
      `${batchOf(from)
        .map((each) => JSON.stringify(each))
        .join('\n')}\n`,
    );
    fsyncSync(file);
  }
  closeSync(file);
}

function readLines(path: string): number {
  let events = 0;
  for (const line of readFileSync(path, 'utf8').split('\n')) if (line && JSON.parse(line)) events += 1;
  return events;
}

const sizes = process.argv.slice(2).map(Number);
for (const count of sizes.length ? sizes : [10_000, 100_000, 1_000_000]) {
  await inFolder(async (folder) => {
    const lines = join(folder, 'events.jsonl');
    const writeBaseline = await elapsed(() => writeLines(lines, count));
    const readBaseline = await elapsed(() => readLines(lines));
    const database = openSqliteDatabase(join(folder, 'app.db'));
    const store = openSqliteEventStore(database);
    const append = await elapsed(() => appendAll(store, count));
    const subscribe = await elapsed(() => follow(store));
    const filtered = await elapsed(() => follow(store, { eventTypes: ['StrategySaved'] }));
    const micros = (ms: number) => (ms * 1000) / count;
    report('event log', {
      events: count,
      append_us: micros(append),
      append_vs_json_lines: append / writeBaseline,
      subscribe_us: micros(subscribe),
      subscribe_vs_json_lines: subscribe / readBaseline,
      subscribe_filtered_us: micros(filtered),
    });
    const single = Math.min(count, 5000);
    const oneByOne = await elapsed(async () => {
      for (let n = 0; n < single; n++) await store.append(`single-${n}`, [event(count + n)], 'noStream');
    });
    const together = await elapsed(() =>
      Promise.all(
        Array.from({ length: single }, (_, n) =>
          store.append(`together-${n}`, [event(count + single + n)], 'noStream'),
        ),
      ),
    );
    report('single appends', {
      events: single,
      per_second: (single * 1000) / oneByOne,
      group_commit_gain: oneByOne / together,
    });
    database.close();
  });
}
