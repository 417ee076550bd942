import { recomputeBatch } from '@quantloom/compute/coordinator/recompute-batch';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  batchOf,
  clock,
  commandOf,
  createBatch,
  fakeBlock,
  fakeRunner,
  mustWork,
  openStores,
  type Stores,
  startStack,
  untilStatus,
} from '../../testing/batch-stack.ts';

const SHAPE = { a: 40, b: 30, partitions: 3 };
const ROWS = SHAPE.a * SHAPE.b;
let stores: Stores;
let id: string;
beforeEach(async () => {
  stores = await openStores();
  id = ulid();
  const stack = await startStack(stores, fakeRunner());
  await createBatch(stores, batchOf(id, SHAPE));
  await untilStatus(stores, id, 'Finished');
  await stack.stop();
});
afterEach(async () => {
  await stores.close();
  stores.remove();
});

const recompute = (runner = fakeRunner(), options = {}) =>
  recomputeBatch({ ...stores, runner, clock }, id, options);

it('brings back rows that a store has lost, the same bit by bit, and leaves the log alone', async () => {
  const before = await stores.results.hashRows(id);
  const head = await stores.eventStore.head();
  await stores.results.deleteBatch(id);
  expect(await recompute()).toEqual({ computed: ROWS, rows: ROWS, isSame: true });
  expect(await stores.results.hashRows(id)).toBe(before);
  expect(await stores.eventStore.head()).toBe(head);
});

it('computes only what is missing, and nothing where nothing is', async () => {
  const batch = batchOf(id, SHAPE);
  await stores.results.deleteBatch(id);
  await stores.results.createBatch(id, batch.variables);
  // The last of three partitions is what has survived.
  await stores.results.append(fakeBlock({ ...batch, batchId: id }, { from: 800, to: ROWS }));
  const runner = fakeRunner();
  expect(await recompute(runner)).toEqual({ computed: 800, rows: ROWS, isSame: true });
  expect(Math.max(...(runner.computed.get(id) ?? []))).toBe(799);
  const idle = fakeRunner();
  expect(await recompute(idle)).toEqual({ computed: 0, rows: ROWS, isSame: true });
  expect(idle.computed.size).toBe(0);
});

it('goes on where it broke off', async () => {
  await stores.results.deleteBatch(id);
  const broken = fakeRunner({
    before: async (_, { from }) => {
      if (from >= 400) throw new Error('the machine is gone');
    },
  });
  await expect(recompute(broken)).rejects.toThrow('the machine is gone');
  const runner = fakeRunner();
  expect(await recompute(runner)).toMatchObject({ rows: ROWS, isSame: true });
  expect(Math.min(...(runner.computed.get(id) ?? []))).toBeGreaterThanOrEqual(400);
});

it('says so where rows come out different, and computes all of them when told to', async () => {
  const batch = batchOf(id, SHAPE);
  await stores.results.deleteBatch(id);
  await stores.results.createBatch(id, batch.variables);
  const damaged = fakeBlock({ ...batch, batchId: id }, { from: 0, to: 400 });
  damaged.floats.sharpe_ratio?.fill(7, 3, 4);
  await stores.results.append(damaged);
  await expect(recompute()).rejects.toThrow('Compute all of them with --anew');
  expect(await recompute(fakeRunner(), { isAnew: true })).toMatchObject({ rows: ROWS, isSame: true });
});

it('refuses what is not there or not finished', async () => {
  const deps = { ...stores, runner: fakeRunner(), clock };
  await expect(recomputeBatch(deps, ulid())).rejects.toMatchObject({ status: 404 });
  const waiting = ulid();
  await createBatch(stores, batchOf(waiting, SHAPE));
  await expect(recomputeBatch(deps, waiting)).rejects.toMatchObject({ status: 409 });
});

it('leaves no rows of a batch that is deleted meanwhile', async () => {
  await stores.results.deleteBatch(id);
  let isDeleted = false;
  const runner = fakeRunner({
    before: async () => {
      if (isDeleted) return;
      isDeleted = true;
      await mustWork(
        handleCommand(
          stores.eventStore,
          BATCH_STREAM,
          id,
          { type: 'DeleteBatchBacktest', userId: 'user-1' },
          commandOf(),
        ),
      );
    },
  });
  await expect(recompute(runner)).rejects.toMatchObject({ status: 404 });
  await expect(stores.results.countRows(id)).rejects.toMatchObject({ code: 'results_missing' });
});
