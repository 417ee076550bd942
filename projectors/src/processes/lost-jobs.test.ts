import { BATCH_CONTEXT_PROJECTIONS } from '@quantloom/domain/batch/context';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { ulid } from 'ulid';
import { expect, it } from 'vitest';
import { batchOf, commandOf, createBatch, openStores, until } from '../../testing/batch-stack.ts';
import { createProjectors } from '../projectors.ts';
import { startBatchProcesses } from './start-batch-processes.ts';

it('jobs that nobody works on go onto the bus again once in so long, not with every look', async () => {
  const stores = await openStores();
  let silence = 0;
  const clock = { now: () => new Date(Date.now() + silence) };
  let [published, looks] = [0, 0];
  const { bus: real } = stores;
  const bus: MessageBus = {
    ensureTopics: (topics) => real.ensureTopics(topics),
    publish: async (topic, messages) => {
      if (topic === TOPICS.jobs.name) published += messages.length;
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
  // Without a compute node. Before each look it is asked what is away.
  const outages = {
    current: () => {
      looks += 1;
      return [];
    },
    untilBack: async () => {},
  };
  const options = { sweepSeconds: 0.01, lostJobSeconds: 300 };
  const processes = await startBatchProcesses({
    ...stores,
    bus,
    clock,
    ids: ulid,
    log: NO_LOG,
    outages,
    options,
  });
  const someLooks = async () => {
    const before = looks;
    await until(async () => looks > before + 5);
  };
  const batchId = ulid();
  await createBatch(stores, batchOf(batchId, { a: 10, b: 10, partitions: 1 }));
  await until(async () => published === 1);
  await someLooks();
  expect(published).toBe(1);
  for (const times of [2, 3]) {
    // That its owner writes something beside it is no sign that anybody works on it.
    const command = { type: 'ChangeBatchNote', userId: 'user-1', text: `note ${times}` } as const;
    const now = new Date(clock.now().getTime() + 301_000).toISOString();
    await handleCommand(stores.eventStore, BATCH_STREAM, batchId, command, { ...commandOf(), now });
    silence += 301_000;
    await until(async () => published === times);
    await someLooks();
    expect(published).toBe(times);
  }
  await processes.close();
  await projectors.stop();
  await stores.close();
  stores.remove();
});
