import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, context, counter, countReads, renamedCounter } from '../../testing/counter.ts';
import { MemoryEventStore } from '../../testing/memory-event-store.ts';
import { BEFORE_FIRST } from '../ports/event-store.ts';
import type { NewEvent } from './event.ts';
import { handleCommand, loadState, streamName } from './handle-command.ts';
import { derivedId, eventId } from './ids.ts';
import { isRefusal, refuse } from './refusal.ts';
import { StateCache } from './state-cache.ts';

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

  it('recognises a command that another process has carried out, in a stream that was read since', async () => {
    const store = new MemoryEventStore();
    const cache = new StateCache();
    const commandId = derivedId(6, 'elsewhere');
    await add(store, [5], { commandId });
    const reads = countReads(store);
    for (let look = 0; look < 2; look += 1) await loadState(store, counter, '1', cache);
    expect(reads.events).toBe(1);
    expect(await add(store, [5], { commandId }, cache)).toMatchObject({ isRepetition: true, revision: 0 });
    expect(store.events).toHaveLength(1);
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
    expect(result).toMatchObject({
      revision: 21,
      position: 21n,
      state: { sum: 22, events: 22 },
      isRepetition: false,
    });
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
    let attempts = 0;
    store.append = async (stream, events, expected) => {
      attempts += 1;
      const others = events.slice(0, 1).map((event) => ({
        ...event,
        id: `other ${store.events.length}`,
        metadata: { ...event.metadata, commandId: `other ${store.events.length}` },
      }));
      await append(stream, others, 'any');
      return await append(stream, events, expected);
    };
    // The others have left one event at each attempt.
    expect(await add(store, [1])).toMatchObject({
      code: 'too_many_changes',
      status: 409,
      currentRevision: 3,
    });
    expect(attempts).toBe(4);
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

  it('writes beside each fact who caused it, when, why and in which shape', async () => {
    const store = new MemoryEventStore();
    const asked = context({
      correlationId: 'a visit',
      causationId: 'because',
      actor: { kind: 'user', userId: 'u' },
      now: '2026-05-04T03:02:01.000Z',
    });
    const result = await handleCommand(store, counter, '1', { amounts: [1, 2] }, asked);
    const expected = [1, 2].map((amount, index) => ({
      type: 'Added',
      data: { amount },
      id: eventId(asked.commandId, index),
      metadata: {
        schemaVersion: 1,
        commandId: asked.commandId,
        correlationId: 'a visit',
        causationId: 'because',
        actor: { kind: 'user', userId: 'u' },
        recordedAt: '2026-05-04T03:02:01.000Z',
      },
    }));
    expect(result).toMatchObject({ events: expected });
    expect(store.events).toMatchObject(expected);
    // What nothing else caused follows from the command itself.
    const own = context();
    await handleCommand(store, counter, '1', { amounts: [3] }, own);
    expect(store.events.at(-1)?.metadata.causationId).toBe(own.commandId);
  });

  it('tells where in the whole log a command stands, beside other streams', async () => {
    const store = new MemoryEventStore();
    const other = (amounts: readonly number[]) =>
      handleCommand(store, counter, 'other', { amounts }, context());
    expect(await loadState(store, counter, '1')).toEqual({
      state: counter.decider.initialState,
      revision: -1,
      position: BEFORE_FIRST,
    });
    await other([1, 1, 1]);
    expect(await add(store, [1, 1])).toMatchObject({ revision: 1, position: 4n });
    await other([1]);
    expect(await add(store, [])).toMatchObject({ revision: 1, position: 4n, isRepetition: false });
    expect(await add(store, [1], { mayRepeat: true })).toMatchObject({ revision: 2, position: 6n });
    expect(await loadState(store, counter, '1')).toMatchObject({ revision: 2, position: 6n });
  });

  it('writes nothing that its kind of stream does not declare', async () => {
    const store = new MemoryEventStore();
    const undeclared = { ...counter, events: [] };
    await expect(handleCommand(store, undeclared, '1', { amounts: [1] }, context())).rejects.toThrow(
      /counter .*Added/,
    );
    expect(store.events).toEqual([]);
  });

  it('reads what was written in an older shape, and writes in that of today', async () => {
    const store = new MemoryEventStore();
    await add(store, [5]);
    const schema = renamedCounter.events[0]?.schema ?? {};
    // Another type of the same stream, which has not changed, says nothing of the version of this one.
    const two = {
      ...renamedCounter,
      events: [{ type: 'Shut', version: 1, schema }, ...renamedCounter.events],
    };
    for (const mayRepeat of [false, true])
      await handleCommand(store, two, '1', { amounts: [2] }, context({ mayRepeat }));
    expect((await loadState(store, renamedCounter, '1')).state).toEqual({ sum: 9, events: 3 });
    expect(store.events.map(({ data, metadata }) => [data, metadata.schemaVersion])).toEqual([
      [{ amount: 5 }, 1],
      [{ by: 2 }, 2],
      [{ by: 2 }, 2],
    ]);
  });

  it('reads of a stream that it knows only what is new', async () => {
    const store = new MemoryEventStore();
    const cache = new StateCache();
    const reads = countReads(store);
    await add(store, [1, 1, 1], {}, cache);
    await add(store, [1], {}, cache);
    expect(reads.events).toBe(0);
    await add(store, [1, 1]);
    reads.events = 0;
    expect(await loadState(store, counter, '1', cache)).toMatchObject({ state: { sum: 6 }, revision: 5 });
    expect(reads.events).toBe(2);
    expect(await loadState(store, counter, '1', cache)).toMatchObject({ state: { sum: 6 }, revision: 5 });
    expect(reads.events).toBe(2);
  });
});

describe('what must be there before the events', () => {
  it('is made ready for them before each attempt to append', async () => {
    const store = new MemoryEventStore();
    const prepared: { readonly amounts: readonly unknown[]; readonly inLog: number }[] = [];
    const prepare = async (events: readonly NewEvent[]) => {
      prepared.push({ amounts: events.map(({ data }) => data), inLog: store.events.length });
      // Somebody else is quicker, once.
      if (prepared.length === 1) await add(store, [1]);
      return null;
    };
    expect(await add(store, [2, 3], { prepare })).toMatchObject({ revision: 2, state: { sum: 6 } });
    const amounts = [{ amount: 2 }, { amount: 3 }];
    expect(prepared).toEqual([
      { amounts, inLog: 0 },
      { amounts, inLog: 1 },
    ]);
  });

  it('can refuse the command', async () => {
    const store = new MemoryEventStore();
    const prepare = async () => refuse(413, 'too_large', 'That is too large');
    expect(await add(store, [1], { prepare })).toMatchObject({ status: 413, code: 'too_large' });
    expect(store.events).toEqual([]);
  });

  it('is not made for a command that is refused, that changes nothing or that was carried out before', async () => {
    const store = new MemoryEventStore();
    const commandId = derivedId(5, 'once');
    await add(store, [1], { commandId });
    const prepare = () => Promise.reject(new Error('There is nothing to prepare'));
    expect(await add(store, [200], { prepare })).toMatchObject({ code: 'too_much' });
    expect(await add(store, [1], { prepare, expectedRevision: 7 })).toMatchObject({ code: 'wrong_revision' });
    expect(await add(store, [], { prepare })).toMatchObject({ events: [] });
    expect(await add(store, [1], { prepare, commandId })).toMatchObject({ isRepetition: true });
  });
});

describe('the name of a stream', () => {
  it('is its kind and what it is about, or the kind alone where there is one of it', () => {
    expect(streamName(counter, '1')).toBe('counter-1');
    expect(streamName(counter, '')).toBe('counter');
  });
});
