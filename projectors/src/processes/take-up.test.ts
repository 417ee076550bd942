import {
  type BacktestErrorDocument,
  backtestErrorsProjection,
} from '@quantloom/domain/backtest-error/projections';
import type { BatchEvent } from '@quantloom/domain/batch/events';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendBatchEvents,
  batchOf,
  clock,
  commandOf,
  createBatch,
  fakeBlock,
  fakeRunner,
  fakeSharpe,
  mustWork,
  openStores,
  type Stores,
  startStack,
  until,
  untilStatus,
} from '../../testing/batch-stack.ts';
import { startBatchProcesses } from './start-batch-processes.ts';

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

async function start(options: Parameters<typeof startStack>[2] = {}) {
  const stack = await startStack(stores, fakeRunner(), options);
  stop.unshift(stack.stop);
  return stack;
}

const happened = (batchId: string, ...events: readonly BatchEvent[]) =>
  appendBatchEvents(stores, batchId, events);

async function deleteBatch(batchId: string): Promise<void> {
  const command = { type: 'DeleteBatchBacktest', userId: 'user-1' } as const;
  await mustWork(handleCommand(stores.eventStore, BATCH_STREAM, batchId, command, commandOf()));
}

const used = async () =>
  (await loadState(stores.eventStore, USAGE_STREAM, usageId('user-1', '2026-11'))).state.used;

const run = (batchId: string, partition: number) => ({ batchId, partition, attempt: 1, node: 'node-0' });
const fault = { message: 'the engine stumbled', stack: [] };

describe('a log without a checkpoint', () => {
  const shape = { a: 10, b: 10, partitions: 2 };
  const queued = (batchId: string): BatchEvent => ({
    type: 'PartitionsQueued',
    data: { batchId, partitions: [0, 1] },
  });
  const started = (batchId: string, partition: number): BatchEvent => ({
    type: 'PartitionStarted',
    data: run(batchId, partition),
  });
  const pasts: readonly (readonly [string, (batchId: string) => readonly BatchEvent[]])[] = [
    ['was just created', () => []],
    ['was put onto a bus that is gone', (id) => [queued(id)]],
    ['was being worked on by nodes that are gone', (id) => [queued(id), started(id, 0), started(id, 1)]],
    [
      'had a partition that failed and waits',
      (id) => [
        queued(id),
        started(id, 0),
        { type: 'PartitionFailed', data: { ...run(id, 0), fault, isFinal: false } },
      ],
    ],
  ];
  it.each(pasts)('has a batch carried on that %s', async (_, past) => {
    const id = ulid();
    await createBatch(stores, batchOf(id, shape));
    const events = past(id);
    if (events.length > 0) await happened(id, ...events);
    await start({ process: { lostJobSeconds: 0.2 } });
    await untilStatus(stores, id, 'Finished');
    expect(await stores.results.countRows(id)).toBe(100);
  });

  it('has a batch compiled whose rows were all there', async () => {
    const first = await start();
    const id = ulid();
    const source = batchOf(ulid(), shape);
    await createBatch(stores, source);
    await untilStatus(stores, source.batchId, 'Finished');
    await first.stop();
    stop.shift();
    await createBatch(stores, batchOf(id, { ...shape, reuse: [{ batchId: source.batchId, count: 100 }] }));
    await stores.results.createBatch(id, source.variables);
    const all = Int32Array.from({ length: 100 }, (_, k) => k);
    await stores.results.copyRows(id, source.batchId, all, all);
    const finished = [0, 1].map((partition): BatchEvent => {
      return { type: 'PartitionFinished', data: { ...run(id, partition), seconds: 1 } };
    });
    await happened(id, queued(id), started(id, 0), started(id, 1), ...finished);
    await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
    await start();
    await untilStatus(stores, id, 'Finished');
    const compiling = ulid();
    await stop.shift()?.();
    await createBatch(
      stores,
      batchOf(compiling, { ...shape, reuse: [{ batchId: source.batchId, count: 100 }] }),
    );
    await stores.results.createBatch(compiling, source.variables);
    await stores.results.copyRows(compiling, source.batchId, all, all);
    const done = [0, 1].map((partition): BatchEvent => {
      return { type: 'PartitionFinished', data: { ...run(compiling, partition), seconds: 1 } };
    });
    await happened(compiling, ...done, { type: 'BatchCompilingStarted', data: { batchId: compiling } });
    await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
    await start();
    await untilStatus(stores, compiling, 'Finished');
  });

  it('has a batch failed whose last try of a partition had failed, with the record for administrators', async () => {
    const id = ulid();
    await createBatch(stores, batchOf(id, shape));
    const final = { ...run(id, 1), fault, isFinal: true };
    await happened(id, queued(id), started(id, 1), { type: 'PartitionFailed', data: final });
    await start();
    const { errorId, errorMessage } = await untilStatus(stores, id, 'Error');
    expect(errorMessage).toBe('the engine stumbled');
    await until(() =>
      stores.readModels.get<BacktestErrorDocument>(backtestErrorsProjection.collection.name, errorId ?? ''),
    );
  });

  it('has the record made that a failed batch is still without', async () => {
    const id = ulid();
    await createBatch(stores, batchOf(id, shape));
    const errorId = ulid();
    const failed = { batchId: id, userId: 'user-1', errorId, partition: 0, fault };
    await happened(id, { type: 'BatchBacktestFailed', data: failed });
    await start();
    await until(() =>
      stores.readModels.get<BacktestErrorDocument>(backtestErrorsProjection.collection.name, errorId),
    );
  });

  it('has everything of a batch computed anew that an earlier engine has begun', async () => {
    const id = ulid();
    const batch = { ...batchOf(id, shape), engineVersion: '0' };
    await createBatch(stores, batch);
    await stores.results.createBatch(id, batch.variables);
    const odd = fakeBlock({ ...batch, batchId: id }, { from: 0, to: 50 });
    odd.floats.sharpe_ratio?.fill(-7);
    await stores.results.append(odd);
    const seconds = { ...run(id, 0), seconds: 1 };
    await happened(id, queued(id), started(id, 0), { type: 'PartitionFinished', data: seconds });
    await start();
    const { engineVersion } = await untilStatus(stores, id, 'Finished');
    expect(engineVersion).toBe(ENGINE_VERSION);
    const sharpe = await stores.results.column(id, 'sharpe_ratio');
    // The fake lets combination 97 fail.
    const expected = Array.from({ length: 100 }, (_, k) => (k === 97 ? Number.NaN : fakeSharpe(k)));
    expect([...sharpe]).toEqual(expected);
  });

  it('lets a batch go on that was let run again after its last failure', async () => {
    const id = ulid();
    await createBatch(stores, batchOf(id, shape));
    const errorId = ulid();
    const failures = [0, 1].map((partition): BatchEvent => {
      return { type: 'PartitionFailed', data: { ...run(id, partition), fault, isFinal: true } };
    });
    await happened(
      id,
      queued(id),
      ...failures,
      {
        type: 'BatchBacktestFailed',
        data: { batchId: id, userId: 'user-1', errorId, partition: 0, fault },
      },
      { type: 'BatchBacktestReplayed', data: { batchId: id, errorId, partitions: [0, 1] } },
    );
    await start();
    await untilStatus(stores, id, 'Finished');
  });

  it('has the rows and the quota of a deleted batch given back, once', async () => {
    const first = await start();
    const id = ulid();
    await createBatch(stores, batchOf(id, shape));
    await untilStatus(stores, id, 'Finished');
    await first.stop();
    stop.shift();
    const open = ulid();
    await createBatch(stores, batchOf(open, { ...shape, partitions: 4 }));
    await deleteBatch(open);
    await deleteBatch(id);
    expect(await used()).toBe(200);
    for (let i = 0; i < 2; i += 1) {
      await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
      await start();
      // The finished one was used up; only what had not run comes back.
      await until(async () => (await used()) === 100);
      await until(async () => (await stores.results.countRows(id).catch(() => 0)) === 0);
      await until(async () => (await stores.readModels.checkpoint('batchProcess_v1')) !== null);
      await stop.shift()?.();
    }
    expect(await used()).toBe(100);
  });

  it('has what a stopped batch did not run given back, once, and keeps its rows', async () => {
    const id = ulid();
    await createBatch(stores, batchOf(id, { ...shape, partitions: 4 }));
    await happened(
      id,
      { type: 'PartitionsQueued', data: { batchId: id, partitions: [0, 1] } },
      { type: 'PartitionStarted', data: run(id, 0) },
      { type: 'PartitionFinished', data: { ...run(id, 0), seconds: 1 } },
    );
    const command = { type: 'StopBatchBacktest', userId: 'user-1' } as const;
    await mustWork(handleCommand(stores.eventStore, BATCH_STREAM, id, command, commandOf()));
    expect(await used()).toBe(100);
    for (let i = 0; i < 2; i += 1) {
      // Killed before it reacted, and its checkpoint lost.
      await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
      await start();
      await until(async () => (await used()) === 25);
      await until(async () => (await stores.readModels.checkpoint('batchProcess_v1')) !== null);
      await stop.shift()?.();
    }
    expect(await used()).toBe(25);
    await untilStatus(stores, id, 'Stopped');
  });

  it('does not react to what has come to its end', async () => {
    const first = await start();
    const ids = Array.from({ length: 5 }, () => ulid());
    for (const id of ids) {
      await createBatch(stores, batchOf(id, shape));
      await untilStatus(stores, id, 'Finished');
    }
    await first.stop();
    stop.shift();
    await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
    const head = await stores.eventStore.head();
    let readings = 0;
    const { eventStore } = stores;
    const counted: typeof eventStore = {
      append: (...args) => eventStore.append(...args),
      readStream: (...args) => {
        readings += 1;
        return eventStore.readStream(...args);
      },
      readAll: (...args) => eventStore.readAll(...args),
      subscribe: (...args) => eventStore.subscribe(...args),
      head: () => eventStore.head(),
      last: () => eventStore.last(),
      reaches: (...args) => eventStore.reaches(...args),
      close: () => eventStore.close(),
    };
    stores = { ...stores, eventStore: counted };
    const second = await start();
    await until(async () => second.processes.position() >= head);
    expect(readings).toBe(0);
    expect(await stores.eventStore.head()).toBe(head);
  });
});

it('takes up what is open when its checkpoint is far behind the log', async () => {
  const first = await start();
  const id = ulid();
  await createBatch(stores, batchOf(id, { a: 10, b: 10, partitions: 2 }));
  await untilStatus(stores, id, 'Finished');
  await first.stop();
  stop.shift();
  const late = ulid();
  await createBatch(stores, batchOf(late, { a: 10, b: 10, partitions: 2 }));
  await start({ process: { farBehind: 1n } });
  await untilStatus(stores, late, 'Finished');
  expect(await stores.results.countRows(late)).toBe(100);
});

/** Processes whose read models never catch up. */
const startWithoutWitnesses = () =>
  startBatchProcesses({
    ...stores,
    readModels: new Proxy(stores.readModels, {
      get: (target, name) => {
        if (name === 'checkpoint') return async () => null;
        const own = Reflect.get(target, name);
        return typeof own === 'function' ? own.bind(target) : own;
      },
    }),
    clock,
    ids: ulid,
    log: NO_LOG,
  });

it('stops at once while the read models have not caught up', async () => {
  await createBatch(stores, batchOf(ulid(), { a: 10, b: 10, partitions: 2 }));
  const processes = await startWithoutWitnesses();
  // A close that waited for the read models would not end.
  await expect(processes.close()).resolves.toBeUndefined();
});

it('keeps no place in the log before everything open is taken up: who dies until then begins again', async () => {
  await createBatch(stores, batchOf(ulid(), { a: 10, b: 10, partitions: 1 }));
  const processes = await startWithoutWitnesses();
  for (const since of [1, 2]) {
    await createBatch(stores, batchOf(ulid(), { a: 10, b: 10, partitions: 1 }));
    await until(async () => (await stores.bus.lag('compute.jobs.v1', TOPICS.jobs.name)) === since);
  }
  await processes.close();
  expect(await stores.readModels.checkpoint('batchProcess_v1')).toBeNull();
});
