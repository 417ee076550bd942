import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { MemoryEventStore } from '../../testing/memory-event-store.ts';
import type { DomainEvent, RecordedEvent } from './event.ts';
import { eventCatalogue, UnreadableEventError, upcast } from './event-type.ts';
import { type CommandContext, handleCommand, loadState, type StreamKind } from './handle-command.ts';
import { contentAt, readHistory, stateAt } from './history.ts';
import { derivedId } from './ids.ts';
import { isRefusal, refuse } from './refusal.ts';
import { StateCache } from './state-cache.ts';

type Added = DomainEvent<'Added', { amount: number }>;
interface Add {
  readonly amounts: readonly number[];
}
/** Sums up to 100. */
const counter: StreamKind<Add, { sum: number; events: number }, Added> = {
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
let count = 0;
const context = (more: Partial<CommandContext> = {}): CommandContext => {
  count += 1;
  return {
    commandId: derivedId(1, String(count)),
    correlationId: 'c',
    actor: { kind: 'system', name: 'test' },
    now: '2026-01-01T00:00:00.000Z',
    ...more,
  };
};
const add = (
  store: MemoryEventStore,
  amounts: number[],
  more: Partial<CommandContext> = {},
  cache?: StateCache,
) => handleCommand(store, counter, '1', { amounts }, context(more), cache);

describe('handleCommand', () => {
  it('appends what was decided, with who, when and why', async () => {
    const store = new MemoryEventStore();
    const result = await add(store, [1, 2], { causationId: 'because', actor: { kind: 'user', userId: 'u' } });
    expect(result).toMatchObject({
      revision: 1,
      position: 1n,
      state: { sum: 3, events: 2 },
      isRepetition: false,
    });
    expect(store.events).toMatchObject([
      {
        stream: 'counter-1',
        revision: 0,
        type: 'Added',
        data: { amount: 1 },
        metadata: { schemaVersion: 1, causationId: 'because', actor: { userId: 'u' } },
      },
      { revision: 1, data: { amount: 2 } },
    ]);
    expect(new Set(store.events.map(({ id }) => id)).size).toBe(2);
  });

  it('carries a command out once and answers the same again, whatever came in between', async () => {
    const store = new MemoryEventStore();
    for (const cache of [undefined, new StateCache()]) {
      const commandId = derivedId(2, String(cache));
      const first = await add(store, [5, 5], { commandId }, cache);
      await add(store, [1], {}, cache);
      const again = await add(store, [5, 5], { commandId }, cache);
      if (isRefusal(first) || isRefusal(again)) throw new Error('refused');
      expect(again).toEqual({ ...first, events: [], isRepetition: true });
    }
    expect((await loadState(store, counter, '1')).state.sum).toBe(22);
  });

  it('recognises a repetition although its stream left the cache while another command was reading', async () => {
    const store = new MemoryEventStore();
    const cache = new StateCache();
    const commandId = derivedId(4, 'early');
    await add(store, [5], { commandId }, cache);
    const reading = add(store, [1], {}, cache);
    cache.delete('counter-1');
    await reading;
    expect(await add(store, [5], { commandId }, cache)).toMatchObject({ isRepetition: true, revision: 0 });
    expect(store.events).toHaveLength(2);
  });

  it('keeps the newest state of a stream', () => {
    const cache = new StateCache();
    const folded = (revision: number) => ({
      state: revision,
      revision,
      position: 0n,
      commandIds: new Set<string>(),
    });
    for (const revision of [1, 3, 2]) cache.set('s', folded(revision));
    expect(cache.get('s')?.state).toBe(3);
  });

  it('refuses who has seen another revision, but tells strangers nothing', async () => {
    const store = new MemoryEventStore();
    await add(store, [1, 2, 3]);
    expect(await add(store, [1], { expectedRevision: 1 })).toMatchObject({
      code: 'wrong_revision',
      status: 409,
      currentRevision: 2,
    });
    expect(await add(store, [-1], { expectedRevision: 1 })).toMatchObject({ code: 'nothing_here' });
    expect(await add(store, [-2], { expectedRevision: 1 })).toMatchObject({ code: 'not_yours' });
    expect(await add(store, [200], { expectedRevision: 1 })).toMatchObject({ code: 'wrong_revision' });
    expect(await add(store, [1], { expectedRevision: 2 })).toMatchObject({ revision: 3 });
  });

  it('lets no two commands at the same instant pass a limit, with and without a cache', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }),
        fc.boolean(),
        async (amounts, isCached) => {
          const store = new MemoryEventStore();
          const cache = isCached ? new StateCache() : undefined;
          const results = await Promise.all(amounts.map((amount) => add(store, [amount], {}, cache)));
          const { state, revision } = await loadState(store, counter, '1');
          expect(state.sum).toBeLessThanOrEqual(100);
          const carriedOut = results.filter((result) => !isRefusal(result));
          expect(carriedOut).toHaveLength(revision + 1);
          // Every answer is of a state that the stream was in.
          for (const result of results)
            if (isRefusal(result)) expect(['too_much', 'too_many_changes']).toContain(result.code);
            else expect(result.state.events).toBe(result.revision + 1);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('answers a command that is under way twice from the log', async () => {
    const store = new MemoryEventStore();
    const commandId = derivedId(3, 'twice');
    const answers = await Promise.all(
      [1, 2].map((second) =>
        add(store, [7], { commandId, mayRepeat: true, now: `2026-01-01T00:00:0${second}.000Z` }),
      ),
    );
    expect(store.events).toHaveLength(1);
    for (const answer of answers) expect(answer).toMatchObject({ revision: 0, state: { sum: 7, events: 1 } });
  });

  it('reads no more than it wrote to answer a command that may be under way twice', async () => {
    const store = new MemoryEventStore();
    const cache = new StateCache();
    for (let i = 0; i < 20; i += 1) await add(store, [1], {}, cache);
    const reads = countReads(store);
    const commandId = derivedId(3, 'once');
    const result = await add(store, [1, 1], { commandId, mayRepeat: true }, cache);
    expect(result).toMatchObject({ revision: 21, position: 21n, state: { sum: 22, events: 22 } });
    expect(reads.events).toBe(2);
    expect(await add(store, [1], { commandId, mayRepeat: true }, cache)).toMatchObject({
      revision: 21,
      isRepetition: true,
    });
  });

  it('passes on at once what is no conflict', async () => {
    const store = new MemoryEventStore();
    let attempts = 0;
    store.append = async () => {
      attempts += 1;
      throw new Error('the disk is full');
    };
    await expect(add(store, [1])).rejects.toThrow('the disk is full');
    expect(attempts).toBe(1);
  });

  it('gives up on a stream that others keep changing', async () => {
    const store = new MemoryEventStore();
    const append = store.append.bind(store);
    store.append = async (stream, events, expected) => {
      const others = events.slice(0, 1).map((event) => ({
        ...event,
        id: `other ${store.events.length}`,
        metadata: { ...event.metadata, commandId: `other ${store.events.length}` },
      }));
      await append(stream, others, 'any');
      return await append(stream, events, expected);
    };
    expect(await add(store, [1])).toMatchObject({ code: 'too_many_changes', status: 409 });
    expect(await add(store, [1], { expectedRevision: 3 })).toMatchObject({
      code: 'wrong_revision',
      currentRevision: 4,
    });
  });

  it('does nothing where nothing was decided', async () => {
    const store = new MemoryEventStore();
    expect(await add(store, [])).toMatchObject({ revision: -1, events: [] });
    expect(store.events).toEqual([]);
  });
});

/** Counts the events that are read from now on. */
function countReads(store: MemoryEventStore): { events: number } {
  const reads = { events: 0 };
  const readStream = store.readStream.bind(store);
  store.readStream = async function* (stream, options) {
    for await (const event of readStream(stream, options)) {
      reads.events += 1;
      yield event;
    }
  };
  return reads;
}

describe('history', () => {
  it('tells what a revision left without reading the stream from its start', async () => {
    const store = new MemoryEventStore();
    for (let amount = 0; amount < 60; amount += 1) await add(store, [amount % 2]);
    const rules = {
      fields: ['even', 'odd'] as const,
      contentOf: ({ data: { amount } }: Added): Partial<{ even: number; odd: number }> =>
        amount === 0 ? { even: amount } : { odd: amount },
    };
    const reads = countReads(store);
    expect(await contentAt(store, counter, '1', rules, 57)).toEqual({ even: 0, odd: 1 });
    expect(reads.events).toBeLessThan(12);
    expect(await contentAt(store, counter, '1', rules, 60)).toBeNull();
    expect(await contentAt(store, counter, '1', rules, 0)).toBeNull();
  });

  it('pages backwards, each entry compared with what was before it', async () => {
    const store = new MemoryEventStore();
    for (let amount = 0; amount < 7; amount += 1) await add(store, [amount]);
    const rules = {
      fields: ['amount'] as const,
      contentOf: (event: Added) => (event.data.amount % 3 === 0 ? { amount: event.data.amount } : {}),
      describe: (event: Added, before: { amount: number } | null) => ({
        summary: `${before?.amount ?? 'nothing'} → ${event.data.amount}`,
        changes: [],
      }),
    };
    const summaries: string[] = [];
    let before: number | undefined;
    for (let page = 0; page < 10; page += 1) {
      const { entries, next } = await readHistory(store, counter, '1', rules, {
        limit: 2,
        ...(before !== undefined && { before }),
      });
      summaries.push(...entries.map(({ summary }) => summary));
      if (next === null) break;
      before = next;
    }
    expect(summaries).toEqual(['3 → 6', '3 → 5', '3 → 4', '0 → 3', '0 → 2', '0 → 1', 'nothing → 0']);
    expect((await stateAt(store, counter, '1', 3))?.state.sum).toBe(6);
    expect(await stateAt(store, counter, '1', 7)).toBeNull();
    expect(await readHistory(store, counter, 'none', rules, { limit: 2 })).toEqual({
      entries: [],
      next: null,
    });
  });
});

describe('upcast', () => {
  const event = (type: string, schemaVersion: number, data: unknown) =>
    ({
      id: 'i',
      type,
      data,
      stream: 's',
      revision: 0,
      position: 0n,
      metadata: { schemaVersion },
    }) as RecordedEvent;
  const catalogue = eventCatalogue([
    {
      type: 'Named',
      version: 3,
      schema: Type.Unknown(),
      upcasters: [(data) => ({ ...(data as object), b: 2 }), (data) => ({ ...(data as object), c: 3 })],
    },
  ]);
  it('brings every version to today', () => {
    expect(upcast(catalogue, event('Named', 1, { a: 1 })).data).toEqual({ a: 1, b: 2, c: 3 });
    expect(upcast(catalogue, event('Named', 2, { a: 1 }))).toMatchObject({
      data: { a: 1, c: 3 },
      metadata: { schemaVersion: 3 },
    });
    expect(upcast(catalogue, event('Named', 3, { a: 1 })).data).toEqual({ a: 1 });
  });
  it('refuses what it does not know', () => {
    for (const unreadable of [
      event('Other', 1, {}),
      event('Named', 4, {}),
      event('Named', 0, {}),
      event('Named', 1.5, {}),
    ])
      expect(() => upcast(catalogue, unreadable)).toThrow(UnreadableEventError);
  });
  it('does not allow gaps or names used twice', () => {
    const schema = Type.Unknown();
    expect(() => eventCatalogue([{ type: 'A', version: 2, schema }])).toThrow('needs 1 upcasters');
    expect(() =>
      eventCatalogue([{ type: 'A', version: 1, schema }], [{ type: 'A', version: 1, schema }]),
    ).toThrow('twice');
  });
});
