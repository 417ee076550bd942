import type { BatchBacktestCreated, BatchSummary, PartitionFault } from './events.ts';

/** Commands of people; the decider checks that `userId` owns the batch. */
export type BatchOwnerCommand =
  | { readonly type: 'CreateBatchBacktest'; readonly batch: BatchBacktestCreated['data'] }
  | { readonly type: 'DeleteBatchBacktest'; readonly userId: string }
  | { readonly type: 'StopBatchBacktest'; readonly userId: string }
  | { readonly type: 'RenameBatchBacktest'; readonly userId: string; readonly name: string }
  | { readonly type: 'ChangeBatchVisibility'; readonly userId: string; readonly isPublic: boolean }
  | { readonly type: 'ChangeBatchNote'; readonly userId: string; readonly text: string }
  | {
      readonly type: 'PinResultRow';
      readonly userId: string;
      readonly combination: number;
      readonly note: string;
    }
  | { readonly type: 'UnpinResultRow'; readonly userId: string; readonly combination: number }
  | { readonly type: 'OpenOutOfSample'; readonly userId: string };

/** Commands of the process manager, the compute nodes and administrators. */
export type BatchSystemCommand =
  | { readonly type: 'AbandonBatchBacktest'; readonly batchId: string; readonly userId: string }
  | { readonly type: 'QueuePartitions'; readonly partitions: readonly number[] }
  | {
      readonly type: 'StartPartition';
      readonly partition: number;
      readonly node: string;
      /** Rows of the partition that are stored already. */
      readonly stored?: number;
      /** ISO 8601. */
      readonly now: string;
    }
  | {
      readonly type: 'FinishPartition';
      readonly partition: number;
      readonly node: string;
      readonly seconds: number;
    }
  | {
      readonly type: 'FailPartition';
      readonly partition: number;
      readonly node: string;
      readonly fault: PartitionFault;
    }
  | { readonly type: 'StartCompiling' }
  | { readonly type: 'FinishBatchBacktest'; readonly summary: BatchSummary }
  | {
      readonly type: 'FailBatchBacktest';
      readonly errorId: string;
      readonly partition: number | null;
      readonly fault: PartitionFault;
    }
  | { readonly type: 'ReplayBatchBacktest'; readonly errorId: string }
  /** What is stored of the batch must have been dropped before. */
  | { readonly type: 'ChangeBatchEngine'; readonly engineVersion: string; readonly fingerprint: string };

export type BatchCommand = BatchOwnerCommand | BatchSystemCommand;
