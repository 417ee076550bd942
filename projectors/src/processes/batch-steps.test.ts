import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  batchOf,
  clock,
  commandOf,
  createBatch,
  mustWork,
  openStores,
  type Stores,
} from '../../testing/batch-stack.ts';
import { BatchSteps } from './batch-steps.ts';

let stores: Stores;
beforeEach(async () => {
  stores = await openStores();
});
afterEach(async () => {
  await stores.close();
  stores.remove();
});

/** A batch all rows of which are said to be there, without computing any. */
async function finished(shape: Parameters<typeof batchOf>[1]): Promise<string> {
  const id = ulid();
  await createBatch(stores, batchOf(id, shape));
  const { revision } = await loadState(stores.eventStore, BATCH_STREAM, id);
  const data = {
    batchId: id,
    summary: { rows: shape.a * shape.b, failures: 0, best: null, medians: {}, hash: 'h' },
  };
  const commandId = ulid();
  const { actor, now: recordedAt } = commandOf();
  const metadata = {
    schemaVersion: 1,
    commandId,
    correlationId: commandId,
    causationId: commandId,
    actor,
    recordedAt,
  };
  const event = { id: ulid(), type: 'BatchBacktestFinished', data, metadata };
  await stores.eventStore.append(`batch-${id}`, [event], revision);
  return id;
}

it('copies every row of an earlier batch once, however many pieces they take', async () => {
  const shape = { a: 500, b: 450, partitions: 1 };
  const source = await finished(shape);
  const pieces: { from: string; targets: Int32Array; sources: Int32Array }[] = [];
  const results = {
    createBatch: async () => undefined,
    copyRows: async (_: string, from: string, targets: Int32Array, sources: Int32Array) =>
      void pieces.push({ from, targets, sources }),
  } as unknown as ResultStore;
  const steps = new BatchSteps({ ...stores, results, clock, ids: ulid, log: NO_LOG });
  const id = ulid();
  const count = shape.a * shape.b;
  await createBatch(stores, batchOf(id, { ...shape, reuse: [{ batchId: source, count }] }));
  await Promise.all([steps.prepare(id), steps.prepare(id)]);
  await steps.prepare(id);
  expect(pieces.map(({ from }) => from)).toEqual([source, source]);
  const all = Array.from({ length: count }, (_, k) => k);
  expect(pieces.flatMap(({ targets }) => [...targets])).toEqual(all);
  expect(pieces.flatMap(({ sources }) => [...sources])).toEqual(all);
});

it('copies nothing of a batch that was deleted meanwhile', async () => {
  const shape = { a: 3, b: 3, partitions: 1 };
  const source = await finished(shape);
  const remove = { type: 'DeleteBatchBacktest', userId: 'user-1' } as const;
  await mustWork(handleCommand(stores.eventStore, BATCH_STREAM, source, remove, commandOf()));
  let copies = 0;
  const results = {
    createBatch: async () => undefined,
    copyRows: async () => {
      copies += 1;
    },
  } as unknown as ResultStore;
  const steps = new BatchSteps({ ...stores, results, clock, ids: ulid, log: NO_LOG });
  const id = ulid();
  await createBatch(stores, batchOf(id, { ...shape, reuse: [{ batchId: source, count: 9 }] }));
  await steps.prepare(id);
  expect(copies).toBe(0);
});
