import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  batchOf,
  createBatch,
  fakeRunner,
  openStores,
  type Stores,
  startStack,
  until,
  untilStatus,
} from '../../testing/batch-stack.ts';

let stores: Stores;
let stop: (() => Promise<void>)[] = [];

beforeEach(async () => {
  stores = await openStores();
  stop = [];
});
afterEach(async () => {
  for (const end of stop) await end();
  await stores.close();
  stores.remove();
});

async function start(...args: Parameters<typeof startStack> extends [unknown, ...infer Rest] ? Rest : never) {
  const stack = await startStack(stores, ...args);
  stop.unshift(stack.stop);
  return stack;
}

/** Partitions that are not waiting any more. */
async function begun(batchId: string): Promise<number> {
  const { state } = await loadState(stores.eventStore, BATCH_STREAM, batchId);
  if (!('partitions' in state)) throw new Error(`There is no batch ${batchId}`);
  return state.partitions.filter(({ status }) => status !== 'waiting').length;
}

describe('sharing the nodes', () => {
  it('lets a small batch finish while a large one is still running, and does not flood the bus', async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const runner = fakeRunner({
      before: async ({ batchId }) => {
        if (batchId.startsWith('large')) await gate;
      },
    });
    await start(runner, { process: { partitionsPerUser: 3, partitionsPerSlot: 1 }, compute: { slots: 3 } });
    await createBatch(stores, batchOf('large-1', { a: 50, b: 20, partitions: 50 }));
    await createBatch(
      stores,
      batchOf('small-1', { a: 5, b: 5, partitions: 1, isQuick: true, userId: 'user-2' }),
    );
    await untilStatus(stores, 'small-1', 'Finished');
    const { state } = await loadState(stores.eventStore, BATCH_STREAM, 'large-1');
    if (!('partitions' in state)) throw new Error('the large batch is gone');
    expect(state.partitions.filter(({ status }) => status !== 'waiting')).toHaveLength(3);
    expect(await stores.bus.lag('compute.jobs.v1', TOPICS.jobs.name)).toBeLessThanOrEqual(3);
    open();
    await untilStatus(stores, 'large-1', 'Finished');
  });

  it('gives all places to one who is alone, and to a newcomer one at once', async () => {
    const gate = Promise.withResolvers<void>();
    const runner = fakeRunner({
      before: async ({ batchId }) => {
        if (batchId === 'large-1') await gate.promise;
      },
    });
    const { processes } = await start(runner, {
      process: { partitionsPerUser: 2, partitionsPerSlot: 4 },
      compute: { slots: 3 },
    });
    await createBatch(stores, batchOf('large-1', { a: 50, b: 20, partitions: 50 }));
    await until(async () => (await begun('large-1')) === 12);
    await createBatch(stores, batchOf('large-2', { a: 5, b: 4, partitions: 5, userId: 'user-2' }));
    await until(async () => (await begun('large-2')) >= 1);
    const [large] = processes.backlog() ?? [];
    // Each batch of these is estimated at a second.
    expect(large?.partitions).toBeGreaterThanOrEqual(50);
    expect(large?.seconds).toBeGreaterThanOrEqual(1);
    gate.resolve();
    await untilStatus(stores, 'large-1', 'Finished');
    await untilStatus(stores, 'large-2', 'Finished');
    await until(async () => processes.backlog()?.every(({ partitions }) => partitions === 0));
  });

  it('goes on with a queue that another process has left, to the last batch of it', async () => {
    const gate = Promise.withResolvers<void>();
    const first = await start(
      fakeRunner({
        before: async (_work, _range, signal) => {
          signal.addEventListener('abort', () => gate.resolve());
          await gate.promise;
        },
      }),
      { process: { partitionsPerSlot: 1 }, compute: { slots: 1 } },
    );
    const ids = Array.from({ length: 12 }, () => ulid());
    for (const [i, id] of ids.entries())
      await createBatch(stores, batchOf(id, { a: 4, b: 2, partitions: 2, userId: `user-${i % 3}` }));
    await until(async () => first.processes.position() >= (await stores.eventStore.head()));
    await first.stop();
    stop.shift();
    const runner = fakeRunner();
    await start(runner, { node: 'node-2' });
    for (const id of ids) await untilStatus(stores, id, 'Finished');
    for (const id of ids) expect(await stores.results.countRows(id)).toBe(8);
  });
});

describe('summing up', () => {
  it('ends the same where every message comes twice, to several nodes', async () => {
    const { bus } = stores;
    const sent: string[] = [];
    const twice: MessageBus = {
      ensureTopics: (topics) => bus.ensureTopics(topics),
      publish: (topic, messages) => {
        if (topic === TOPICS.quickCompile.name) sent.push(...messages.map(({ key }) => key));
        return bus.publish(topic, [...messages, ...messages]);
      },
      subscribe: (options, handler) => bus.subscribe(options, handler),
      lag: (group, topic) => bus.lag(group, topic),
      outside: () => bus.outside(),
      close: () => bus.close(),
    };
    const id = ulid();
    const stacks = [
      await startStack({ ...stores, bus: twice }, fakeRunner()),
      await startStack({ ...stores, bus: twice }, fakeRunner(), { node: 'node-2' }),
    ];
    try {
      await createBatch(stores, batchOf(id, { a: 10, b: 10, partitions: 3 }));
      await untilStatus(stores, id, 'Finished');
      await until(async () => (await bus.lag('compute.quick-compile.v1', TOPICS.quickCompile.name)) === 0);
    } finally {
      for (const stack of stacks) await stack.stop();
    }
    expect(sent).toContain(id);
    const types: string[] = [];
    for await (const { type } of stores.eventStore.readStream(`batch-${id}`)) types.push(type);
    expect(types.filter((type) => type === 'BatchBacktestFinished')).toHaveLength(1);
    expect(types.at(-1)).toBe('BatchBacktestFinished');
  });
});
