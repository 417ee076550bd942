import { Type } from 'typebox';
import type { DomainEvent, RecordedEvent } from '../src/kernel/event.ts';
import { type CommandContext, handleCommand, type StreamKind } from '../src/kernel/handle-command.ts';
import { derivedId } from '../src/kernel/ids.ts';
import { refuse } from '../src/kernel/refusal.ts';
import type { StateCache } from '../src/kernel/state-cache.ts';
import type { MemoryEventStore } from './memory-event-store.ts';

/** The smallest stream that has every kind of answer, for tests of what carries commands out and reads streams. */

export type Added = DomainEvent<'Added', { amount: number }>;
interface Add {
  readonly amounts: readonly number[];
}

/** Sums up to 100. */
export const counter: StreamKind<Add, { sum: number; events: number }, Added> = {
  category: 'counter',
  decider: {
    initialState: { sum: 0, events: 0 },
    decide: ({ amounts }, { sum }) => {
      const next = amounts.reduce((total, amount) => total + amount, sum);
      if (amounts.includes(-2)) return refuse(403, 'not_yours', 'This is not yours');
      if (amounts.includes(-1)) return refuse(404, 'nothing_here', 'There is nothing here');
      if (next > 100) return refuse(409, 'too_much', 'That would be too much');
      return amounts.map((amount) => ({ type: 'Added', data: { amount } }));
    },
    evolve: ({ sum, events }, event) => ({ sum: sum + event.data.amount, events: events + 1 }),
  },
  events: [{ type: 'Added', version: 1, schema: Type.Object({ amount: Type.Number() }) }],
};

/** As `counter`, after the amount was renamed: what was written as `amount` is read as `by`. */
export const renamedCounter: StreamKind<
  Add,
  { sum: number; events: number },
  DomainEvent<'Added', { by: number }>
> = {
  category: 'counter',
  decider: {
    initialState: { sum: 0, events: 0 },
    decide: ({ amounts }) => amounts.map((by) => ({ type: 'Added', data: { by } })),
    evolve: ({ sum, events }, event) => ({ sum: sum + event.data.by, events: events + 1 }),
  },
  events: [
    {
      type: 'Added',
      version: 2,
      schema: Type.Object({ by: Type.Number() }),
      upcasters: [(data) => ({ by: (data as Added['data']).amount })],
    },
  ],
};

let count = 0;
/** A command of its own each time. */
export const context = (more: Partial<CommandContext> = {}): CommandContext => {
  count += 1;
  return {
    commandId: derivedId(1, String(count)),
    correlationId: 'c',
    actor: { kind: 'system', name: 'test' },
    now: '2026-01-01T00:00:00.000Z',
    ...more,
  };
};

/** Adds to the counter `1`. */
export const add = (
  store: MemoryEventStore,
  amounts: readonly number[],
  more: Partial<CommandContext> = {},
  cache?: StateCache,
) => handleCommand(store, counter, '1', { amounts }, context(more), cache);

/** Counts the events that are read from now on, and how many each read asked for. */
export function countReads(store: MemoryEventStore): { events: number; asked: (number | undefined)[] } {
  const reads: { events: number; asked: (number | undefined)[] } = { events: 0, asked: [] };
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (stream, options): AsyncGenerator<RecordedEvent> {
    reads.asked.push(options?.maxCount);
    for await (const event of readStream(stream, options)) {
      reads.events += 1;
      yield event;
    }
  };
  return reads;
}
