import {
  type BacktestErrorDocument,
  backtestErrorsProjection,
} from '@quantloom/domain/backtest-error/projections';
import {
  ANALYSIS_CLAIMS_COLLECTION,
  BATCH_ANALYSES_COLLECTION,
  BATCH_PROGRESS_COLLECTION,
  type BatchDocument,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  batchOf,
  commandOf,
  createBatch,
  fakeRunner,
  fakeSharpe,
  mustWork,
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

async function used(): Promise<number> {
  return (await loadState(stores.eventStore, USAGE_STREAM, usageId('user-1', '2026-11'))).state.used;
}

describe('a batch from creation to its results', () => {
  it('runs every combination once, finishes and sums up', async () => {
    const runner = fakeRunner();
    await start(runner);
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 40, b: 25, partitions: 7 }));
    const batch = await untilStatus(stores, id, 'Finished', 'Error');
    expect(batch).toMatchObject({ status: 'Finished', openPartitions: [], combinations: 1000 });
    expect(await stores.results.countRows(id)).toBe(1000);
    expect(runner.computed.get(id)?.sort((a, b) => a - b)).toEqual(Array.from({ length: 1000 }, (_, k) => k));
    expect(batch.summary).toMatchObject({ rows: 1000, failures: 10 });
    const best = Array.from({ length: 1000 }, (_, k) => k)
      .filter((k) => k === 0 || k % 97 !== 0)
      .reduce((top, k) => (fakeSharpe(k) > fakeSharpe(top) ? k : top), 0);
    expect(batch.summary?.best).toMatchObject({
      combination: best,
      values: { $A: `A${Math.floor(best / 25)}`, $B: (best % 25) + 2 },
    });
    expect(batch.summary?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(batch.startedAt).not.toBeNull();
    expect(batch.finishedAt).not.toBeNull();
  });

  it('keeps every row once when every job and every message is delivered twice', async () => {
    const { bus } = stores;
    const twice: MessageBus = {
      ensureTopics: (topics) => bus.ensureTopics(topics),
      publish: (topic, messages) => bus.publish(topic, [...messages, ...messages]),
      subscribe: (options, handler) => bus.subscribe(options, handler),
      lag: (group, topic) => bus.lag(group, topic),
      outside: () => bus.outside(),
      close: () => bus.close(),
    };
    const runner = fakeRunner();
    stores = { ...stores, bus: twice };
    await start(runner, { compute: { slots: 3, quickSlots: 3 } });
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 20, b: 20, partitions: 5 }));
    await untilStatus(stores, id, 'Finished');
    expect(await stores.results.countRows(id)).toBe(400);
  });

  it('hands work over when a node leaves in the middle', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first node never gets past its second block.
    let blocks = 0;
    const stuck = fakeRunner({
      before: async (_work, _range, signal) => {
        blocks += 1;
        if (blocks > 2)
          await Promise.race([
            held,
            new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
          ]);
      },
    });
    const first = await start(stuck);
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 30, b: 30, partitions: 4 }));
    await until(async () => blocks > 2);
    await first.stop();
    stop.shift();
    release();
    const healthy = fakeRunner();
    await start(healthy, { node: 'node-2' });
    await untilStatus(stores, id, 'Finished');
    expect(await stores.results.countRows(id)).toBe(900);
    // What the first node had stored was not computed again.
    expect(healthy.computed.get(id)?.length).toBeLessThan(900);
  });
});

describe('quota', () => {
  it('is given back for what did not run when a batch is deleted, and the work stops', async () => {
    const running: AbortSignal[] = [];
    const runner = fakeRunner({
      before: async (_work, { from }, signal) => {
        if (from < 100) return;
        running.push(signal);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    });
    const { node } = await start(runner, {
      process: { partitionsPerUser: 1, partitionsPerSlot: 1 },
      compute: { slots: 1 },
    });
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 20, b: 20, partitions: 4 }));
    await until(async () => running.length > 0);
    expect(await used()).toBe(400);
    const kept = { id, _revision: 0, _position: '0' };
    const beside = [BATCH_ANALYSES_COLLECTION, ANALYSIS_CLAIMS_COLLECTION, BATCH_PROGRESS_COLLECTION];
    for (const { name } of beside) await stores.readModels.put(name, kept);
    await mustWork(
      handleCommand(
        stores.eventStore,
        BATCH_STREAM,
        id,
        { type: 'DeleteBatchBacktest', userId: 'user-1' },
        commandOf(),
      ),
    );
    await until(async () => running.every(({ aborted }) => aborted) && node.running().length === 0);
    // One of four partitions was finished.
    await until(async () => (await used()) === 100);
    await until(async () => (await stores.readModels.get(batchesProjection.collection.name, id)) === null);
    await until(async () => (await stores.results.countRows(id).catch(() => 0)) === 0);
    for (const { name } of beside) expect(await stores.readModels.get(name, id)).toBeNull();
  });

  it('is given back for what did not run when a batch is stopped, and the finished rows stay', async () => {
    const running: AbortSignal[] = [];
    const runner = fakeRunner({
      before: async (_work, { from }, signal) => {
        // The second of four: those behind it finish.
        if (from < 100 || from >= 200) return;
        running.push(signal);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    });
    const { node } = await start(runner);
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 20, b: 20, partitions: 4 }));
    const { name } = batchesProjection.collection;
    const document = () => stores.readModels.get<BatchDocument>(name, id);
    await until(async () => running.length > 0 && (await document())?.openPartitions.length === 1);
    const command = { type: 'StopBatchBacktest', userId: 'user-1' } as const;
    for (let i = 0; i < 2; i += 1)
      await mustWork(handleCommand(stores.eventStore, BATCH_STREAM, id, command, commandOf()));
    await until(async () => running.every(({ aborted }) => aborted) && node.running().length === 0);
    await until(async () => (await used()) === 300);
    await untilStatus(stores, id, 'Stopped');
    expect((await document())?.openPartitions).toEqual([1]);
    expect(await stores.results.countRows(id)).toBeGreaterThanOrEqual(300);
    // Others have its place, and deleting it gives nothing back a second time.
    const next = ulid();
    await createBatch(stores, batchOf(next, { a: 5, b: 5, partitions: 1 }));
    await untilStatus(stores, next, 'Finished');
    const remove = { type: 'DeleteBatchBacktest', userId: 'user-1' } as const;
    await mustWork(handleCommand(stores.eventStore, BATCH_STREAM, id, remove, commandOf()));
    await until(async () => (await stores.results.countRows(id).catch(() => 0)) === 0);
    expect(await used()).toBe(325);
  });

  it('goes back when the batch of a reservation never comes, and the batch cannot come any more', async () => {
    const batch = batchOf(ulid(), { a: 10, b: 10, partitions: 1 });
    const { userId, batchId } = batch;
    const reserve = { type: 'ReserveQuota', userId, month: '2026-11', monthlyLimit: 500 } as const;
    const reserved = async (id: string, combinations: number, secondsAgo: number) => {
      const now = new Date(Date.now() - secondsAgo * 1_000).toISOString();
      const month = usageId(userId, '2026-11');
      const command = { ...reserve, batchId: id, combinations };
      await mustWork(handleCommand(stores.eventStore, USAGE_STREAM, month, command, { ...commandOf(), now }));
    };
    await reserved(batchId, 100, 61);
    // The batch of a reservation that was made just now may be on its way. Its id comes first, and so would its turn.
    await reserved(ulid(0), 30, 0);
    expect(await used()).toBe(130);
    await start(fakeRunner());
    await until(async () => (await used()) < 130);
    expect(await used()).toBe(30);
    // One that goes back afterwards tells that all others had their turn.
    await reserved(ulid(), 7, 61);
    await until(async () => (await used()) !== 37);
    expect(await used()).toBe(30);
    const late = await handleCommand(
      stores.eventStore,
      BATCH_STREAM,
      batchId,
      { type: 'CreateBatchBacktest', batch },
      commandOf(),
    );
    expect(late).toMatchObject({ refusal: true, code: 'reservation_expired' });
  });
});

describe('a partition that keeps failing', () => {
  it('makes the batch an error with a record; replayed by an admin, the batch completes', async () => {
    let broken = true;
    const runner = fakeRunner({
      before: async (_work, { from }) => {
        if (broken && from >= 100 && from < 200) throw new Error('the engine stumbled');
      },
    });
    await start(runner);
    const id = ulid();
    const usedBefore = await used();
    await createBatch(stores, batchOf(id, { a: 20, b: 20, partitions: 4 }));
    const failed = await untilStatus(stores, id, 'Error');
    expect(failed).toMatchObject({ errorMessage: 'the engine stumbled' });
    // A fault of ours costs nothing.
    await until(async () => ((await used()) === usedBefore ? true : null));
    const error = await until(() =>
      stores.readModels.get<BacktestErrorDocument>(
        backtestErrorsProjection.collection.name,
        failed.errorId ?? '',
      ),
    );
    expect(error).toMatchObject({
      subject: { kind: 'batch', batchId: id, partition: 1 },
      message: 'the engine stumbled',
      userId: 'user-1',
    });
    const { state } = await loadState(stores.eventStore, BATCH_STREAM, id);
    expect('partitions' in state && state.partitions[1]).toMatchObject({ failures: 3, status: 'failed' });
    // The others went on, so that only the failed one is left.
    await until(async () => {
      const now = await stores.readModels.get<BatchDocument>(batchesProjection.collection.name, id);
      return now?.openPartitions.length === 1;
    });
    broken = false;
    await mustWork(
      handleCommand(
        stores.eventStore,
        BATCH_STREAM,
        id,
        { type: 'ReplayBatchBacktest', errorId: failed.errorId ?? '' },
        commandOf(),
      ),
    );
    const batch = await untilStatus(stores, id, 'Finished');
    expect(batch).toMatchObject({ errorId: null, errorMessage: null });
    expect(await stores.results.countRows(id)).toBe(400);
  });
});

describe('a result store that is away for a moment', () => {
  it('costs time, but no try of a partition', async () => {
    const { results } = stores;
    let refused = 0;
    const flaky = new Proxy(results, {
      get: (target, name) => {
        const own = Reflect.get(target, name);
        if (name !== 'append') return typeof own === 'function' ? own.bind(target) : own;
        return async (...args: Parameters<typeof results.append>) => {
          refused += 1;
          if (refused <= 4) throw new Error('connection refused');
          return results.append(...args);
        };
      },
    });
    stores = { ...stores, results: flaky };
    await start(fakeRunner());
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 20, b: 20, partitions: 2 }));
    await untilStatus(stores, id, 'Finished', 'Error');
    const { state } = await loadState(stores.eventStore, BATCH_STREAM, id);
    expect(state).toMatchObject({ status: 'Finished', partitions: [{ failures: 0 }, { failures: 0 }] });
    expect(await results.countRows(id)).toBe(400);
  });
});

describe('jobs that the bus lost', () => {
  it('go onto it again when the batch shows no sign of life', async () => {
    const { bus } = stores;
    let swallowed = 0;
    stores = {
      ...stores,
      bus: {
        ensureTopics: (topics) => bus.ensureTopics(topics),
        publish: async (topic, messages) => {
          // The first job of the large topic disappears.
          if (topic === TOPICS.jobs.name && swallowed === 0) {
            swallowed += 1;
            return;
          }
          await bus.publish(topic, messages);
        },
        subscribe: (options, handler) => bus.subscribe(options, handler),
        lag: (group, topic) => bus.lag(group, topic),
        outside: () => bus.outside(),
        close: () => bus.close(),
      },
    };
    await start(fakeRunner(), { process: { lostJobSeconds: 0.5 } });
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 10, b: 10, partitions: 1 }));
    await untilStatus(stores, id, 'Finished');
    expect(swallowed).toBe(1);
    expect(await stores.results.countRows(id)).toBe(100);
  });
});

describe('the process manager', () => {
  it('changes nothing when it reacts to the whole log again', async () => {
    const first = await start(fakeRunner());
    const kept = batchOf(ulid(), { a: 10, b: 10, partitions: 3 });
    const deleted = batchOf(ulid(), { a: 10, b: 10, partitions: 3 });
    for (const batch of [kept, deleted]) {
      await createBatch(stores, batch);
      await untilStatus(stores, batch.batchId, 'Finished');
    }
    await mustWork(
      handleCommand(
        stores.eventStore,
        BATCH_STREAM,
        deleted.batchId,
        { type: 'DeleteBatchBacktest', userId: 'user-1' },
        commandOf(),
      ),
    );
    const head = async () => stores.eventStore.head();
    const usage = `usage-${usageId('user-1', '2026-11')}`;
    await until(async () => {
      for await (const event of stores.eventStore.readStream(usage))
        if (event.type === 'QuotaReleased') return true;
      return false;
    });
    await first.stop();
    stop.shift();
    const before = await head();
    // Without its checkpoint it begins at the beginning.
    await stores.readModels.drop('noCollection_v1', 'batchProcess_v1');
    const second = await start(fakeRunner(), { node: 'node-2' });
    await until(async () => second.processes.position() >= before);
    expect(await head()).toBe(before);
    expect(await stores.results.countRows(kept.batchId)).toBe(100);
    expect(await stores.bus.lag('compute.jobs.v1', TOPICS.jobs.name)).toBe(0);
  });
});

describe('rows of an earlier batch', () => {
  it('are reused: only new combinations are computed', async () => {
    const runner = fakeRunner();
    await start(runner);
    const first = batchOf(ulid(), { a: 10, b: 10, partitions: 2 });
    await createBatch(stores, first);
    await untilStatus(stores, first.batchId, 'Finished');
    const second = batchOf(ulid(), {
      a: 11,
      b: 10,
      partitions: 3,
      reuse: [{ batchId: first.batchId, count: 100 }],
    });
    await createBatch(stores, second);
    await untilStatus(stores, second.batchId, 'Finished');
    expect(await stores.results.countRows(second.batchId)).toBe(110);
    expect(runner.computed.get(second.batchId)?.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 10 }, (_, i) => 100 + i),
    );
    const page = await stores.results.query(second.batchId, {
      columns: ['combination', '$A', '$B', 'sharpe_ratio'],
    });
    for (const [k, a, b, sharpe] of page.rows) {
      expect([a, b]).toEqual([`A${Math.floor(Number(k) / 10)}`, (Number(k) % 10) + 2]);
      expect(sharpe).toBe(Number(k) > 0 && Number(k) % 97 === 0 ? null : fakeSharpe(Number(k)));
    }
  });

  it('leave gaps that are computed together, a block at a time', async () => {
    let blocks = 0;
    const runner = fakeRunner({
      before: async () => {
        blocks += 1;
      },
    });
    await start(runner);
    const first = batchOf(ulid(), { a: 40, b: 10, partitions: 2 });
    await createBatch(stores, first);
    await untilStatus(stores, first.batchId, 'Finished');
    blocks = 0;
    // One value more of the variable that changes fastest: every eleventh combination is new.
    const second = batchOf(ulid(), {
      a: 40,
      b: 11,
      partitions: 1,
      reuse: [{ batchId: first.batchId, count: 400 }],
    });
    await createBatch(stores, second);
    await untilStatus(stores, second.batchId, 'Finished');
    expect(runner.computed.get(second.batchId)?.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, i) => 11 * i + 10),
    );
    expect(blocks).toBe(Math.ceil(440 / 64));
    const page = await stores.results.query(second.batchId, { columns: ['combination', 'sharpe_ratio'] });
    expect(page.total).toBe(440);
    for (const [k, sharpe] of page.rows) {
      const isNew = Number(k) % 11 === 10;
      const computedAs = isNew ? Number(k) : Math.floor(Number(k) / 11) * 10 + (Number(k) % 11);
      expect(sharpe).toBe(computedAs > 0 && computedAs % 97 === 0 ? null : fakeSharpe(computedAs));
    }
  });
});
