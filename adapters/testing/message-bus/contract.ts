import { setTimeout as wait } from 'node:timers/promises';
import type { BusMessage, MessageBus, MessageContext } from '@quantloom/domain/ports/message-bus';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeHandling } from './contract-handling.ts';
import { ContractSteps, eventually, fresh, n, numbers } from './contract-steps.ts';

export interface MessageBusHarness {
  readonly bus: MessageBus;
  /** A second client of the same bus, as another process would have. */
  openAnother(): Promise<MessageBus>;
  /** A handler that shows no sign of life for this long has its message delivered again, in ms. */
  readonly sessionMs: number;
  stop(): Promise<void>;
}

/** What every bus must do. Runs against a bus that others may be using. */
export function messageBusContract(name: string, start: () => Promise<MessageBusHarness>): void {
  describe(`message bus contract: ${name}`, { timeout: 60_000 }, () => {
    let harness: MessageBusHarness;
    let bus: MessageBus;
    const steps = new ContractSteps(() => bus);
    beforeAll(async () => {
      harness = await start();
      bus = harness.bus;
    }, 180_000);
    afterAll(() => harness?.stop());
    afterEach(() => steps.closeAll());
    const { topicWith, subscribe, publishNumbers } = steps;

    describe('topics and messages', () => {
      it('delivers key, value and headers as they were published', async () => {
        const topic = await topicWith(2);
        const value = { text: 'ÄÖ𝄞\n"', nested: [1, null, { a: 2.5 }], none: null };
        await bus.publish(topic, [
          { key: 'schlüssel', value, headers: { 'message-id': 'm1', version: '1' } },
          { key: 'schlüssel', value: 'just text' },
        ]);
        const got: BusMessage[] = [];
        await subscribe({ topics: [topic] }, (message) => void got.push(message));
        await eventually(() => expect(got.length).toBe(2));
        expect(got[0]).toMatchObject({
          topic,
          key: 'schlüssel',
          value,
          headers: { 'message-id': 'm1', version: '1' },
          deliveryAttempt: 1,
        });
        expect(got[1]).toMatchObject({ value: 'just text', headers: {}, partition: got[0]?.partition });
        expect(got[1]?.offset).toBe((got[0]?.offset ?? 0n) + 1n);
      });

      it('keeps messages of one key in order and spreads keys over the partitions', async () => {
        const topic = await topicWith(4);
        for (let from = 0; from < 300; from += 50)
          await publishNumbers(topic, from, from + 50, (i) => `k${i % 10}`);
        const got: BusMessage[] = [];
        await subscribe({ topics: [topic], concurrency: 4 }, (message) => void got.push(message));
        await eventually(() => expect(got.length).toBe(300));
        for (const key of new Set(got.map((message) => message.key))) {
          const ofKey = got.filter((message) => message.key === key);
          expect(ofKey.map(n)).toEqual(ofKey.map(n).toSorted((a, b) => a - b));
          expect(new Set(ofKey.map((message) => message.partition)).size).toBe(1);
        }
        expect(new Set(got.map((message) => message.partition)).size).toBeGreaterThan(1);
      });

      it('refuses to publish to or read from a topic that does not exist', async () => {
        const missing = fresh('missing');
        await expect(bus.publish(missing, [{ key: 'a', value: 1 }])).rejects.toThrow(missing);
        await expect(subscribe({ topics: [missing] }, () => {})).rejects.toThrow(missing);
        await expect(bus.lag('any', missing)).rejects.toThrow(missing);
      });

      it('publishes all messages of a call or none', async () => {
        const topic = await topicWith(1);
        const circular: Record<string, unknown> = {};
        circular.self = circular;
        await expect(
          bus.publish(topic, [
            { key: 'a', value: 1 },
            { key: 'a', value: circular },
          ]),
        ).rejects.toThrow();
        await publishNumbers(topic, 0, 1);
        const got: BusMessage[] = [];
        await subscribe({ topics: [topic] }, (message) => void got.push(message));
        await eventually(() => expect(got.map(n)).toEqual([0]));
      });

      it('adds partitions to an existing topic and never removes any', async () => {
        const topic = await topicWith(1);
        await bus.ensureTopics([{ name: topic, partitions: 6 }]);
        await bus.ensureTopics([{ name: topic, partitions: 2 }]);
        await publishNumbers(topic, 0, 100);
        const partitions = new Set<number>();
        let count = 0;
        await subscribe({ topics: [topic] }, (message) => {
          partitions.add(message.partition);
          count += 1;
        });
        await eventually(() => expect(count).toBe(100));
        expect(Math.max(...partitions)).toBeGreaterThan(1);
      });

      it('reads several topics in one subscription', async () => {
        const topics = [await topicWith(1), await topicWith(2)];
        const got = new Set<string>();
        await subscribe({ topics }, (message) => void got.add(message.topic));
        for (const topic of topics) await publishNumbers(topic, 0, 2);
        await eventually(() => expect([...got].toSorted()).toEqual(topics.toSorted()));
      });
    });

    describe('groups and offsets', () => {
      it('begins at the first message, or after the last one, where a group never committed', async () => {
        const topic = await topicWith(2);
        await publishNumbers(topic, 0, 5);
        const [early, late]: [number[], number[]] = [[], []];
        await subscribe({ topics: [topic], from: 'latest' }, (message) => void late.push(n(message)));
        await subscribe({ topics: [topic] }, (message) => void early.push(n(message)));
        await eventually(() => expect(early.length).toBe(5));
        await publishNumbers(topic, 5, 8);
        await eventually(() => {
          expect(early.toSorted()).toEqual(numbers(8));
          expect(late.toSorted()).toEqual([5, 6, 7]);
        });
      });

      it('gives every group all messages, and goes on where the group stopped', async () => {
        const topic = await topicWith(2);
        const group = fresh('group');
        const [first, second, other]: [number[], number[], number[]] = [[], [], []];
        await subscribe({ topics: [topic] }, (message) => void other.push(n(message)));
        const subscription = await subscribe(
          { topics: [topic], group },
          (message) => void first.push(n(message)),
        );
        await publishNumbers(topic, 0, 10);
        await eventually(() => expect(first.length).toBe(10));
        await subscription.close();
        await publishNumbers(topic, 10, 15);
        // From `latest` only matters to a group that never committed.
        await subscribe(
          { topics: [topic], group, from: 'latest' },
          (message) => void second.push(n(message)),
        );
        await eventually(() => expect(second.toSorted()).toEqual([10, 11, 12, 13, 14]));
        await eventually(() => expect(other.length).toBe(15));
        expect(first.length).toBe(10);
      });

      it('counts the messages a group has not committed', async () => {
        const topic = await topicWith(3);
        const group = fresh('group');
        await publishNumbers(topic, 0, 20);
        expect(await bus.lag(group, topic)).toBe(20);
        const subscription = await subscribe({ topics: [topic], group }, () => {});
        await eventually(async () => expect(await bus.lag(group, topic)).toBe(0));
        await subscription.close();
        await publishNumbers(topic, 0, 7);
        expect(await bus.lag(group, topic)).toBe(7);
      });

      it('shares partitions among members of all processes and hands them over when one leaves', async () => {
        const topic = await topicWith(6);
        const group = fresh('group');
        const another = await harness.openAnother();
        const [mine, theirs]: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
        const count = (seen: Map<number, number>) => (message: BusMessage) =>
          void seen.set(n(message), (seen.get(n(message)) ?? 0) + 1);
        await subscribe({ topics: [topic], group, concurrency: 3 }, count(mine));
        const second = await subscribe({ topics: [topic], group, concurrency: 3 }, count(theirs), another);
        let published = 0;
        await eventually(async () => {
          await publishNumbers(topic, published, published + 12);
          published += 12;
          expect(mine.size).toBeGreaterThan(0);
          expect(theirs.size).toBeGreaterThan(0);
        });
        await eventually(() => expect(new Set([...mine.keys(), ...theirs.keys()]).size).toBe(published));
        await second.close();
        const before = mine.size;
        await publishNumbers(topic, published, published + 60);
        await eventually(() => expect(mine.size).toBeGreaterThanOrEqual(before + 60));
        await another.close();
      });

      it('aborts only the jobs whose partitions move when a member joins; the others go on', async () => {
        const topic = await topicWith(4);
        const group = fresh('group');
        const another = await harness.openAnother();
        const log: string[] = [];
        const work =
          (who: string) =>
          async (message: BusMessage, { signal, heartbeat }: MessageContext) => {
            log.push(`${who} starts ${message.partition}`);
            while (!signal.aborted && !isFinished) {
              await wait(20);
              await heartbeat();
            }
            log.push(`${who} ${signal.aborted ? 'aborts' : 'ends'} ${message.partition}`);
            signal.throwIfAborted();
          };
        let isFinished = false;
        // Keys enough to have a message in every partition.
        await publishNumbers(topic, 0, 32);
        const count = (entry: RegExp) => log.filter((line) => entry.test(line)).length;
        await subscribe({ topics: [topic], group, concurrency: 4 }, work('first'));
        await eventually(() => expect(count(/^first starts/)).toBe(4));
        await subscribe({ topics: [topic], group, concurrency: 4 }, work('second'), another);
        await eventually(() => expect(count(/^second starts/)).toBe(2));
        expect(count(/^first aborts/)).toBe(2);
        const partitionsOf = (start: string) =>
          log.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length + 1));
        expect(partitionsOf('second starts').toSorted()).toEqual(partitionsOf('first aborts').toSorted());
        // Those that stayed were neither aborted nor begun again.
        expect(partitionsOf('first starts').length).toBe(4);
        isFinished = true;
        await eventually(async () => expect(await bus.lag(group, topic)).toBe(0));
        expect(count(/ ends/)).toBe(32);
        await another.close();
      });

      it('leaves a member idle where there are fewer partitions than members', async () => {
        const topic = await topicWith(1);
        const group = fresh('group');
        const seen: number[] = [];
        for (let i = 0; i < 3; i++) {
          await subscribe({ topics: [topic], group }, (message) => void seen.push(n(message)));
        }
        await publishNumbers(topic, 0, 20, () => 'k');
        await eventually(async () => expect(await bus.lag(group, topic)).toBe(0));
        expect([...new Set(seen)]).toEqual(numbers(20));
        // With nothing to do it is a member all the same.
        await eventually(() => expect(bus.outside()).toEqual([]));
      });
    });

    describeHandling({ bus: () => bus, steps, sessionMs: () => harness.sessionMs });

    it('closes its subscriptions and refuses further work once it is closed', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      const another = await harness.openAnother();
      let seen = 0;
      await another.subscribe({ topics: [topic], group }, async () => {
        seen += 1;
      });
      await publishNumbers(topic, 0, 1);
      await eventually(() => expect(seen).toBe(1));
      await another.close();
      await another.close();
      await publishNumbers(topic, 1, 2);
      await expect(another.publish(topic, [{ key: 'a', value: 1 }])).rejects.toThrow(/closed/);
      expect(seen).toBe(1);
      expect(await bus.lag(group, topic)).toBe(1);
    });
  });
}
