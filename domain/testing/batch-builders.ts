import type { BatchCommand } from '../src/batch/commands.ts';
import { batchDecider } from '../src/batch/decider.ts';
import type { BatchBacktestCreated, BatchEvent } from '../src/batch/events.ts';
import { type BatchState, evolveBatch, initialBatchState } from '../src/batch/state.ts';

/** The data of a batch of 40 combinations in 4 partitions. */
export function createdData(over: Partial<BatchBacktestCreated['data']> = {}): BatchBacktestCreated['data'] {
  return {
    batchId: 'b1',
    userId: 'u1',
    name: 'Batch',
    isPublic: false,
    template: { name: 'T', variables: ['$A'], algorithm: { id: 'node_1', node_type: 'root' } as never },
    variables: [{ name: '$A', values: Array.from({ length: 40 }, (_, i) => `T${i}`) }],
    config: { start_date: '2000-01-01', end_date: '2020-12-31' },
    requestedCombinations: 40,
    combinations: 40,
    partitionSize: 10,
    partitions: 4,
    timeEstimateSeconds: 12,
    isQuick: false,
    dataVersion: 'v1',
    engineVersion: '1',
    isSimulated: false,
    strategyId: null,
    strategyRevision: null,
    lineageId: 'l1',
    fingerprint: 'f',
    reuse: [],
    quotaMonth: '2026-11',
    quotaByPartition: [10, 10, 10, 10],
    ...over,
  };
}

export const created = (over: Partial<BatchBacktestCreated['data']> = {}): BatchEvent => ({
  type: 'BatchBacktestCreated',
  data: createdData(over),
});
export const queued = (...partitions: number[]): BatchEvent => ({
  type: 'PartitionsQueued',
  data: { batchId: 'b1', partitions },
});
export const started = (partition: number, attempt = 1): BatchEvent => ({
  type: 'PartitionStarted',
  data: { batchId: 'b1', partition, attempt, node: 'n1' },
});
export const finished = (partition: number): BatchEvent => ({
  type: 'PartitionFinished',
  data: { batchId: 'b1', partition, attempt: 1, node: 'n1', seconds: 1 },
});
export const failed = (partition: number, isFinal = false): BatchEvent => ({
  type: 'PartitionFailed',
  data: { batchId: 'b1', partition, attempt: 1, node: 'n1', fault: { message: 'no', stack: [] }, isFinal },
});
export const stopped = (rows: number, quotaReleased: number): BatchEvent => ({
  type: 'BatchBacktestStopped',
  data: { batchId: 'b1', userId: 'u1', quotaMonth: '2026-11', quotaReleased, rows },
});

/** The state after some events. */
export const given = (...events: readonly BatchEvent[]): BatchState =>
  events.reduce(evolveBatch, initialBatchState);

/** What a command leads to. */
export const when = (command: BatchCommand, ...events: readonly BatchEvent[]) =>
  batchDecider.decide(command, given(...events));
