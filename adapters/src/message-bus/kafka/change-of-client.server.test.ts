import { setTimeout as wait } from 'node:timers/promises';
import type { BusMessage, MessageBus, MessageContext } from '@quantloom/domain/ports/message-bus';
import { describe, expect, it } from 'vitest';
import { KAFKA } from '../../../testing/containers.ts';
import { eventually, fresh, n, numbers } from '../../../testing/message-bus/contract-steps.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { type KafkaClientName, loadKafkaClient } from './kafka-client.ts';

await onRealServer(KAFKA, (connect) => {
  const opened: MessageBus[] = [];
  const open = async (name: KafkaClientName) => {
    const { openMessageBus } = await loadKafkaClient(name);
    const bus = await openMessageBus({ brokers: await connect(), sessionTimeoutMs: 45_000 });
    opened.push(bus);
    return bus;
  };
  const closeAll = async () => {
    await Promise.all(opened.splice(0).map((bus) => bus.close()));
  };

  describe('a cluster that changes its Kafka client, process by process', { timeout: 60_000 }, () => {
    it.each([
      ['kafkajs', 'platformatic'],
      ['platformatic', 'kafkajs'],
    ] as const)('goes on where %s left off with %s, and shares a group meanwhile', async (before, after) => {
      const [old, young] = [await open(before), await open(after)];
      const [topic, group] = [fresh('topic'), fresh('group')];
      await old.ensureTopics([{ name: topic, partitions: 4 }]);
      await young.ensureTopics([{ name: topic, partitions: 4 }]);
      const log: string[] = [];
      const seen = new Map<number, number>();
      let isHeld = true;
      const work = (who: string) => async (message: BusMessage, context: MessageContext) => {
        log.push(`${who} starts ${message.partition}`);
        while (isHeld && !context.signal.aborted) {
          await wait(20);
          await context.heartbeat();
        }
        context.signal.throwIfAborted();
        seen.set(n(message), (seen.get(n(message)) ?? 0) + 1);
      };
      const publish = (bus: MessageBus, from: number, to: number) =>
        bus.publish(
          topic,
          numbers(to - from).map((i) => ({ key: `k${from + i}`, value: { n: from + i } })),
        );
      const starts = (who: string) => log.filter((line) => line.startsWith(`${who} starts`));

      await publish(old, 0, 32);
      const first = await old.subscribe({ group, topics: [topic], concurrency: 4 }, work('old'));
      await eventually(() => expect(starts('old').length).toBe(4));
      const second = await young.subscribe({ group, topics: [topic], concurrency: 4 }, work('young'));
      // Half of the partitions move; the jobs of the others are neither aborted nor begun again.
      await eventually(() => expect(starts('young').length).toBe(2));
      expect(starts('old').length).toBe(4);
      isHeld = false;
      await eventually(async () => expect(await young.lag(group, topic)).toBe(0));
      expect(await old.lag(group, topic)).toBe(0);

      await first.close();
      await publish(young, 32, 64);
      await publish(old, 64, 96);
      await eventually(async () => expect(await young.lag(group, topic)).toBe(0));
      expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual(numbers(96));
      expect([...seen.values()].every((times) => times === 1)).toBe(true);
      await second.close();
      await closeAll();
    });

    it('puts a key into the same partition', async () => {
      const topic = fresh('topic');
      const group = fresh('group');
      const [one, other] = [await open('kafkajs'), await open('platformatic')];
      await one.ensureTopics([{ name: topic, partitions: 7 }]);
      const keys = numbers(40).map((i) => `schlüssel ${i}`);
      for (const bus of [one, other])
        await bus.publish(
          topic,
          keys.map((key) => ({ key, value: null })),
        );
      const partitions = new Map(keys.map((key) => [key, new Set<number>()]));
      let count = 0;
      const subscription = await other.subscribe({ group, topics: [topic] }, async (message) => {
        count += 1;
        partitions.get(message.key)?.add(message.partition);
      });
      await eventually(() => expect(count).toBe(80));
      expect([...partitions.values()].map(({ size }) => size)).toEqual(keys.map(() => 1));
      await subscription.close();
      await closeAll();
    });
  });
});
