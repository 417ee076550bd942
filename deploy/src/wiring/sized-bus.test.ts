import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { sizedBus } from './sized-bus.ts';

describe('sizedBus', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sized-bus-'));
  const database = openSqliteDatabase(path.join(folder, 'bus.sqlite'));
  const bus = openSqliteMessageBus(database);
  afterAll(async () => {
    await bus.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('makes job topics with the wanted number of partitions, others as they are, and never takes partitions away', async () => {
    const partitionsOf = async (topic: string) => {
      const seen = new Set<number>();
      let handled = 0;
      const group = `count.${topic}.${Math.random()}`;
      const subscription = await bus.subscribe(
        { group, topics: [topic], concurrency: 64 },
        async (message) => {
          seen.add(message.partition);
          handled += 1;
        },
      );
      await vi.waitFor(async () => expect(await bus.lag(group, topic)).toBe(0), 10_000);
      await subscription.close();
      expect(handled).toBeGreaterThan(0);
      return Math.max(...seen) + 1;
    };
    const fill = (topic: string) =>
      bus.publish(
        topic,
        Array.from({ length: 2_000 }, (_, index) => ({ key: `key ${index}`, value: index })),
      );
    await sizedBus(bus, 40).ensureTopics(Object.values(TOPICS));
    await sizedBus(bus, 3).ensureTopics(Object.values(TOPICS));
    for (const topic of [TOPICS.jobs.name, TOPICS.progress.name]) await fill(topic);
    expect(await partitionsOf(TOPICS.jobs.name)).toBe(40);
    expect(await partitionsOf(TOPICS.progress.name)).toBe(TOPICS.progress.partitions);
  });
});
