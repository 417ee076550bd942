import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import {
  BEFORE_FIRST,
  type EventBatch,
  type EventStore,
  isWrongExpectedRevision,
} from '@quantloom/domain/ports/event-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anEvent, freshStream } from './contract-events.ts';

export interface EventStoreHarness {
  readonly store: EventStore;
  /** A second client of the same log, as another process would have. */
  openAnother(): Promise<EventStore>;
  /**
   * The log is a server's that somebody else has set up, perhaps with a limit on appends that is too low for
   * the product.
   */
  readonly mayLimitAppends?: boolean;
  stop(): Promise<void>;
}

async function collect(source: AsyncIterable<RecordedEvent>): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of source) events.push(event);
  return events;
}

const types = (events: readonly RecordedEvent[]) => events.map((event) => event.type);

/**
 * What every event store must do. Runs against a log that others have written to and may be writing to, of
 * any length.
 */
export function eventStoreContract(name: string, start: () => Promise<EventStoreHarness>): void {
  describe(`event store contract: ${name}`, { timeout: 60_000 }, () => {
    let harness: EventStoreHarness;
    let store: EventStore;
    beforeAll(async () => {
      harness = await start();
      store = harness.store;
    }, 180_000);
    afterAll(() => harness?.stop());

    describe('append', () => {
      it('numbers a stream without gaps from 0 and gives growing positions', async () => {
        const stream = freshStream();
        const first = await store.append(stream, [anEvent('A'), anEvent('B')], 'noStream');
        const second = await store.append(stream, [anEvent('C')], 1);
        expect(first.revision).toBe(1);
        expect(second.revision).toBe(2);
        expect(second.position > first.position).toBe(true);
        const events = await collect(store.readStream(stream));
        expect(events.map((event) => event.revision)).toEqual([0, 1, 2]);
        expect(types(events)).toEqual(['A', 'B', 'C']);
        expect(events.at(-1)?.position).toBe(second.position);
      });

      it('keeps id, type, data and metadata as they were given', async () => {
        const stream = freshStream();
        const data = { text: 'ÄÖ\u2028𝄞 "quoted"\n', nested: [1, 2.5, -0.1, 1e-300, null, true], empty: {} };
        const event = anEvent('ThingHappened', data, '01JD0000000000000000000000');
        const odd = anEvent('ThingHappened', { a: 1 }, 'command-77:1');
        await store.append(stream, [event, odd], 'noStream');
        const [recorded, second] = await collect(store.readStream(stream));
        expect(recorded).toMatchObject({ ...event, stream, revision: 0 });
        expect(second).toMatchObject({ ...odd, stream, revision: 1 });
      });

      it('refuses when the stream is not where the caller thinks, and writes nothing', async () => {
        const stream = freshStream();
        await store.append(stream, [anEvent('A')], 'noStream');
        for (const expected of ['noStream', 1, 5] as const) {
          const error = await store
            .append(stream, [anEvent('X')], expected)
            .catch((caught: unknown) => caught);
          expect(isWrongExpectedRevision(error)).toBe(true);
          expect(error).toMatchObject({ stream, expected, actual: 0 });
        }
        const missing = freshStream();
        const error = await store.append(missing, [anEvent('X')], 0).catch((caught: unknown) => caught);
        expect(error).toMatchObject({ code: 'wrong_expected_revision', actual: -1 });
        expect(types(await collect(store.readStream(stream)))).toEqual(['A']);
        expect(await collect(store.readStream(missing))).toEqual([]);
      });

      it('appends wherever the stream is with "any"', async () => {
        const stream = freshStream();
        await store.append(stream, [anEvent('A')], 'any');
        expect((await store.append(stream, [anEvent('B')], 'any')).revision).toBe(1);
      });

      it.each([['noStream'], ['exact'], ['any']] as const)(
        'answers a repeated append (%s) with the first result and writes nothing',
        async (kind) => {
          const stream = freshStream();
          if (kind === 'exact') await store.append(stream, [anEvent('Before')], 'noStream');
          const expected = kind === 'exact' ? 0 : kind;
          const events = [anEvent('A'), anEvent('B')];
          const first = await store.append(stream, events, expected);
          expect(await store.append(stream, events, expected)).toEqual(first);
          expect((await collect(store.readStream(stream))).length).toBe(kind === 'exact' ? 3 : 2);
        },
      );

      it('answers a repeat with the first result after others have appended', async () => {
        const stream = freshStream();
        const events = [anEvent('A'), anEvent('B')];
        const first = await store.append(stream, events, 'noStream');
        await store.append(stream, [anEvent('C')], 1);
        expect((await store.append(stream, events, 'noStream')).revision).toBe(first.revision);
        expect(types(await collect(store.readStream(stream)))).toEqual(['A', 'B', 'C']);
      });

      it('lets exactly one of many concurrent writers win', async () => {
        const stream = freshStream();
        const another = await harness.openAnother();
        const results = await Promise.allSettled(
          Array.from({ length: 20 }, (_, i) =>
            (i % 2 ? store : another).append(stream, [anEvent(`By${i}`)], 'noStream'),
          ),
        );
        const losers = results.filter((result) => result.status === 'rejected');
        expect(losers.length).toBe(19);
        for (const loser of losers) expect(isWrongExpectedRevision(loser.reason)).toBe(true);
        expect((await collect(store.readStream(stream))).length).toBe(1);
        await another.close();
      });

      it('fails alone when one of several concurrent appends cannot be written', async () => {
        const circular: Record<string, unknown> = {};
        circular.self = circular;
        const [good, bad, alsoGood] = [freshStream(), freshStream(), freshStream()];
        const results = await Promise.allSettled([
          store.append(good, [anEvent('A')], 'noStream'),
          store.append(bad, [anEvent('A'), anEvent('B', circular)], 'noStream'),
          store.append(alsoGood, [anEvent('A')], 'noStream'),
        ]);
        expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(await collect(store.readStream(bad))).toEqual([]);
        expect((await collect(store.readStream(good))).length).toBe(1);
      });

      it('takes an event as large as the largest request', async ({ skip }) => {
        const stream = freshStream();
        const text = 'x'.repeat(12 * 1024 * 1024);
        try {
          await store.append(stream, [anEvent('Small'), anEvent('Large', { text })], 'noStream');
        } catch (error) {
          if (!harness.mayLimitAppends || !/MaxAppendSize/.test(String(error))) throw error;
          skip(`${(error as Error).message}: the product needs that, this server does not allow it`);
        }
        const [, large] = await collect(store.readStream(stream));
        expect((large?.data as { text: string } | undefined)?.text === text).toBe(true);
      });

      it('refuses to append nothing', async () => {
        await expect(store.append(freshStream(), [], 'any')).rejects.toThrow(/Nothing to append/);
      });
    });

    describe('readStream', () => {
      it('reads a part, forwards and backwards, and nothing from a stream that does not exist', async () => {
        const stream = freshStream();
        await store.append(
          stream,
          ['A', 'B', 'C', 'D', 'E'].map((type) => anEvent(type)),
          'noStream',
        );
        const read = async (options: Parameters<EventStore['readStream']>[1]) =>
          types(await collect(store.readStream(stream, options))).join('');
        expect(await read({ fromRevision: 2 })).toBe('CDE');
        expect(await read({ fromRevision: 1, maxCount: 2 })).toBe('BC');
        expect(await read({ direction: 'backwards' })).toBe('EDCBA');
        expect(await read({ direction: 'backwards', maxCount: 1 })).toBe('E');
        expect(await read({ direction: 'backwards', fromRevision: 2, maxCount: 2 })).toBe('CB');
        expect(await read({ fromRevision: 9 })).toBe('');
        expect(await collect(store.readStream(freshStream()))).toEqual([]);
      });

      it('reads a stream longer than a page', async () => {
        const stream = freshStream();
        const count = 2500;
        for (let from = 0; from < count; from += 500) {
          const events = Array.from({ length: 500 }, (_, i) => anEvent('Counted', { n: from + i }));
          await store.append(stream, events, from === 0 ? 'noStream' : from - 1);
        }
        const numbers = (await collect(store.readStream(stream))).map(
          (event) => (event.data as { n: number }).n,
        );
        expect(numbers).toEqual(Array.from({ length: count }, (_, i) => i));
      });
    });

    describe('readAll', () => {
      it('reads the log in order, filtered by stream prefix and by type', async () => {
        const category = `c${randomUUID().slice(0, 8)}`;
        const before = await store.head();
        await store.append(freshStream(category), [anEvent('A'), anEvent('B')], 'noStream');
        await store.append(freshStream(`${category}x`), [anEvent('A'), anEvent('Other')], 'noStream');
        await store.append(freshStream(category), [anEvent('C')], 'noStream');
        const read = async (filter: object, maxCount?: number) =>
          types(await collect(store.readAll(before, { filter, ...(maxCount ? { maxCount } : {}) }))).join();
        expect(await read({ streamPrefixes: [`${category}-`] })).toBe('A,B,C');
        expect(await read({ streamPrefixes: [`${category}-`, `${category}x-`] })).toBe('A,B,A,Other,C');
        expect(await read({ streamPrefixes: [category], eventTypes: ['A', 'C'] })).toBe('A,A,C');
        expect(await read({ streamPrefixes: [category] }, 2)).toBe('A,B');
        expect(await read({ streamPrefixes: [`nothing-${category}`] })).toBe('');
        expect(await read({ streamPrefixes: [category], eventTypes: [] })).toBe('');
      });

      it('continues exactly after a position', async () => {
        const category = `c${randomUUID().slice(0, 8)}`;
        const filter = { streamPrefixes: [`${category}-`] };
        const before = await store.head();
        await store.append(
          freshStream(category),
          ['A', 'B', 'C'].map((type) => anEvent(type)),
          'noStream',
        );
        const all = await collect(store.readAll(before, { filter }));
        const rest = await collect(store.readAll(all[0]?.position ?? 0n, { filter }));
        expect(types(all)).toEqual(['A', 'B', 'C']);
        expect(types(rest)).toEqual(['B', 'C']);
      });

      it('begins with the first event', async () => {
        await store.append(freshStream(), [anEvent('A')], 'noStream');
        const [first, second] = await collect(store.readAll(BEFORE_FIRST, { maxCount: 2 }));
        expect(first?.revision).toBe(0);
        const [next] = await collect(store.readAll(first?.position ?? BEFORE_FIRST, { maxCount: 1 }));
        expect(next?.id).toBe(second?.id);
      });

      it('knows the head', async () => {
        const stream = freshStream();
        const { position } = await store.append(stream, [anEvent('A')], 'noStream');
        const head = await store.head();
        expect(head >= position).toBe(true);
        const behind = await collect(store.readAll(head, { maxCount: 1000 }));
        expect(behind.filter((event) => event.stream === stream || event.position <= head)).toEqual([]);
      });
    });

    describe('subscribe', () => {
      /** Reads batches until `enough` says so; the last batch is part of the answer. */
      async function follow(
        from: EventStore,
        after: bigint,
        options: { filter?: { streamPrefixes?: string[]; eventTypes?: string[] }; maxBatchSize?: number },
        enough: (batches: EventBatch[]) => boolean,
      ): Promise<EventBatch[]> {
        const stopping = new AbortController();
        const batches: EventBatch[] = [];
        for await (const batch of from.subscribe(after, { ...options, signal: stopping.signal })) {
          batches.push(batch);
          if (enough(batches)) stopping.abort();
        }
        return batches;
      }
      const eventsOf = (batches: EventBatch[]) => batches.flatMap((batch) => batch.events);

      it('delivers the past, then what is appended by anyone, in order, once', async () => {
        const category = `c${randomUUID().slice(0, 8)}`;
        const filter = { streamPrefixes: [`${category}-`] };
        const before = await store.head();
        const another = await harness.openAnother();
        await store.append(freshStream(category), [anEvent('Past')], 'noStream');
        let appended = 0;
        const appends: Promise<unknown>[] = [];
        const batches = await follow(store, before, { filter }, (all) => {
          const count = eventsOf(all).length;
          if (count > appended && appended < 4) {
            appended += 1;
            const writer = appended % 2 ? store : another;
            appends.push(writer.append(freshStream(category), [anEvent(`Live${appended}`)], 'any'));
          }
          return count === 5;
        });
        expect(types(eventsOf(batches))).toEqual(['Past', 'Live1', 'Live2', 'Live3', 'Live4']);
        await Promise.all(appends);
        await another.close();
      });

      it('keeps to the batch size, and a restart from any delivered position misses and doubles nothing', async () => {
        const category = `c${randomUUID().slice(0, 8)}`;
        const filter = { streamPrefixes: [`${category}-`] };
        const before = await store.head();
        const events = Array.from({ length: 25 }, (_, i) => anEvent('Counted', { i }));
        await store.append(freshStream(category), events, 'noStream');
        const seen: number[] = [];
        let position = before;
        while (seen.length < 25) {
          const goal = seen.length + 1;
          const batches = await follow(
            store,
            position,
            { filter, maxBatchSize: 4 },
            (all) => seen.length + eventsOf(all).length >= goal,
          );
          for (const batch of batches) {
            expect(batch.events.length).toBeLessThanOrEqual(4);
            seen.push(...batch.events.map((event) => (event.data as { i: number }).i));
            position = batch.position;
          }
        }
        expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => i));
      });

      it('moves the position on where the filter matches nothing', async () => {
        const before = await store.head();
        const { position } = await store.append(freshStream(), [anEvent('Unwanted')], 'noStream');
        const batches = await follow(
          store,
          before,
          { filter: { eventTypes: [`Nothing${randomUUID()}`] } },
          (all) => (all.at(-1)?.position ?? -1n) >= position,
        );
        expect(eventsOf(batches)).toEqual([]);
      });

      it('says when the end is reached, also where there is nothing to deliver', async () => {
        await store.append(freshStream(), [anEvent('A')], 'noStream');
        const fromStart = await follow(
          store,
          await store.head(),
          {},
          (all) => all.at(-1)?.isCaughtUp === true,
        );
        expect(fromStart.at(-1)?.isCaughtUp).toBe(true);
      });

      it('hands out one batch at a time: nothing while the consumer works', async () => {
        const category = `c${randomUUID().slice(0, 8)}`;
        const before = await store.head();
        const events = Array.from({ length: 6 }, () => anEvent('A'));
        await store.append(freshStream(category), events, 'noStream');
        const stopping = new AbortController();
        let running = 0;
        let handled = 0;
        const options = {
          filter: { streamPrefixes: [`${category}-`] },
          maxBatchSize: 2,
          signal: stopping.signal,
        };
        for await (const batch of store.subscribe(before, options)) {
          running += 1;
          expect(running).toBe(1);
          await new Promise(setImmediate);
          handled += batch.events.length;
          running -= 1;
          if (handled === 6) stopping.abort();
        }
        expect(handled).toBe(6);
      });

      it('ends promptly when the signal aborts while waiting, and at once when it is aborted already', async () => {
        const stopping = new AbortController();
        const ended = (async () => {
          for await (const batch of store.subscribe(await store.head(), { signal: stopping.signal })) {
            if (batch.isCaughtUp) setImmediate(() => stopping.abort());
          }
        })();
        await ended;
        for await (const batch of store.subscribe(BEFORE_FIRST, { signal: AbortSignal.abort() })) {
          expect.unreachable(`delivered ${batch.events.length} events`);
        }
      });
    });

    it('tells its last event', async () => {
      const stream = freshStream();
      await store.append(stream, [anEvent('A', {}, 'first'), anEvent('B', {}, 'second')], 'noStream');
      expect(await store.last()).toEqual({ stream, revision: 1, id: 'second' });
      const other = freshStream();
      await store.append(other, [anEvent('A', {}, 'third')], 'any');
      expect(await store.last()).toEqual({ stream: other, revision: 0, id: 'third' });
    });

    it('tells a follower whether it is the log that he has come from', async () => {
      const stream = freshStream();
      const { position } = await store.append(stream, [anEvent('A', {}, 'known')], 'noStream');
      const known = { stream, revision: 0, id: 'known' };
      expect(await store.reaches(position, known)).toBe(true);
      expect(await store.reaches(position, null)).toBe(true);
      expect(await store.reaches(position, { ...known, id: 'another' })).toBe(false);
      expect(await store.reaches(position, { ...known, revision: 1 })).toBe(false);
      expect(await store.reaches(position, { ...known, stream: freshStream() })).toBe(false);
      expect(await store.reaches(BEFORE_FIRST, null)).toBe(true);
    });

    it('ends subscriptions and refuses further work once it is closed', async () => {
      const another = await harness.openAnother();
      const ended = (async () => {
        const { signal } = new AbortController();
        for await (const batch of another.subscribe(await another.head(), { signal })) {
          if (batch.isCaughtUp) setImmediate(() => void another.close());
        }
      })();
      await ended;
      await expect(another.append(freshStream(), [anEvent('A')], 'any')).rejects.toThrow();
    });
  });
}
