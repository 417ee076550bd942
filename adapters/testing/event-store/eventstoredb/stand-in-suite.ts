import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectToServer } from '../../../src/event-store/eventstoredb/connect-to-server.ts';
import { uuidOf } from '../../../src/event-store/eventstoredb/event-mapping.ts';
import {
  type EventStoreDbOptions,
  openEventStoreDb,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import { readAndCancel } from '../../../src/event-store/eventstoredb/read-and-cancel.ts';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';
import { eventStoreContract } from '../contract.ts';
import { anEvent, freshStream } from '../contract-events.ts';
import {
  EVENT_TOO_LARGE,
  NO_LEADER,
  NOT_READY,
  StandInServer,
  TIMED_OUT,
  TOO_BUSY,
} from './stand-in-server.ts';

/** The contract and what is particular to EventStoreDB, with one client: both cannot be in one process. */
export function standInSuite(client: EventStoreClientName): void {
  for (const [name, saysWhenCaughtUp] of [
    ['that says when a subscription has caught up', true],
    ['that does not say it, as before 23.10', false],
  ] as const) {
    eventStoreContract(`${client} client, stand-in server ${name}`, async () => {
      const server = new StandInServer({ saysWhenCaughtUp, client });
      const url = await server.start();
      const opened: EventStore[] = [];
      const open = async () => {
        const store = await openEventStoreDb({ url, client });
        opened.push(store);
        return store;
      };
      return {
        store: await open(),
        openAnother: open,
        async stop() {
          for (const store of opened) await store.close();
          server.stop();
        },
      };
    });
  }

  describe(`eventstoredb adapter with the client ${client}`, () => {
    let server: StandInServer;
    let url: string;
    let store: EventStore;
    const toClose: (() => Promise<void> | void)[] = [];
    const start = async () => {
      const another = new StandInServer({ client });
      toClose.push(() => another.stop());
      return { another, its: await another.start() };
    };
    const open = async (options: Partial<EventStoreDbOptions> = {}) => {
      const another = await openEventStoreDb({ url, client, ...options });
      toClose.unshift(() => another.close());
      return another;
    };
    beforeAll(async () => {
      server = new StandInServer({ client });
      url = await server.start();
      store = await openEventStoreDb({ url, client });
    });
    afterEach(async () => {
      for (const close of toClose.splice(0)) await close();
    });
    afterAll(async () => {
      await store.close();
      server.stop();
    });
    const typesOf = async (events: AsyncIterable<{ type: string }>) => {
      const types: string[] = [];
      for await (const { type } of events) types.push(type);
      return types.join();
    };
    const counted = (count: number) => Array.from({ length: count }, (_, n) => anEvent('Counted', { n }));

    describe('subscriptions', () => {
      it('subscribes again after the connection broke, and misses and doubles nothing', async () => {
        const stopping = new AbortController();
        const seen: number[] = [];
        const before = await store.head();
        const following = (async () => {
          const options = {
            signal: stopping.signal,
            filter: { streamPrefixes: ['broken-'] },
            maxBatchSize: 3,
          };
          for await (const batch of store.subscribe(before, options)) {
            seen.push(...batch.events.map((event) => (event.data as { n: number }).n));
            if (seen.length >= 60) stopping.abort();
          }
        })();
        let broken = 0;
        for (let n = 0; n < 60; n += 5) {
          const events = Array.from({ length: 5 }, (_, i) => anEvent('Counted', { n: n + i }));
          await store.append(freshStream('other'), [anEvent('Unwanted')], 'noStream');
          await store.append(freshStream('broken'), events, 'noStream');
          broken += server.breakSubscriptions();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        await following;
        expect(broken).toBeGreaterThan(0);
        expect(seen).toEqual(Array.from({ length: 60 }, (_, n) => n));
      });

      it('gets over a stretch of the log that the server needs long for', async () => {
        const { another, its } = await start();
        const theirs = await open({ url: its });
        // Far enough behind for the server to look at many events between two signs of life.
        const text = 'x'.repeat(1000);
        await theirs.append(
          freshStream('other'),
          Array.from({ length: 400 }, () => anEvent('Unwanted', { text })),
          'any',
        );
        await theirs.append(freshStream('wanted'), [anEvent('Wanted')], 'any');
        another.catchUpMs = 800;
        const stopping = new AbortController();
        const seen: string[] = [];
        const filter = { streamPrefixes: ['wanted-'] };
        for await (const { events } of theirs.subscribe(-1n, { signal: stopping.signal, filter })) {
          seen.push(...events.map(({ type }) => type));
          if (seen.length > 0) stopping.abort();
        }
        expect(seen).toEqual(['Wanted']);
      });

      it('tells of one that keeps breaking, and goes on trying', async () => {
        const { another, its } = await start();
        const errors: unknown[] = [];
        const stopping = new AbortController();
        const theirs = await open({ url: its, retries: 0, onError: (error) => void errors.push(error) });
        another.stop();
        const following = (async () => {
          for await (const batch of theirs.subscribe(-1n, { signal: stopping.signal }))
            expect.unreachable(`delivered ${batch.events.length} events`);
        })();
        await expect.poll(() => errors.length, { timeout: 20_000 }).toBe(1);
        stopping.abort();
        await following;
        expect(String(errors[0])).toMatch(/UNAVAILABLE/i);
      });
    });

    describe('on a server that holds other data as well', () => {
      it('passes over what other applications and the server have written', async () => {
        const category = `own${crypto.randomUUID().slice(0, 8)}`;
        const before = await store.head();
        const stream = freshStream(category);
        await store.append(stream, [anEvent('First')], 'noStream');
        server.write(`${category}-of-others`, 'WithoutMetadata', { data: '{"a":1}', isJson: true });
        server.write(`${category}-of-others`, 'WithOtherMetadata', {
          data: '{}',
          metadata: '{"by":"me"}',
          isJson: true,
        });
        server.write(`${category}-of-others`, 'Bytes', { data: '\u0001\u0002', metadata: '\u0003' });
        server.write(`${category}-of-others`, '$>', { data: `0@${stream}`, isJson: true });
        server.write(`$$${stream}`, '$metadata', { data: '{"$maxCount":7}', isJson: true });
        server.tombstone(`${category}-gone`);
        await store.append(stream, [anEvent('Last')], 0);
        expect(await typesOf(store.readAll(before))).toBe('First,Last');
        expect(await typesOf(store.readAll(before, { filter: { streamPrefixes: [category] } }))).toBe(
          'First,Last',
        );

        const stopping = new AbortController();
        const seen: string[] = [];
        for await (const { events, isCaughtUp } of store.subscribe(before, { signal: stopping.signal })) {
          seen.push(...events.map(({ type }) => type));
          if (isCaughtUp && seen.length >= 2) stopping.abort();
        }
        expect(seen).toEqual(['First', 'Last']);
      });

      it('names an event of somebody else in a stream of ours', async () => {
        const stream = freshStream();
        server.write(stream, 'ByHand', { data: '{}', isJson: true });
        await expect(typesOf(store.readStream(stream))).rejects.toThrow(`${stream}@0 (ByHand)`);
      });

      it('neither reads nor appends to a stream that was deleted for ever', async () => {
        const stream = freshStream();
        await store.append(stream, [anEvent('A')], 'noStream');
        server.tombstone(stream);
        await expect(typesOf(store.readStream(stream))).rejects.toThrow(/is deleted/);
        await expect(store.append(stream, [anEvent('B')], 0)).rejects.toThrow(/is deleted/);
      });
    });

    describe('appends', () => {
      it('appends again where the server is not ready, busy, late or without a leader', async () => {
        server.refuseAppends(NOT_READY, TOO_BUSY, NO_LEADER, TIMED_OUT);
        const stream = freshStream('patient');
        expect(await store.append(stream, [anEvent('Counted')], 'noStream')).toMatchObject({ revision: 0 });
      });

      it('gives up at once on what another try does not cure', async () => {
        server.refuseAppends({ code: 2, details: 'Something Else' }, { code: 2, details: 'Something Else' });
        await expect(store.append(freshStream('hopeless'), [anEvent('Counted')], 'noStream')).rejects.toThrow(
          /Something Else/,
        );
        server.refuseAppends();
      });

      it('repeats an append whose answer was lost, and it is stored once', async () => {
        const hasty = await open({ url: `${url}&defaultDeadline=400` });
        for (const expected of ['noStream', 'any'] as const) {
          const stream = freshStream('lost');
          server.loseAnswers(1);
          expect(await hasty.append(stream, [anEvent('A'), anEvent('B')], expected)).toMatchObject({
            revision: 1,
          });
          expect(await typesOf(store.readStream(stream))).toBe('A,B');
        }
      });

      it('goes to the leader that another node names, for appends and for reads', async () => {
        const { another: follower, its } = await start();
        const theirs = await open({ url: its });
        const stream = freshStream('led');
        follower.leaderPort = Number(new URL(url).port);
        await theirs.append(stream, [anEvent('A')], 'noStream');
        const alsoTheirs = await open({ url: its });
        expect(await typesOf(alsoTheirs.readStream(stream))).toBe('A');
        expect(await typesOf(store.readStream(stream))).toBe('A');
      });

      it('recognises a stale append where the connection string asks for answers in place of errors', async () => {
        const lenient = await open({ url: `${url}&throwOnAppendFailure=false` });
        const stream = freshStream();
        const first = await lenient.append(stream, [anEvent('A')], 'noStream');
        expect(first.revision).toBe(0);
        await expect(lenient.append(stream, [anEvent('B')], 'noStream')).rejects.toMatchObject({
          code: 'wrong_expected_revision',
          actual: 0,
        });
      });

      it('rejects all of many large appends when the server goes away, and leaves no rejection behind', async () => {
        const { another, its } = await start();
        const theirs = await open({ url: its, retries: 0 });
        const text = 'x'.repeat(300_000);
        const appends = Array.from({ length: 100 }, () =>
          theirs.append(freshStream('cut'), [anEvent('Large', { text })], 'noStream'),
        );
        setTimeout(() => another.stop(), 5);
        // A rejection that nobody handles would fail the run.
        const results = await Promise.allSettled(appends);
        expect(results.some(({ status }) => status === 'rejected')).toBe(true);
      });

      it('is not disturbed by another client of the process that closes', async () => {
        const theirs = await open();
        await theirs.append(freshStream(), [anEvent('A')], 'noStream');
        const appends = Array.from({ length: 50 }, () =>
          store.append(freshStream(), [anEvent('A')], 'noStream'),
        );
        await theirs.close();
        expect((await Promise.all(appends)).map(({ revision }) => revision)).toEqual(Array(50).fill(0));
      });

      it('names the setting where an append or an event is too large, metadata included', async () => {
        server.maxAppendSize = 1_048_576;
        const append = (length: number) =>
          store.append(freshStream('large'), [anEvent('Large', { text: 'x'.repeat(length) })], 'noStream');
        await expect(append(1_100_000)).rejects.toThrow(/MaxAppendSize/);
        await expect(append(1_048_500)).rejects.toThrow(/MaxAppendSize/);
        server.maxAppendSize = 16_767_216;
        await expect(append(16_770_000)).rejects.toThrow(/MaxAppendSize/);
        server.refuseAppends(EVENT_TOO_LARGE);
        await expect(append(10)).rejects.toThrow(/MaxAppendSize/);
      });
    });

    describe('reads', () => {
      it('reads a stream on where the connection broke, in both directions', async () => {
        const stream = freshStream('long');
        await store.append(stream, counted(20), 'noStream');
        const numbers = async (options: Parameters<EventStore['readStream']>[1]) => {
          const all: number[] = [];
          for await (const { revision } of store.readStream(stream, options)) all.push(revision);
          return all;
        };
        const all = Array.from({ length: 20 }, (_, n) => n);
        for (const after of [0, 1, 19]) {
          server.breakNextRead(after);
          expect(await numbers({})).toEqual(all);
          server.breakNextRead(after);
          expect(await numbers({ direction: 'backwards' })).toEqual(all.toReversed());
        }
        server.breakNextRead(3);
        expect(await numbers({ fromRevision: 5, maxCount: 7 })).toEqual([5, 6, 7, 8, 9, 10, 11]);
      });

      it('gives up a read that a server has taken and does not answer', async () => {
        server.silenceReads(1);
        const connection = await connectToServer({ url, client });
        const read = connection.readStream(freshStream(), {
          isBackwards: false,
          from: undefined,
          maxCount: undefined,
        });
        const reading = (async () => {
          for await (const { event } of readAndCancel(read, 200)) expect.unreachable(`read ${event?.id}`);
        })();
        await expect(reading).rejects.toThrow(/went silent/);
      });

      it('says that it was closed in the middle of a read, and does not end it as if that were all', async () => {
        const theirs = await open();
        const stream = freshStream('cut');
        await store.append(
          stream,
          Array.from({ length: 50 }, () => anEvent('A', { text: 'x'.repeat(50_000) })),
          'any',
        );
        const reading = (async () => {
          let count = 0;
          for await (const _ of theirs.readStream(stream)) {
            count += 1;
            if (count === 1) await theirs.close();
          }
          return count;
        })();
        await expect(reading).rejects.toThrow(/closed/);
      });
    });

    it('gives ids that are no UUIDs one that stays the same', () => {
      const id = '01JD0000000000000000000000';
      expect(uuidOf(id)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(uuidOf(id)).toBe(uuidOf(id));
      expect(uuidOf(`${id}:1`)).not.toBe(uuidOf(id));
      const uuid = '0b0f1d3a-7f1c-4a53-9d0c-0a7f6f3a2b11';
      expect(uuidOf(uuid)).toBe(uuid);
    });
  });
}
