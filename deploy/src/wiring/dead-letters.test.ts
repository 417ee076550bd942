import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { countDeadLetters, listDeadLetters, replayDeadLetters } from './dead-letters.ts';

const { name: topic } = TOPICS.jobs;
let folder: string;
let database: ReturnType<typeof openSqliteDatabase>;
let bus: ReturnType<typeof openSqliteMessageBus>;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dead-letters-'));
  database = openSqliteDatabase(path.join(folder, 'bus.sqlite'));
  bus = openSqliteMessageBus(database, { firstRetryMs: 1, maxRetryMs: 1 });
});
afterEach(async () => {
  await bus.close();
  database.close();
  rmSync(folder, { recursive: true });
});

it('lists what died with its error, puts it back once, and counts what lies there', async () => {
  expect(await countDeadLetters(bus)).toEqual([]);
  await bus.ensureTopics(Object.values(TOPICS));
  let isBroken = true;
  const handled: { value: unknown; headers: unknown }[] = [];
  await bus.subscribe({ group: 'g', topics: [topic], maxDeliveries: 2 }, async ({ value, headers }) => {
    if (isBroken) throw new Error('cannot be handled');
    handled.push({ value, headers });
  });
  await bus.publish(topic, [
    { key: 'a', value: 1, headers: { 'message-id': 'm1' } },
    { key: 'b', value: 2 },
  ]);
  await vi.waitFor(async () => expect(await countDeadLetters(bus)).toEqual([{ topic, count: 2 }]), 30_000);
  const letters = await listDeadLetters(bus, 'reader-1');
  expect(letters.map(({ key }) => key).sort()).toEqual(['a', 'b']);
  expect(letters.find(({ key }) => key === 'a')).toMatchObject({
    topic,
    value: 1,
    error: 'cannot be handled',
    deliveries: '2',
    headers: { 'message-id': 'm1' },
  });
  isBroken = false;
  expect(await replayDeadLetters(bus, TOPICS.progress.name)).toBe(0);
  expect(await replayDeadLetters(bus)).toBe(2);
  await vi.waitFor(() => expect(handled).toHaveLength(2), 30_000);
  expect(handled).toContainEqual({ value: 1, headers: { 'message-id': 'm1' } });
  expect(await countDeadLetters(bus)).toEqual([]);
  expect(await replayDeadLetters(bus)).toBe(0);
  expect(await listDeadLetters(bus, 'reader-2')).toEqual([]);
  // What dies after that is listed alone: those before it were put back.
  isBroken = true;
  await bus.publish(topic, [{ key: 'c', value: 3 }]);
  await vi.waitFor(async () => expect(await countDeadLetters(bus)).toEqual([{ topic, count: 1 }]), 30_000);
  expect((await listDeadLetters(bus, 'reader-3')).map(({ key }) => key)).toEqual(['c']);
});
