import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { defineStream } from '@quantloom/domain/kernel/define-stream';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { type EventCatalogue, eventCatalogue } from '@quantloom/domain/kernel/event-type';
import { PARKED_EVENT_EVENTS } from '@quantloom/domain/kernel/parked-event';
import { defineProjection, type Projection } from '@quantloom/domain/kernel/projection';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { Type } from 'typebox';
import { ulid } from 'ulid';

/** A log and read models in a temporary SQLite file. */
export interface EmbeddedLog {
  readonly file: string;
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly close: () => Promise<void>;
}

export async function openEmbeddedLog(): Promise<EmbeddedLog> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-log-'));
  const file = path.join(folder, 'test.sqlite');
  const database = openSqliteDatabase(file, { pollMs: 5 });
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  return {
    file,
    eventStore,
    readModels,
    close: async () => {
      await eventStore.close();
      await readModels.close();
      database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const clock = { now: () => new Date() };

/** An event of the counters below: `amount` is added to the counter of its stream. */
export function added(stream: string, amount: number, id = ulid()): NewEvent {
  return {
    id,
    type: 'AmountAdded',
    data: { counter: stream, amount },
    metadata: {
      schemaVersion: 1,
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { kind: 'system', name: 'test' },
      recordedAt: new Date(0).toISOString(),
    },
  };
}

const COUNTER_EVENTS = defineStream({
  category: 'counter',
  events: { AmountAdded: Type.Object({ counter: Type.String(), amount: Type.Number() }) },
});

export const COUNTER_CATALOGUE: EventCatalogue = eventCatalogue(
  COUNTER_EVENTS.events,
  PARKED_EVENT_EVENTS.events,
);

export interface Counter extends ReadDocument {
  readonly sum: number;
  readonly amounts: readonly number[];
}

/**
 * Sums by stream; an amount of 0 deletes the counter, and while `broken` says so an amount cannot be applied.
 * Applying anything twice or out of order shows.
 */
export function counters(broken: { amount: number | null } = { amount: null }): Projection<Counter> {
  return defineProjection({
    name: 'counters',
    version: 1,
    collection: { name: 'counters_v1', indexes: [] },
    events: [COUNTER_EVENTS],
    keys: (event) => [event.data.counter],
    evolve: (document, event, id) => {
      const { amount } = event.data;
      if (amount === broken.amount) throw new Error(`Cannot add ${amount}`);
      if (amount === 0) return null;
      return { id, sum: (document?.sum ?? 0) + amount, amounts: [...(document?.amounts ?? []), amount] };
    },
  });
}

/** Resolves when `condition` holds, looked at after every turn; rejects after five seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 45_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
