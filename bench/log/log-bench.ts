/**
 * How the log grows: append, subscription and rebuild at 10,000, 100,000 and 1,000,000 events (other sizes as
 * arguments), embedded adapters. The last columns show the cost per event against the smallest size of the
 * same run: around 1 means linear.
 *
 *   node bench/log/log-bench.ts [events…]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { eventId } from '@quantloom/domain/kernel/ids';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { variableListsProjection } from '@quantloom/domain/variable-list/projection';
import { createProjectors } from '@quantloom/projectors/projectors';
import { ulid } from 'ulid';

/** Events of one thing before the next one begins. */
const PER_STREAM = 20;
/** Streams that are written to at the same time, as by so many users. */
const WRITERS = 64;
const clock = { now: () => new Date() };

interface Measured {
  readonly events: number;
  readonly append: number;
  readonly subscription: number;
  readonly rebuild: number;
  readonly megabytes: number;
}

function listEvent(listId: string, revision: number): NewEvent {
  const commandId = ulid();
  const content = {
    listId,
    name: `List ${revision}`,
    isPublic: revision % 2 === 0,
    variables: ['SPY', 'QQQ', 'TLT', 'GLD', `T${revision}`],
  };
  return {
    id: eventId(commandId, 0),
    type: revision === 0 ? 'VariableListCreated' : 'VariableListUpdated',
    data: revision === 0 ? { ...content, ownerId: 'user' } : content,
    metadata: {
      schemaVersion: 1,
      commandId,
      correlationId: commandId,
      causationId: commandId,
      actor: { kind: 'user', userId: 'user' },
      recordedAt: clock.now().toISOString(),
    },
  };
}

/** One event per append, as commands do it. */
async function appendAll(eventStore: EventStore, events: number): Promise<void> {
  let left = events;
  const writer = async (): Promise<void> => {
    while (left > 0) {
      const listId = ulid();
      for (let revision = 0; revision < PER_STREAM && left > 0; revision += 1) {
        left -= 1;
        await eventStore.append(
          `variableList-${listId}`,
          [listEvent(listId, revision)],
          revision === 0 ? 'noStream' : revision - 1,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

async function drain(eventStore: EventStore): Promise<number> {
  const abort = new AbortController();
  let events = 0;
  for await (const batch of eventStore.subscribe(-1n, { signal: abort.signal, maxBatchSize: 500 })) {
    events += batch.events.length;
    if (batch.isCaughtUp) abort.abort();
  }
  return events;
}

async function rebuild(eventStore: EventStore, readModels: ReadModels): Promise<void> {
  const projections = [variableListsProjection];
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  await projectors.rebuild('variableLists');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

async function measure(events: number): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-bench-'));
  const file = path.join(folder, 'log.sqlite');
  const database = openSqliteDatabase(file);
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  try {
    const append = await timed(() => appendAll(eventStore, events));
    const subscription = await timed(async () => {
      const seen = await drain(eventStore);
      if (seen !== events) throw new Error(`The subscription delivered ${seen} of ${events} events`);
    });
    const rebuilt = await timed(() => rebuild(eventStore, readModels));
    const { size } = await stat(file);
    return { events, append, subscription, rebuild: rebuilt, megabytes: size / 1024 / 1024 };
  } finally {
    await eventStore.close();
    await readModels.close();
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000];
if (sizes.some((size) => !Number.isInteger(size) || size < 1))
  throw new Error('Sizes are whole numbers from 1');
// The first run also warms the code up.
await measure(Math.min(...sizes, 5_000));
let first: Measured | null = null;
for (const size of sizes) {
  const result = await measure(size);
  first ??= result;
  const base = first;
  const rate = (seconds: number) => `${Math.round(size / seconds).toLocaleString('en-US')}/s`;
  const growth = (name: 'append' | 'subscription' | 'rebuild') =>
    (result[name] / size / (base[name] / base.events)).toFixed(2);
  console.log(
    [
      `${size.toLocaleString('en-US').padStart(10)} events`,
      `append ${rate(result.append)} (x${growth('append')})`,
      `subscription ${rate(result.subscription)} (x${growth('subscription')})`,
      `rebuild ${rate(result.rebuild)} (x${growth('rebuild')})`,
      `${result.megabytes.toFixed(0)} MB`,
    ].join('  '),
  );
}
