import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { BatchWork, BlockRunner } from '@quantloom/compute/coordinator/block-runner';
import { startComputeNode } from '@quantloom/compute/coordinator/compute-node';
import type { ComputeNodeOptions } from '@quantloom/compute/coordinator/compute-node-deps';
import { BATCH_CONTEXT_PROJECTIONS } from '@quantloom/domain/batch/context';
import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import {
  type BatchVariable,
  combinationCount,
  combinationIndexes,
} from '@quantloom/domain/batch/variable-values';
import { FLOAT_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { eventId } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { Projection } from '@quantloom/domain/kernel/projection';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { ulid } from 'ulid';
import type { BatchProcessOptions } from '../src/processes/batch-process-deps.ts';
import { startBatchProcesses } from '../src/processes/start-batch-processes.ts';
import { createProjectors } from '../src/projectors.ts';

export const clock = { now: () => new Date() };

/** Ports on files in a folder of their own, or in the one given (to start again on what is there). */
export async function openStores(folder = mkdtempSync(path.join(tmpdir(), 'quantloom-batch-'))) {
  const database = openSqliteDatabase(path.join(folder, 'log.sqlite'));
  const eventStore = openSqliteEventStore(database);
  // A node that dies is noticed after a lease; tests don't wait the usual ten seconds.
  const bus = openSqliteMessageBus(database, { leaseMs: 1_000 });
  const readModels = openSqliteReadModels(database);
  const results = await openDuckDbResultStore({ folder: path.join(folder, 'results') });
  return {
    folder,
    eventStore,
    bus,
    readModels,
    results,
    close: async () => {
      await bus.close();
      await eventStore.close();
      await readModels.close();
      await results.close();
      database.close();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
export type Stores = Awaited<ReturnType<typeof openStores>>;

/** Sharpe ratio that the fake runner gives combination `k`: every one different, the best in the middle. */
export const fakeSharpe = (k: number): number => ((k * 7919) % 10_007) / 10_007;

/** Plausible numbers that differ from row to row and from column to column. */
function fakeValue(name: string, k: number, column: number): number {
  if (name === 'sharpe_ratio') return fakeSharpe(k);
  if (name === 'n') return 2_500;
  if (name === 'skewness') return 0;
  if (name === 'kurtosis') return 3;
  if (name.startsWith('block_count')) return 250;
  if (name.startsWith('block_sum_squares')) return 250 * 1e-4;
  if (name.startsWith('block_sum')) return Math.sin(k * 7 + column) / 10;
  return k + column / 100;
}

/** What a test says of a column of a combination; undefined where it says nothing. */
export type StoredValue = (name: string, combination: number) => number | undefined;

/** Rows that follow from the combination's number alone; combinations divisible by 97 fail (0 apart). */
export function fakeBlock(
  work: BatchWork,
  { from, to }: { from: number; to: number },
  stored: StoredValue = () => undefined,
): ResultBlock {
  const count = to - from;
  const floats: Record<string, Float64Array> = {};
  const numbers = Array.from({ length: count }, (_, i) => from + i);
  const fails = (k: number) => k > 0 && k % 97 === 0;
  for (const [c, name] of FLOAT_COLUMNS.entries())
    floats[name] = Float64Array.from(numbers, (k) =>
      fails(k) ? Number.NaN : (stored(name, k) ?? fakeValue(name, k, c)),
    );
  const digits = numbers.map((k) => combinationIndexes(work.variables, k));
  return {
    batchId: work.batchId,
    from,
    count,
    startDay: Int32Array.from(numbers, (k) => (fails(k) ? NO_DAY : 10_000)),
    endDay: Int32Array.from(numbers, (k) => (fails(k) ? NO_DAY : 12_000)),
    variables: work.variables.map((_, v) => Int32Array.from(digits, (row) => row[v] ?? 0)),
    floats,
    failures: numbers
      .filter(fails)
      .map((combination) => ({ combination, reason: `no common dates for ${combination}` })),
  };
}

/** A runner that counts what it computed and can be told to wait or to fail. */
export function fakeRunner(
  how: {
    readonly before?: (
      work: BatchWork,
      range: { from: number; to: number },
      signal: AbortSignal,
    ) => Promise<void>;
    readonly stored?: StoredValue;
  } = {},
): BlockRunner & { readonly computed: Map<string, number[]> } {
  const computed = new Map<string, number[]>();
  return {
    capacity: 2,
    computed,
    runBlock: async (work, range, { signal }) => {
      await how.before?.(work, range, signal);
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      const list = computed.get(work.batchId) ?? [];
      for (const gap of range.gaps) for (let k = gap.from; k < gap.to; k += 1) list.push(k);
      computed.set(work.batchId, list);
      return fakeBlock(work, range, how.stored);
    },
    release: () => undefined,
  };
}

/** Projections, process manager and one compute node over the stores. */
export async function startStack(
  stores: Stores,
  runner: BlockRunner,
  options: {
    readonly process?: BatchProcessOptions;
    readonly compute?: ComputeNodeOptions;
    readonly node?: string;
    /** Default: those of batches. */
    readonly projections?: readonly Projection[];
  } = {},
) {
  const projectors = createProjectors({
    ...stores,
    projections: options.projections ?? BATCH_CONTEXT_PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  await projectors.start();
  const base = { ...stores, clock, ids: ulid, log: NO_LOG };
  const processes = await startBatchProcesses({
    ...base,
    options: { sweepSeconds: 0.2, ...options.process },
  });
  const node = await startComputeNode({
    ...base,
    runner,
    nodeId: options.node ?? 'node-1',
    options: { progressEvery: 20, ...options.compute },
  });
  return {
    projectors,
    processes,
    node,
    stop: async () => {
      await node.close();
      await processes.close();
      await projectors.stop();
    },
  };
}

const WHOLE = { num: 100, den: 100 };
const ALGORITHM = {
  id: 'node_root',
  node_type: 'root',
  weight: WHOLE,
  is_collapsed: false,
  name: 'T',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [
    { id: 'node_asset', node_type: 'asset', weight: WHOLE, is_collapsed: false, ticker: '$A', name: '$A' },
  ],
} as never;

/** The data of a batch of `a` x `b` combinations in `partitions` partitions. */
export function batchOf(
  batchId: string,
  shape: {
    readonly a: number;
    readonly b: number;
    readonly partitions: number;
    readonly userId?: string;
    readonly isQuick?: boolean;
    readonly reuse?: BatchBacktestCreated['data']['reuse'];
  },
): BatchBacktestCreated['data'] {
  const variables: BatchVariable[] = [
    { name: '$A', values: Array.from({ length: shape.a }, (_, i) => `A${i}`) },
    { name: '$B', values: Array.from({ length: shape.b }, (_, i) => i + 2) },
  ];
  const combinations = combinationCount(variables);
  const partitionSize = Math.ceil(combinations / shape.partitions);
  const partitions = Math.ceil(combinations / partitionSize);
  return {
    batchId,
    userId: shape.userId ?? 'user-1',
    name: 'A batch',
    isPublic: false,
    template: { name: 'T', variables: ['$A', '$B'], algorithm: ALGORITHM },
    variables,
    config: { start_date: '2000-01-01', end_date: '2020-12-31' },
    requestedCombinations: combinations,
    combinations,
    partitionSize,
    partitions,
    timeEstimateSeconds: 1,
    isQuick: shape.isQuick ?? false,
    dataVersion: 'v1',
    engineVersion: ENGINE_VERSION,
    isSimulated: true,
    strategyId: null,
    strategyRevision: null,
    lineageId: 'lineage-1',
    fingerprint: 'f',
    reuse: shape.reuse ?? [],
    quotaMonth: '2026-11',
    quotaByPartition: Array.from({ length: partitions }, (_, i) =>
      Math.min(partitionSize, combinations - i * partitionSize),
    ),
  };
}

const actor = { kind: 'user', userId: 'user-1' } as const;

/** Reserves and creates, as the command API does. */
export async function createBatch(stores: Stores, batch: BatchBacktestCreated['data']): Promise<void> {
  const { userId, quotaMonth: month, batchId, quotaByPartition } = batch;
  const combinations = quotaByPartition.reduce((sum, n) => sum + n, 0);
  await mustWork(
    handleCommand(
      stores.eventStore,
      USAGE_STREAM,
      usageId(userId, month),
      { type: 'ReserveQuota', userId, month, batchId, combinations, monthlyLimit: 1_500_000 },
      commandOf(),
    ),
  );
  await mustWork(
    handleCommand(
      stores.eventStore,
      BATCH_STREAM,
      batchId,
      { type: 'CreateBatchBacktest', batch },
      commandOf(),
    ),
  );
}

/** Appends events of a batch as another process has written them. */
export async function appendBatchEvents(
  { eventStore }: Stores,
  batchId: string,
  events: readonly Pick<NewEvent, 'type' | 'data'>[],
): Promise<void> {
  const { revision } = await loadState(eventStore, BATCH_STREAM, batchId);
  const recorded = events.map(({ type, data }): NewEvent => {
    const commandId = ulid();
    const causes = { commandId, correlationId: commandId, causationId: commandId };
    return {
      id: eventId(commandId, 0),
      type,
      data,
      metadata: {
        schemaVersion: 1,
        ...causes,
        actor: { kind: 'system', name: 'test' },
        recordedAt: clock.now().toISOString(),
      },
    };
  });
  await eventStore.append(`batch-${batchId}`, recorded, revision);
}

/** Context of a user's command. */
export function commandOf() {
  return { commandId: ulid(), correlationId: 'test', actor, now: clock.now().toISOString() };
}

/** The result, or an error where it was refused. */
export async function mustWork<T>(work: Promise<T>): Promise<Exclude<T, { refusal: true }>> {
  const result = await work;
  if (isRefusal(result)) throw new Error(result.detail);
  return result as Exclude<T, { refusal: true }>;
}

/** Waits until the read model shows what is asked for. */
export async function until<T>(look: () => Promise<T | null | undefined | false>, seconds = 50): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (performance.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The batch once it has one of the statuses. */
export function untilStatus(
  stores: Stores,
  batchId: string,
  ...statuses: readonly BatchDocument['status'][]
): Promise<BatchDocument> {
  return until(async () => {
    const batch = await stores.readModels.get<BatchDocument>(batchesProjection.collection.name, batchId);
    return batch && statuses.includes(batch.status) ? batch : null;
  });
}
