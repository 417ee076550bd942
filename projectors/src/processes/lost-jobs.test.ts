import { BATCH_CONTEXT_PROJECTIONS } from '@quantloom/domain/batch/context';
import { BATCH_PROGRESS_COLLECTION, type BatchProgressDocument } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Outage } from '@quantloom/domain/ports/outages';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  appendBatchEvents,
  batchOf,
  commandOf,
  createBatch,
  openStores,
  type Stores,
  until,
} from '../../testing/batch-stack.ts';
import { createProjectors } from '../projectors.ts';
import { startBatchProcesses } from './start-batch-processes.ts';

let stores: Stores;
/** By how much the clock is ahead, in ms. */
let silence: number;
const clock = { now: () => new Date(Date.now() + silence) };
/** Topic → what was put onto it. */
let published: Map<string, unknown[]>;
/** How often it was looked for lost jobs: before each look it is asked what is away. */
let looks: number;
let away: Outage[];
let stop: () => Promise<void>;

// Without a compute node.
beforeEach(async () => {
  stores = await openStores();
  [silence, published, looks, away] = [0, new Map(), 0, []];
  const { bus: real } = stores;
  const bus: MessageBus = {
    ensureTopics: (topics) => real.ensureTopics(topics),
    publish: async (topic, messages) => {
      published.set(topic, [...(published.get(topic) ?? []), ...messages.map(({ value }) => value)]);
      await real.publish(topic, messages);
    },
    subscribe: (options, handler) => real.subscribe(options, handler),
    lag: (group, topic) => real.lag(group, topic),
    outside: () => real.outside(),
    close: () => real.close(),
  };
  const projectors = createProjectors({
    ...stores,
    projections: BATCH_CONTEXT_PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  await projectors.start();
  const outages = {
    current: () => {
      looks += 1;
      return away;
    },
    untilBack: async () => {},
  };
  const options = { sweepSeconds: 0.01, lostJobSeconds: 300 };
  const all = { ...stores, bus, clock, ids: ulid, log: NO_LOG, outages, options };
  const processes = await startBatchProcesses(all);
  stop = async () => {
    await processes.close();
    await projectors.stop();
  };
});
afterEach(async () => {
  await stop();
  await stores.close();
  stores.remove();
});

const on = ({ name }: { readonly name: string }) => published.get(name) ?? [];
const someLooks = async () => {
  const before = looks;
  await until(async () => looks > before + 5);
};

const happened = (batchId: string, type: string, data: object) =>
  appendBatchEvents(stores, batchId, [{ type, data: { batchId, ...data } }]);

it('jobs that nobody works on go onto the bus again once in so long, not with every look', async () => {
  const batchId = ulid();
  await createBatch(stores, batchOf(batchId, { a: 10, b: 10, partitions: 1 }));
  await until(async () => on(TOPICS.jobs).length === 1);
  await someLooks();
  expect(on(TOPICS.jobs)).toHaveLength(1);
  for (const times of [2, 3]) {
    // That its owner writes something beside it is no sign that anybody works on it.
    const command = { type: 'ChangeBatchNote', userId: 'user-1', text: `note ${times}` } as const;
    const now = new Date(clock.now().getTime() + 301_000).toISOString();
    await handleCommand(stores.eventStore, BATCH_STREAM, batchId, command, { ...commandOf(), now });
    silence += 301_000;
    await until(async () => on(TOPICS.jobs).length === times);
    await someLooks();
    expect(on(TOPICS.jobs)).toHaveLength(times);
  }
});

it('jobs that were begun, and such that had failed before, go where and as they were', async () => {
  const batchId = ulid();
  await createBatch(stores, batchOf(batchId, { a: 10, b: 10, partitions: 2, isQuick: true }));
  await until(async () => on(TOPICS.quickJobs).length === 2);
  const node = 'node-0';
  await happened(batchId, 'PartitionStarted', { partition: 0, attempt: 1, node });
  await happened(batchId, 'PartitionStarted', { partition: 1, attempt: 1, node });
  const fault = { message: 'the engine stumbled', stack: [] };
  await happened(batchId, 'PartitionFailed', { partition: 1, attempt: 1, node, fault, isFinal: false });
  await until(async () => on(TOPICS.quickJobs).length === 3);
  silence += 301_000;
  await until(async () => on(TOPICS.quickJobs).length >= 5);
  expect(on(TOPICS.quickJobs).slice(3)).toEqual([
    { batchId, partition: 0, round: 1 },
    { batchId, partition: 1, round: 2 },
  ]);
  expect(on(TOPICS.jobs)).toEqual([]);
});

it('jobs are not lost while their progress is told, nor known to be while a server is away', async () => {
  const batchId = ulid();
  await createBatch(stores, batchOf(batchId, { a: 10, b: 10, partitions: 1 }));
  await until(async () => on(TOPICS.jobs).length === 1);
  const at = new Date(Date.now() + 301_000).toISOString();
  const progress: BatchProgressDocument = { id: batchId, at, running: {}, _revision: 0, _position: '0' };
  await stores.readModels.put(BATCH_PROGRESS_COLLECTION.name, progress);
  silence += 301_000;
  await someLooks();
  expect(on(TOPICS.jobs)).toHaveLength(1);
  away = [{ dependency: 'bus', since: clock.now(), reason: 'It does not answer' }];
  silence += 301_000;
  await someLooks();
  expect(on(TOPICS.jobs)).toHaveLength(1);
  away = [];
  await until(async () => on(TOPICS.jobs).length === 2);
});

it('sums that nobody has made are asked for again once in so long', async () => {
  const batchId = ulid();
  await createBatch(stores, batchOf(batchId, { a: 10, b: 10, partitions: 1 }));
  await until(async () => on(TOPICS.jobs).length === 1);
  const done = { partition: 0, attempt: 1, node: 'node-0', seconds: 1 };
  await happened(batchId, 'PartitionFinished', done);
  await until(async () => on(TOPICS.quickCompile).length === 1);
  await someLooks();
  expect(on(TOPICS.quickCompile)).toHaveLength(1);
  silence += 301_000;
  await until(async () => on(TOPICS.quickCompile).length >= 2);
  await someLooks();
  expect(on(TOPICS.quickCompile)).toHaveLength(2);
});
