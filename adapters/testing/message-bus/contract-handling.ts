import { setTimeout as wait } from 'node:timers/promises';
import type { BusMessage, BusSubscription, MessageBus } from '@quantloom/domain/ports/message-bus';
import { describe, expect, it } from 'vitest';
import { deadTopicOf } from '../../src/message-bus/dead-letter.ts';
import { type ContractSteps, eventually, fresh, n, numbers } from './contract-steps.ts';

/**
 * The part of the contract about handlers: order, retries, dead letters, concurrency, pauses, signs of life,
 * closing.
 */
export function describeHandling({
  bus,
  steps: { topicWith, subscribe, publishNumbers },
  sessionMs,
}: {
  bus: () => MessageBus;
  steps: ContractSteps;
  sessionMs: () => number;
}): void {
  describe('handling', () => {
    it('delivers a message again, with the others of its partition waiting, until it is handled', async () => {
      const topic = await topicWith(1);
      const got: string[] = [];
      await publishNumbers(topic, 0, 3);
      await subscribe({ topics: [topic] }, async (message) => {
        got.push(`${n(message)}:${message.deliveryAttempt}`);
        if (n(message) === 1 && message.deliveryAttempt < 3) throw new Error('not yet');
      });
      await eventually(() => expect(got).toEqual(['0:1', '1:1', '1:2', '1:3', '2:1']));
    });

    it('puts a message that no delivery could handle aside, with the reason, and goes on', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      const got: number[] = [];
      const headers = { 'message-id': 'm7' };
      await bus().publish(topic, [{ key: 'poison', value: { n: 0 }, headers }]);
      await publishNumbers(topic, 1, 3);
      await subscribe({ topics: [topic], group, maxDeliveries: 2 }, async (message) => {
        got.push(n(message));
        if (n(message) === 0) throw new Error('cannot be read');
      });
      await eventually(() => expect(got).toEqual([0, 0, 1, 2]));
      await eventually(async () => expect(await bus().lag(group, topic)).toBe(0));
      const dead: BusMessage[] = [];
      await subscribe({ topics: [deadTopicOf(topic)] }, (message) => void dead.push(message));
      await eventually(() => expect(dead.length).toBe(1));
      expect(dead[0]).toMatchObject({
        key: 'poison',
        value: { n: 0 },
        headers: { ...headers, 'dead-error': 'cannot be read', 'dead-topic': topic, 'dead-group': group },
      });
    });

    it('handles partitions side by side up to the limit, each one message after the other', async () => {
      const topic = await topicWith(6);
      await publishNumbers(topic, 0, 120);
      const inPartition = new Map<number, number>();
      let running = 0;
      let mostRunning = 0;
      let done = 0;
      await subscribe({ topics: [topic], concurrency: 3 }, async ({ partition }) => {
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        inPartition.set(partition, (inPartition.get(partition) ?? 0) + 1);
        expect(inPartition.get(partition)).toBe(1);
        await wait(2);
        inPartition.set(partition, 0);
        running -= 1;
        done += 1;
      });
      await eventually(() => expect(done).toBe(120));
      expect(mostRunning).toBeLessThanOrEqual(3);
      expect(mostRunning).toBeGreaterThan(1);
    });

    it('stops handing over while paused', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      const seen: number[] = [];
      const subscription = await subscribe(
        { topics: [topic], group },
        (message) => void seen.push(n(message)),
      );
      await publishNumbers(topic, 0, 1);
      await eventually(() => expect(seen).toEqual([0]));
      subscription.pause();
      await publishNumbers(topic, 1, 5);
      // A second group shows that the messages are there to be had.
      const other: number[] = [];
      await subscribe({ topics: [topic] }, (message) => void other.push(n(message)));
      await eventually(() => expect(other.length).toBe(5));
      await wait(200);
      expect(seen).toEqual([0]);
      subscription.resume();
      await eventually(() => expect(seen).toEqual(numbers(5)));
    });

    it('pauses from within a handler: what follows waits', async () => {
      const topic = await topicWith(1);
      const seen: number[] = [];
      await publishNumbers(topic, 0, 5);
      const subscription: BusSubscription = await subscribe({ topics: [topic] }, (message) => {
        seen.push(n(message));
        if (n(message) === 1) subscription.pause();
      });
      await eventually(() => expect(seen).toEqual([0, 1]));
      await wait(200);
      expect(seen).toEqual([0, 1]);
      subscription.resume();
      await eventually(() => expect(seen).toEqual(numbers(5)));
    });

    it('keeps a long job that shows signs of life, and gives the next one a turn after it', async () => {
      const topic = await topicWith(1);
      const seen: string[] = [];
      await publishNumbers(topic, 0, 2);
      await subscribe({ topics: [topic] }, async (message, context) => {
        if (n(message) === 0) {
          const end = Date.now() + 2.5 * sessionMs();
          while (Date.now() < end) {
            await wait(sessionMs() / 10);
            await context.heartbeat();
          }
          expect(context.signal.aborted).toBe(false);
        }
        seen.push(`${n(message)}:${message.deliveryAttempt}`);
      });
      await eventually(() => expect(seen).toEqual(['0:1', '1:1']));
    });

    it('does not count against a handler the time in which the whole process stood still', async () => {
      const topic = await topicWith(1);
      const seen: string[] = [];
      let hasStarted = false;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await publishNumbers(topic, 0, 1);
      await subscribe({ topics: [topic] }, async (message, { signal }) => {
        hasStarted = true;
        await released;
        seen.push(`${message.deliveryAttempt} ${signal.aborted ? 'given up' : 'kept'}`);
      });
      await eventually(() => expect(hasStarted).toBe(true));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2.5 * sessionMs());
      // Those who watch look first.
      await wait(sessionMs() / 10);
      release();
      await eventually(() => expect(seen).toEqual(['1 kept']));
    });

    it('takes a message away from a handler that shows no sign of life', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      let deliveries = 0;
      let isAborted = false;
      await publishNumbers(topic, 0, 1);
      await subscribe({ topics: [topic], group }, async (_, { signal }) => {
        deliveries += 1;
        if (deliveries > 1) return;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isAborted = true;
        await new Promise(() => {});
      });
      await eventually(async () => {
        expect(deliveries).toBe(2);
        expect(isAborted).toBe(true);
        expect(await bus().lag(group, topic)).toBe(0);
      });
    });

    it('aborts running handlers when it closes and delivers their messages to the next member', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      await publishNumbers(topic, 0, 1);
      let hasStarted = false;
      let hasEnded = false;
      const subscription = await subscribe({ topics: [topic], group }, async (_, { signal }) => {
        hasStarted = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await wait(30);
        hasEnded = true;
        throw signal.reason;
      });
      await eventually(() => expect(hasStarted).toBe(true));
      await subscription.close();
      expect(hasEnded).toBe(true);
      const seen: number[] = [];
      await subscribe({ topics: [topic], group }, (message) => void seen.push(n(message)));
      await eventually(() => expect(seen).toEqual([0]));
    });

    it('commits a message whose handler finished while the subscription closed', async () => {
      const topic = await topicWith(1);
      const group = fresh('group');
      await publishNumbers(topic, 0, 1);
      let hasStarted = false;
      const subscription = await subscribe({ topics: [topic], group }, async () => {
        hasStarted = true;
        await wait(50);
      });
      await eventually(() => expect(hasStarted).toBe(true));
      await subscription.close();
      await eventually(async () => expect(await bus().lag(group, topic)).toBe(0));
    });
  });
}
