import { type Static, Type } from 'typebox';
import { BacktestConfigSchema, TemplateBotSchema } from '../contracts/backtest-schema.ts';
import { defineStream, type EventOf, type Frozen } from '../kernel/define-stream.ts';
import {
  Count,
  exactly,
  Id,
  MonthText,
  NullableCount,
  NullableNumber,
  NullableText,
  Text,
} from '../kernel/event-fields.ts';

/** The events of a `batch-{id}` stream. */

/** A contiguous range of combinations, `to` exclusive. */
export interface CombinationRange {
  readonly from: number;
  readonly to: number;
}

const Value = Type.Union([Type.String(), Type.Number()]);

const ReuseSchema = exactly({
  batchId: Id,
  /** Combinations taken from it. */
  count: Count,
});
/** Rows that an earlier batch of the same user already holds. */
export type RowReuse = Frozen<Static<typeof ReuseSchema>>;

const FaultSchema = exactly({ message: Text, stack: Type.Array(Text) });
/** What went wrong in a partition, as far as an administrator needs it. */
export type PartitionFault = Frozen<Static<typeof FaultSchema>>;

const RankedRowSchema = exactly({
  combination: Count,
  values: Type.Record(Type.String(), Value),
  metrics: Type.Record(Type.String(), NullableNumber),
});
export type RankedRow = Frozen<Static<typeof RankedRowSchema>>;

const SummarySchema = exactly({
  rows: Count,
  failures: Count,
  /** By Sharpe ratio. */
  best: Type.Union([RankedRowSchema, Type.Null()]),
  /** Per metric: the median over all rows that have it. */
  medians: Type.Record(Type.String(), NullableNumber),
  /**
   * Equal for equal rows of one engine on the same prices, see `result-hash.ts`. Absent in batches from
   * before it was kept.
   */
  hash: Type.Optional(Text),
  /**
   * The metrics are those before the out-of-sample date; missing where the batch names none, or was ranked
   * over its whole period.
   */
  part: Type.Optional(Type.Literal('in_sample')),
});
/** What the list and the head of the results show without reading the rows. */
export type BatchSummary = Frozen<Static<typeof SummarySchema>>;

const partitions = Type.Array(Count);
const attemptFields = { batchId: Id, partition: Count, attempt: Count, node: Text };

export const BATCH_EVENTS = defineStream({
  category: 'batch',
  events: {
    BatchBacktestCreated: exactly({
      batchId: Id,
      userId: Id,
      name: Text,
      isPublic: Type.Boolean(),
      template: TemplateBotSchema,
      variables: Type.Array(exactly({ name: Text, values: Type.Array(Value) })),
      config: BacktestConfigSchema,
      requestedCombinations: Count,
      combinations: Count,
      /** Size of a partition in combinations; the last one may be smaller. */
      partitionSize: Count,
      partitions: Count,
      timeEstimateSeconds: Type.Number(),
      /** Small batches overtake large ones. */
      isQuick: Type.Boolean(),
      dataVersion: Text,
      engineVersion: Text,
      isSimulated: Type.Boolean(),
      /** Where the template came from; null for one that was never saved. */
      strategyId: NullableText,
      strategyRevision: NullableCount,
      /** All strategies that descend from one another share it; the honest trial count is kept per lineage. */
      lineageId: Text,
      /** From which day on the strategy held its days out when the batch was made; absent where it did not. */
      holdOutDate: Type.Optional(Text),
      /** Equal for batches whose rows may be shared: algorithm, configuration, data and engine version. */
      fingerprint: Text,
      reuse: Type.Array(ReuseSchema),
      /** Of the usage stream that holds the reservation. */
      quotaMonth: MonthText,
      /** New combinations per partition (those not reused); the sum is what was reserved. */
      quotaByPartition: Type.Array(Count),
    }),
    /** The stream was closed before it began: the reservation went back because the batch never came. */
    BatchBacktestAbandoned: exactly({ batchId: Id, userId: Id }),
    /** Partitions that wait on the bus from now on; a partition is queued again after a failure. */
    PartitionsQueued: exactly({ batchId: Id, partitions }),
    PartitionStarted: exactly({
      ...attemptFields,
      /** Rows of the partition that earlier attempts have stored. */
      stored: Type.Optional(Count),
    }),
    PartitionFinished: exactly({ ...attemptFields, seconds: Type.Number() }),
    PartitionFailed: exactly({
      ...attemptFields,
      fault: FaultSchema,
      /** True when it will not be tried again by itself. */
      isFinal: Type.Boolean(),
    }),
    BatchCompilingStarted: exactly({ batchId: Id }),
    BatchBacktestFinished: exactly({ batchId: Id, summary: SummarySchema }),
    BatchBacktestFailed: exactly({
      batchId: Id,
      userId: Id,
      /** Of the backtest error record. */
      errorId: Id,
      partition: NullableCount,
      fault: FaultSchema,
    }),
    /** An administrator lets the failed part run again. */
    BatchBacktestReplayed: exactly({ batchId: Id, errorId: Id, partitions }),
    /**
     * The engine has changed while the batch was at work: it begins anew, so that all of its rows come from
     * one engine.
     */
    BatchEngineChanged: exactly({
      batchId: Id,
      engineVersion: Text,
      /** Of the same batch with this engine. */
      fingerprint: Text,
    }),
    BatchBacktestDeleted: exactly({
      batchId: Id,
      userId: Id,
      quotaMonth: MonthText,
      /** Combinations that never ran and go back. */
      quotaReleased: Count,
    }),
    /** The owner keeps what has run and has the rest not run: final, like the end of a batch. */
    BatchBacktestStopped: exactly({
      batchId: Id,
      userId: Id,
      quotaMonth: MonthText,
      /** Combinations of the partitions that had not finished, and go back. */
      quotaReleased: Count,
      /** Combinations of the partitions that had finished: the rows that stay. */
      rows: Count,
    }),
    BatchBacktestRenamed: exactly({ batchId: Id, name: Text }),
    BatchVisibilityChanged: exactly({ batchId: Id, isPublic: Type.Boolean() }),
    /** A free note on the whole batch; an empty text removes it. */
    BatchNoteChanged: exactly({ batchId: Id, text: Text }),
    ResultRowPinned: exactly({ batchId: Id, combination: Count, note: Text }),
    ResultRowUnpinned: exactly({ batchId: Id, combination: Count }),
    /** The part from the out-of-sample date on was looked at. It is opened once; nothing shuts it again. */
    OutOfSampleOpened: exactly({ batchId: Id, userId: Id }),
  },
});

export type BatchEvent = EventOf<typeof BATCH_EVENTS>;
export type BatchBacktestCreated = EventOf<typeof BATCH_EVENTS, 'BatchBacktestCreated'>;
