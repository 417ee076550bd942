import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { deadLettersCommand } from './dead-letters.ts';

const { name: topic } = TOPICS.jobs;
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'dead-letters-command-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

async function withBus<T>(work: (bus: ReturnType<typeof openSqliteMessageBus>) => Promise<T>): Promise<T> {
  const database = openSqliteDatabase(path.join(dataDir, 'quantloom.sqlite'));
  const bus = openSqliteMessageBus(database, { firstRetryMs: 1, maxRetryMs: 1 });
  try {
    return await work(bus);
  } finally {
    await bus.close();
    database.close();
  }
}

const deadLetters = (...args: string[]) => runCommand(deadLettersCommand(), dataDir, ...args);

it('lists what died and puts it back, of one topic alone where one is named', async () => {
  await expect(deadLetters('list')).rejects.toMatchObject({ status: 404 });
  await withBus(async (bus) => {
    await bus.ensureTopics(Object.values(TOPICS));
    await bus.subscribe({ group: 'g', topics: [topic], maxDeliveries: 2 }, async () => {
      throw new Error('cannot be handled');
    });
    await bus.publish(topic, [{ key: 'a', value: 1 }]);
    await vi.waitFor(async () => expect(await bus.lag('g', topic)).toBe(0), 30_000);
  });
  const line = `${topic}  a  after 2 deliveries: cannot be handled`;
  expect(await deadLetters('list')).toBe(line);
  // Listing takes nothing away, however often.
  expect(await deadLetters('list')).toBe(line);
  expect(JSON.parse(await deadLetters('list', '--json'))).toMatchObject([{ topic, key: 'a', value: 1 }]);
  await expect(deadLetters('replay', '--topic', 'none')).rejects.toMatchObject({ status: 404 });
  expect(await deadLetters('replay', '--topic', TOPICS.progress.name)).toBe(
    '0 messages are back in their topics',
  );
  expect(await withBus((bus) => bus.lag('g', topic))).toBe(0);
  expect(await deadLetters('replay', '--topic', topic)).toBe('1 message is back in its topic');
  expect(await withBus((bus) => bus.lag('g', topic))).toBe(1);
  expect(await deadLetters('list')).toBe('There are no dead letters');
});
