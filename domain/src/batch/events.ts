import type { BacktestConfig, TemplateBot } from '../contracts/backtest.ts';
import type { DomainEvent } from '../kernel/event.ts';
import type { BatchVariable } from './variable-values.ts';

/** A contiguous range of combinations, `to` exclusive. */
export interface CombinationRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that an earlier batch of the same user already holds. */
export interface RowReuse {
  readonly batchId: string;
  /** Combinations taken from it. */
  readonly count: number;
}

/** What went wrong in a partition, as far as an administrator needs it. */
export interface PartitionFault {
  readonly message: string;
  readonly stack: readonly string[];
}

export interface RankedRow {
  readonly combination: number;
  readonly values: Readonly<Record<string, string | number>>;
  readonly metrics: Readonly<Record<string, number | null>>;
}

/** What the list and the head of the results show without reading the rows. */
export interface BatchSummary {
  readonly rows: number;
  readonly failures: number;
  /** By Sharpe ratio. */
  readonly best: RankedRow | null;
  /** Per metric: the median over all rows that have it. */
  readonly medians: Readonly<Record<string, number | null>>;
}

export type BatchBacktestCreated = DomainEvent<
  'BatchBacktestCreated',
  {
    readonly batchId: string;
    readonly userId: string;
    readonly name: string;
    readonly isPublic: boolean;
    readonly template: TemplateBot;
    readonly variables: readonly BatchVariable[];
    readonly config: BacktestConfig;
    readonly requestedCombinations: number;
    readonly combinations: number;
    /** Size of a partition in combinations; the last one may be smaller. */
    readonly partitionSize: number;
    readonly partitions: number;
    readonly timeEstimateSeconds: number;
    /** Small batches overtake large ones. */
    readonly isQuick: boolean;
    readonly dataVersion: string;
    readonly engineVersion: string;
    readonly isSimulated: boolean;
    /** Where the template came from; null for one that was never saved. */
    readonly strategyId: string | null;
    readonly strategyRevision: number | null;
    /** All strategies that descend from one another share it; the honest trial count is kept per lineage. */
    readonly lineageId: string;
    /** Equal for batches whose rows may be shared: algorithm, configuration, data and engine version. */
    readonly fingerprint: string;
    readonly reuse: readonly RowReuse[];
    /** `yyyy-mm` of the usage stream that holds the reservation. */
    readonly quotaMonth: string;
    /** New combinations per partition (those not reused); the sum is what was reserved. */
    readonly quotaByPartition: readonly number[];
  }
>;
/** The stream was closed before it began: the reservation went back because the batch never came. */
export type BatchBacktestAbandoned = DomainEvent<
  'BatchBacktestAbandoned',
  { readonly batchId: string; readonly userId: string }
>;
/** Partitions that wait on the bus from now on; a partition is queued again after a failure. */
export type PartitionsQueued = DomainEvent<
  'PartitionsQueued',
  { readonly batchId: string; readonly partitions: readonly number[] }
>;
export type PartitionStarted = DomainEvent<
  'PartitionStarted',
  {
    readonly batchId: string;
    readonly partition: number;
    readonly attempt: number;
    readonly node: string;
    /** Rows of the partition that earlier attempts have stored. */
    readonly stored?: number;
  }
>;
export type PartitionFinished = DomainEvent<
  'PartitionFinished',
  {
    readonly batchId: string;
    readonly partition: number;
    readonly attempt: number;
    readonly node: string;
    readonly seconds: number;
  }
>;
export type PartitionFailed = DomainEvent<
  'PartitionFailed',
  {
    readonly batchId: string;
    readonly partition: number;
    readonly attempt: number;
    readonly node: string;
    readonly fault: PartitionFault;
    /** True when it will not be tried again by itself. */
    readonly isFinal: boolean;
  }
>;
export type BatchCompilingStarted = DomainEvent<'BatchCompilingStarted', { readonly batchId: string }>;
export type BatchBacktestFinished = DomainEvent<
  'BatchBacktestFinished',
  { readonly batchId: string; readonly summary: BatchSummary }
>;
export type BatchBacktestFailed = DomainEvent<
  'BatchBacktestFailed',
  {
    readonly batchId: string;
    readonly userId: string;
    /** Id of the backtest error record. */
    readonly errorId: string;
    readonly partition: number | null;
    readonly fault: PartitionFault;
  }
>;
/** An administrator lets the failed part run again. */
/** The engine has changed while the batch was at work: it begins anew, so that all of its rows come from one engine. */
export type BatchEngineChanged = DomainEvent<
  'BatchEngineChanged',
  {
    readonly batchId: string;
    readonly engineVersion: string;
    /** Of the same batch with this engine. */
    readonly fingerprint: string;
  }
>;
export type BatchBacktestReplayed = DomainEvent<
  'BatchBacktestReplayed',
  { readonly batchId: string; readonly errorId: string; readonly partitions: readonly number[] }
>;
export type BatchBacktestDeleted = DomainEvent<
  'BatchBacktestDeleted',
  {
    readonly batchId: string;
    readonly userId: string;
    readonly quotaMonth: string;
    /** Combinations that never ran and go back. */
    readonly quotaReleased: number;
  }
>;
export type BatchBacktestRenamed = DomainEvent<
  'BatchBacktestRenamed',
  { readonly batchId: string; readonly name: string }
>;
export type BatchVisibilityChanged = DomainEvent<
  'BatchVisibilityChanged',
  { readonly batchId: string; readonly isPublic: boolean }
>;
/** A free note on the whole batch; an empty text removes it. */
export type BatchNoteChanged = DomainEvent<
  'BatchNoteChanged',
  { readonly batchId: string; readonly text: string }
>;
export type ResultRowPinned = DomainEvent<
  'ResultRowPinned',
  { readonly batchId: string; readonly combination: number; readonly note: string }
>;
export type ResultRowUnpinned = DomainEvent<
  'ResultRowUnpinned',
  { readonly batchId: string; readonly combination: number }
>;

export type BatchEvent =
  | BatchBacktestCreated
  | BatchBacktestAbandoned
  | PartitionsQueued
  | PartitionStarted
  | PartitionFinished
  | PartitionFailed
  | BatchCompilingStarted
  | BatchBacktestFinished
  | BatchBacktestFailed
  | BatchBacktestReplayed
  | BatchEngineChanged
  | BatchBacktestDeleted
  | BatchBacktestRenamed
  | BatchVisibilityChanged
  | BatchNoteChanged
  | ResultRowPinned
  | ResultRowUnpinned;

export const BATCH_EVENT_TYPES = [
  'BatchBacktestCreated',
  'BatchBacktestAbandoned',
  'PartitionsQueued',
  'PartitionStarted',
  'PartitionFinished',
  'PartitionFailed',
  'BatchCompilingStarted',
  'BatchBacktestFinished',
  'BatchBacktestFailed',
  'BatchBacktestReplayed',
  'BatchEngineChanged',
  'BatchBacktestDeleted',
  'BatchBacktestRenamed',
  'BatchVisibilityChanged',
  'BatchNoteChanged',
  'ResultRowPinned',
  'ResultRowUnpinned',
] as const satisfies readonly BatchEvent['type'][];
