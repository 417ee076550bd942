import { Type } from 'typebox';
import type { StreamKind } from '../kernel/handle-command.ts';
import type { BatchCommand } from './commands.ts';
import { batchDecider } from './decider.ts';
import type { BatchEvent } from './events.ts';
import type { BatchState } from './state.ts';

const Value = Type.Union([Type.String(), Type.Number()]);
const Count = Type.Integer({ minimum: 0 });
const NullableNumber = Type.Union([Type.Number(), Type.Null()]);
const NullableString = Type.Union([Type.String(), Type.Null()]);
const batchId = Type.String();
const Fault = Type.Object({ message: Type.String(), stack: Type.Array(Type.String()) });

const Summary = Type.Object({
  rows: Count,
  failures: Count,
  best: Type.Union([
    Type.Null(),
    Type.Object({
      combination: Count,
      values: Type.Record(Type.String(), Value),
      metrics: Type.Record(Type.String(), NullableNumber),
    }),
  ]),
  medians: Type.Record(Type.String(), NullableNumber),
});

const Created = Type.Object({
  batchId,
  userId: Type.String(),
  name: Type.String(),
  isPublic: Type.Boolean(),
  template: Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.String(),
    type: Type.Optional(Type.String()),
    variables: Type.Array(Type.String()),
    algorithm: Type.Unknown(),
  }),
  variables: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Value) })),
  config: Type.Object({ start_date: Type.String(), end_date: Type.String() }),
  requestedCombinations: Count,
  combinations: Count,
  partitionSize: Count,
  partitions: Count,
  timeEstimateSeconds: Type.Number(),
  isQuick: Type.Boolean(),
  dataVersion: Type.String(),
  engineVersion: Type.String(),
  isSimulated: Type.Boolean(),
  strategyId: NullableString,
  strategyRevision: NullableNumber,
  lineageId: Type.String(),
  fingerprint: Type.String(),
  reuse: Type.Array(Type.Object({ batchId, count: Count })),
  quotaMonth: Type.String(),
  quotaByPartition: Type.Array(Count),
});

const partition = Count;
const attempt = Count;
const node = Type.String();
const partitions = Type.Array(Count);
const userId = Type.String();

/** Streams `batch-<id>`. */
export const BATCH_STREAM: StreamKind<BatchCommand, BatchState, BatchEvent> = {
  category: 'batch',
  decider: batchDecider,
  events: [
    { type: 'BatchBacktestCreated', version: 1, schema: Created },
    { type: 'BatchBacktestAbandoned', version: 1, schema: Type.Object({ batchId, userId }) },
    { type: 'PartitionsQueued', version: 1, schema: Type.Object({ batchId, partitions }) },
    {
      type: 'PartitionStarted',
      version: 1,
      schema: Type.Object({ batchId, partition, attempt, node, stored: Type.Optional(Count) }),
    },
    {
      type: 'PartitionFinished',
      version: 1,
      schema: Type.Object({ batchId, partition, attempt, node, seconds: Type.Number() }),
    },
    {
      type: 'PartitionFailed',
      version: 1,
      schema: Type.Object({ batchId, partition, attempt, node, fault: Fault, isFinal: Type.Boolean() }),
    },
    { type: 'BatchCompilingStarted', version: 1, schema: Type.Object({ batchId }) },
    { type: 'BatchBacktestFinished', version: 1, schema: Type.Object({ batchId, summary: Summary }) },
    {
      type: 'BatchBacktestFailed',
      version: 1,
      schema: Type.Object({
        batchId,
        userId,
        errorId: Type.String(),
        partition: NullableNumber,
        fault: Fault,
      }),
    },
    {
      type: 'BatchBacktestReplayed',
      version: 1,
      schema: Type.Object({ batchId, errorId: Type.String(), partitions }),
    },
    {
      type: 'BatchEngineChanged',
      version: 1,
      schema: Type.Object({ batchId, engineVersion: Type.String(), fingerprint: Type.String() }),
    },
    {
      type: 'BatchBacktestDeleted',
      version: 1,
      schema: Type.Object({ batchId, userId, quotaMonth: Type.String(), quotaReleased: Count }),
    },
    { type: 'BatchBacktestRenamed', version: 1, schema: Type.Object({ batchId, name: Type.String() }) },
    {
      type: 'BatchVisibilityChanged',
      version: 1,
      schema: Type.Object({ batchId, isPublic: Type.Boolean() }),
    },
    { type: 'BatchNoteChanged', version: 1, schema: Type.Object({ batchId, text: Type.String() }) },
    {
      type: 'ResultRowPinned',
      version: 1,
      schema: Type.Object({ batchId, combination: Count, note: Type.String() }),
    },
    { type: 'ResultRowUnpinned', version: 1, schema: Type.Object({ batchId, combination: Count }) },
  ],
};
