import { setTimeout as wait } from 'node:timers/promises';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterEach, describe, expect, it } from 'vitest';
import { linksOf } from '../../../src/event-store/eventstoredb/event-mapping.ts';
import {
  type EventStoreDbOptions,
  openEventStoreDb,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { OrderedAppends } from '../../../src/event-store/eventstoredb/ordered-appends.ts';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';
import { anEvent, freshStream } from '../contract-events.ts';
import { ELECTING, NO_LEADER, NOT_READY, StandInServer, TOO_BUSY } from './stand-in-server.ts';

/** Copies of logs, with one client: both cannot be in one process. */
export function orderedAppendsSuite(client: EventStoreClientName): void {
  describe(`appends in order with the client ${client}`, () => {
    const toClose: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const close of toClose.splice(0)) await close();
    });
    const start = async () => {
      const another = new StandInServer({ client });
      toClose.push(() => another.stop());
      return { another, its: await another.start() };
    };
    const open = async (options: EventStoreDbOptions) => {
      const store = await openEventStoreDb({ client, ...options });
      toClose.unshift(() => store.close());
      return store;
    };
    const typesOf = async (events: AsyncIterable<{ type: string }>) => {
      const types: string[] = [];
      for await (const { type } of events) types.push(type);
      return types.join();
    };
    const streams = Array.from({ length: 40 }, () => freshStream('copied'));
    /** Of many streams, interleaved; every event with the revision that it is to have. */
    const lines = () => {
      const revisions = new Map<string, number>();
      return Array.from({ length: 600 }, (_, n) => {
        const stream = streams[(n * n) % streams.length] as string;
        const revision = revisions.get(stream) ?? 0;
        revisions.set(stream, revision + 1);
        return { stream, revision, event: anEvent('Copied', { n }) };
      });
    };
    const copyTo = (target: OrderedAppends, all: ReturnType<typeof lines>) =>
      all.map(({ stream, revision, event }) =>
        target.append(stream, [event], revision === 0 ? 'noStream' : revision - 1),
      );
    const numbers = async (its: EventStore) => {
      const seen: number[] = [];
      for await (const { data } of its.readAll(-1n)) seen.push((data as { n: number }).n);
      return seen;
    };

    it('are committed in the order of the calls, across streams, and not twice', async () => {
      const { its } = await start();
      const theirs = await open({ url: its });
      const all = lines();
      const ordered = theirs.orderedAppends();
      const first = await Promise.all(copyTo(ordered, all));
      expect(first.map(({ revision }) => revision)).toEqual(all.map(({ revision }) => revision));
      expect(await numbers(theirs)).toEqual(Array.from({ length: 600 }, (_, n) => n));
      // Each event follows in the chain of its stream, as if it had been appended alone.
      const links = new Map<string, string>();
      for await (const stored of theirs.readAll(-1n)) {
        const place = { revision: stored.revision, previous: links.get(stored.stream) ?? '' };
        const [link] = linksOf(stored.stream, [stored], place);
        expect(stored.streamLink).toBe(link);
        links.set(stored.stream, link as string);
      }
      expect(await Promise.all(copyTo(ordered, all))).toEqual(first);
      const another = theirs.orderedAppends();
      expect(await Promise.all(copyTo(another, all))).toEqual(first);
      expect((await numbers(theirs)).length).toBe(600);
      ordered.close();
      another.close();
    });

    it('are appended again where the server was not ready, and are all there, each in its place', async () => {
      const { another, its } = await start();
      const theirs = await open({ url: its });
      const all = lines();
      const appends = copyTo(theirs.orderedAppends(), all.slice(0, 300));
      another.refuseAppends(NOT_READY, TOO_BUSY, NO_LEADER);
      await Promise.all(appends);
      const ordered = theirs.orderedAppends();
      await Promise.all(copyTo(ordered, all.slice(300)));
      const seen = await numbers(theirs);
      expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, n) => n));
      for (const stream of streams) {
        const revisions: number[] = [];
        for await (const { revision } of theirs.readStream(stream)) revisions.push(revision);
        expect(revisions).toEqual(revisions.map((_, index) => index));
      }
    });

    it('keep their order where the server elects and freezes in between', async () => {
      const { another, its } = await start();
      const theirs = await open({ url: its });
      const all = lines();
      const ordered = theirs.orderedAppends();
      await Promise.all(copyTo(ordered, all.slice(0, 200)));
      // The call breaks with many under way, and nobody is let in for a while.
      another.refusesAll = ELECTING;
      const elected = Promise.all(copyTo(ordered, all.slice(200, 400)));
      await wait(300);
      another.refusesAll = null;
      await elected;
      another.freeze();
      const frozen = Promise.all(copyTo(ordered, all.slice(400)));
      await wait(300);
      another.thaw();
      await frozen;
      expect(await numbers(theirs)).toEqual(Array.from({ length: 600 }, (_, n) => n));
      ordered.close();
    });

    it('end with the first that does not fit, and all behind it', async () => {
      const { its } = await start();
      const theirs = await open({ url: its });
      const ordered = theirs.orderedAppends();
      await ordered.append('a', [anEvent('A')], 'noStream');
      const [conflict, behind] = await Promise.allSettled([
        ordered.append('a', [anEvent('B')], 'noStream'),
        ordered.append('a', [anEvent('C')], 1),
      ]);
      expect(conflict).toMatchObject({ reason: { code: 'wrong_expected_revision', actual: 0 } });
      expect(behind.status).toBe('rejected');
      await expect(ordered.append('b', [anEvent('D')], 'noStream')).rejects.toMatchObject({
        code: 'wrong_expected_revision',
      });
      expect(await typesOf(theirs.readAll(-1n))).toBe('A');
    });

    it('name the setting where one is too large', async () => {
      const { another, its } = await start();
      another.maxAppendSize = 1_048_576;
      const ordered = (await open({ url: its })).orderedAppends();
      const text = 'x'.repeat(1_100_000);
      await expect(ordered.append('a', [anEvent('Large', { text })], 'noStream')).rejects.toThrow(
        /MaxAppendSize/,
      );
    });

    it('take an append of several messages, and go to the leader', async () => {
      const { another: follower, its } = await start();
      const { its: leaders } = await start();
      follower.leaderPort = Number(new URL(leaders).port);
      const theirs = await open({ url: its });
      const stream = freshStream('led');
      const text = 'x'.repeat(1_500_000);
      const events = Array.from({ length: 5 }, () => anEvent('Large', { text }));
      const ordered = theirs.orderedAppends();
      expect(await ordered.append(stream, events, 'noStream')).toMatchObject({ revision: 4 });
      expect(await ordered.append(stream, [anEvent('Small')], 4)).toMatchObject({ revision: 5 });
      ordered.close();
    });

    it('are rejected when the server goes away, and leave no rejection behind', async () => {
      const { another, its } = await start();
      const ordered = (await open({ url: its, retries: 0 })).orderedAppends();
      const text = 'x'.repeat(300_000);
      const appends = Array.from({ length: 100 }, () =>
        ordered.append(freshStream('cut'), [anEvent('Large', { text })], 'noStream'),
      );
      setTimeout(() => another.stop(), 5);
      const results = await Promise.allSettled(appends);
      expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    });
  });
}
