import type { Decider } from '../kernel/decider.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { BatchCommand, BatchOwnerCommand } from './commands.ts';
import type { BatchEvent } from './events.ts';
import {
  type BatchState,
  batchExists,
  type ExistingBatch,
  evolveBatch,
  initialBatchState,
  type PartitionState,
  partitionRange,
  partitionsIn,
} from './state.ts';

/** A partition that failed this often is not tried again by itself. */
export const MAX_PARTITION_FAILURES = 3;
/**
 * A partition that was started this often, for this long, without storing a row takes its nodes down with it.
 * The time is there for nodes that die of something else: a restart every few seconds would use the starts up
 * while nobody had the time to store a row.
 */
export const MAX_PARTITION_STARTS = 6;
export const MIN_FRUITLESS_SECONDS = 120;
export const MAX_NAME_LENGTH = 200;
export const MAX_NOTE_LENGTH = 4_000;
export const MAX_PINS = 200;
/** Characters of the notes of all pinned rows: they stand beside the batch wherever it is read. */
export const MAX_PIN_NOTES = 100_000;

/** Its part of the month was given back before it was there. */
export const CREATION_EXPIRED = refuse(
  409,
  'reservation_expired',
  'Creating the batch took too long; please try again',
);
const NOT_FOUND = refuse(404, 'batch_not_found', 'The batch backtest you are looking for cannot be found.');

/** Combinations that were reserved and have not run: those of partitions that are not finished. */
export function unusedQuota(batch: ExistingBatch): number {
  return batch.partitions.reduce(
    (sum, { status }, i) => sum + (status === 'finished' ? 0 : (batch.created.quotaByPartition[i] ?? 0)),
    0,
  );
}

/**
 * Whether a batch at work was begun by an older engine: no node computes it any further, for its rows would
 * not belong together. Once all rows are there it ends as it is.
 */
export function mustBeginAnew(batch: ExistingBatch, engineVersion: string): boolean {
  const isAtWork = batch.status === 'Queued' || batch.status === 'Running';
  return (
    isAtWork &&
    Number(batch.created.engineVersion) < Number(engineVersion) &&
    partitionsIn(batch, 'finished').length < batch.partitions.length
  );
}

/** No row will be added to it. */
const hasAllItWill = ({ status }: ExistingBatch): boolean =>
  status === 'CompilingResults' || status === 'Finished' || status === 'Stopped';

function partitionOf(batch: ExistingBatch, number: number): PartitionState | Refusal {
  return (
    batch.partitions[number] ?? refuse(400, 'unknown_partition', `This batch has no partition ${number}`)
  );
}

function isHopeless(
  { starts, fruitlessSince, stored }: PartitionState,
  start: { readonly stored?: number; readonly now: string },
): boolean {
  if (starts < MAX_PARTITION_STARTS || (start.stored ?? 0) > stored) return false;
  const since = fruitlessSince === null ? 0 : Date.parse(fruitlessSince);
  return Date.parse(start.now) - since >= MIN_FRUITLESS_SECONDS * 1_000;
}

/** Keeps the partitions that have finished. What a node still stores of the others is neither charged nor shown. */
function stop(batch: ExistingBatch): readonly BatchEvent[] | Refusal {
  const { batchId, userId, quotaMonth } = batch.created;
  if (batch.status === 'Stopped') return [];
  const finished = partitionsIn(batch, 'finished');
  const isAtWork = batch.status === 'Queued' || batch.status === 'Running';
  if (!isAtWork || finished.length === batch.partitions.length)
    return refuse(
      409,
      'batch_not_running',
      'Only a batch backtest that is running can be stopped: this one has ended',
    );
  if (finished.length === 0)
    return refuse(
      409,
      'no_rows_yet',
      'No part of this batch backtest has finished yet, so there is nothing to keep: delete it, or stop it later',
    );
  const rows = finished.reduce((sum, partition) => {
    const { from, to } = partitionRange(batch.created, partition);
    return sum + to - from;
  }, 0);
  const quotaReleased = unusedQuota(batch);
  return [{ type: 'BatchBacktestStopped', data: { batchId, userId, quotaMonth, quotaReleased, rows } }];
}

function decideOwner(
  command: Exclude<BatchOwnerCommand, { type: 'CreateBatchBacktest' }>,
  batch: ExistingBatch,
): readonly BatchEvent[] | Refusal {
  const { batchId, userId, quotaMonth, combinations } = batch.created;
  // Private things of others do not exist for the caller.
  if (command.userId !== userId) return NOT_FOUND;
  switch (command.type) {
    case 'DeleteBatchBacktest':
      return [
        {
          type: 'BatchBacktestDeleted',
          data: {
            batchId,
            userId,
            quotaMonth,
            // What a stopped one did not run has gone back already.
            quotaReleased: batch.status === 'Stopped' ? 0 : unusedQuota(batch),
          },
        },
      ];
    case 'StopBatchBacktest':
      return stop(batch);
    case 'RenameBatchBacktest': {
      const name = command.name.trim();
      if (name === '') return refuse(400, 'name_missing', 'Name is required');
      if (name.length > MAX_NAME_LENGTH)
        return refuse(400, 'name_too_long', `A name has at most ${MAX_NAME_LENGTH} characters`);
      return name === batch.name ? [] : [{ type: 'BatchBacktestRenamed', data: { batchId, name } }];
    }
    case 'ChangeBatchVisibility':
      return command.isPublic === batch.isPublic
        ? []
        : [{ type: 'BatchVisibilityChanged', data: { batchId, isPublic: command.isPublic } }];
    case 'ChangeBatchNote': {
      const text = command.text.trim();
      if (text.length > MAX_NOTE_LENGTH)
        return refuse(400, 'note_too_long', `A note has at most ${MAX_NOTE_LENGTH} characters`);
      return text === batch.note ? [] : [{ type: 'BatchNoteChanged', data: { batchId, text } }];
    }
    case 'PinResultRow': {
      const { combination } = command;
      const note = command.note.trim();
      if (!Number.isInteger(combination) || combination < 0 || combination >= combinations)
        return refuse(400, 'unknown_combination', `This batch has no combination ${combination}`);
      if (note.length > MAX_NOTE_LENGTH)
        return refuse(400, 'note_too_long', `A note has at most ${MAX_NOTE_LENGTH} characters`);
      if (batch.pins.get(combination) === note) return [];
      if (!batch.pins.has(combination) && batch.pins.size >= MAX_PINS)
        return refuse(409, 'too_many_pins', `A batch has at most ${MAX_PINS} pinned rows`);
      const others = batch.pins.entries().filter(([row]) => row !== combination);
      if (others.reduce((sum, [, text]) => sum + text.length, note.length) > MAX_PIN_NOTES)
        return refuse(
          409,
          'too_many_pins',
          'The notes of a batch’s pinned rows have at most ' +
            `${MAX_PIN_NOTES.toLocaleString('en-US')} characters together`,
        );
      return [{ type: 'ResultRowPinned', data: { batchId, combination, note } }];
    }
    case 'UnpinResultRow':
      return batch.pins.has(command.combination)
        ? [{ type: 'ResultRowUnpinned', data: { batchId, combination: command.combination } }]
        : [];
    case 'OpenOutOfSample':
      if (!batch.created.config.out_of_sample_date)
        return refuse(409, 'no_out_of_sample_date', 'This batch backtest names no out-of-sample date');
      if (batch.status !== 'Finished')
        return refuse(
          409,
          'results_not_ready',
          'The out-of-sample part can be opened once the batch has finished',
        );
      return batch.isOpened ? [] : [{ type: 'OutOfSampleOpened', data: { batchId, userId } }];
    default:
      return command satisfies never;
  }
}

function decideExisting(command: BatchCommand, batch: ExistingBatch): readonly BatchEvent[] | Refusal {
  const { batchId, userId } = batch.created;
  switch (command.type) {
    case 'CreateBatchBacktest':
      return refuse(409, 'batch_exists', 'This batch backtest exists already');
    // Repair of a batch that never came: this one did.
    case 'AbandonBatchBacktest':
      return refuse(409, 'batch_exists', 'This batch backtest exists already');
    case 'QueuePartitions': {
      if (batch.status !== 'Queued' && batch.status !== 'Running' && batch.status !== 'Error') return [];
      const partitions = command.partitions.filter((i) => batch.partitions[i]?.status === 'waiting');
      return partitions.length === 0 ? [] : [{ type: 'PartitionsQueued', data: { batchId, partitions } }];
    }
    case 'StartPartition': {
      const partition = partitionOf(batch, command.partition);
      if ('refusal' in partition) return partition;
      if (partition.status === 'finished')
        return refuse(409, 'partition_finished', 'This partition is finished');
      if (partition.status === 'failed' || hasAllItWill(batch))
        return refuse(409, 'partition_closed', 'This partition is not to be run');
      if (isHopeless(partition, command))
        return [
          {
            type: 'PartitionFailed',
            data: {
              batchId,
              partition: command.partition,
              attempt: partition.starts,
              node: command.node,
              isFinal: true,
              fault: {
                message: `Partition ${command.partition} was started ${partition.starts} times and never stored a row`,
                stack: [],
              },
            },
          },
        ];
      return [
        {
          type: 'PartitionStarted',
          data: {
            batchId,
            partition: command.partition,
            attempt: partition.starts + 1,
            node: command.node,
            ...(command.stored !== undefined && { stored: command.stored }),
          },
        },
      ];
    }
    case 'FinishPartition': {
      const partition = partitionOf(batch, command.partition);
      if ('refusal' in partition) return partition;
      if (partition.status === 'finished') return [];
      if (hasAllItWill(batch)) return [];
      const { node, seconds } = command;
      return [
        {
          type: 'PartitionFinished',
          data: { batchId, partition: command.partition, attempt: partition.starts, node, seconds },
        },
      ];
    }
    case 'FailPartition': {
      const partition = partitionOf(batch, command.partition);
      if ('refusal' in partition) return partition;
      // A late report of an attempt that another one has overtaken, or of a batch that was stopped.
      if (partition.status !== 'running' && partition.status !== 'queued') return [];
      const { node, fault } = command;
      const isFinal = partition.failures + 1 >= MAX_PARTITION_FAILURES;
      return [
        {
          type: 'PartitionFailed',
          data: { batchId, partition: command.partition, attempt: partition.starts, node, fault, isFinal },
        },
      ];
    }
    case 'StartCompiling':
      if (batch.status !== 'Running' && batch.status !== 'Queued') return [];
      if (partitionsIn(batch, 'finished').length < batch.partitions.length)
        return refuse(409, 'partitions_open', 'Not all partitions are finished');
      return [{ type: 'BatchCompilingStarted', data: { batchId } }];
    case 'FinishBatchBacktest':
      if (batch.status === 'Finished') return [];
      if (batch.status !== 'CompilingResults')
        return refuse(409, 'not_compiling', 'The results of this batch are not being compiled');
      return [{ type: 'BatchBacktestFinished', data: { batchId, summary: command.summary } }];
    case 'FailBatchBacktest': {
      if (batch.status === 'Error' || batch.status === 'Finished' || batch.status === 'Stopped') return [];
      const { errorId, partition, fault } = command;
      return [{ type: 'BatchBacktestFailed', data: { batchId, userId, errorId, partition, fault } }];
    }
    case 'ReplayBatchBacktest': {
      if (batch.status !== 'Error')
        return refuse(409, 'batch_not_failed', 'Only a batch backtest with an error can be replayed');
      const failed = partitionsIn(batch, 'failed');
      // Without a failed partition the compilation itself failed; running every partition again fills
      // whatever is missing.
      const partitions = failed.length > 0 ? failed : batch.partitions.map((_, i) => i);
      return [{ type: 'BatchBacktestReplayed', data: { batchId, errorId: command.errorId, partitions } }];
    }
    case 'ChangeBatchEngine': {
      const { engineVersion, fingerprint } = command;
      return mustBeginAnew(batch, engineVersion)
        ? [{ type: 'BatchEngineChanged', data: { batchId, engineVersion, fingerprint } }]
        : [];
    }
    default:
      return decideOwner(command, batch);
  }
}

function decide(command: BatchCommand, state: BatchState): readonly BatchEvent[] | Refusal {
  if (batchExists(state)) return decideExisting(command, state);
  if (state.status === 'abandoned')
    return command.type === 'AbandonBatchBacktest'
      ? []
      : command.type === 'CreateBatchBacktest'
        ? CREATION_EXPIRED
        : NOT_FOUND;
  if (state.status === 'deleted') {
    // Deleting twice is one deletion, for the owner only.
    if (command.type === 'DeleteBatchBacktest' && command.userId === state.userId) return [];
    return NOT_FOUND;
  }
  if (command.type === 'CreateBatchBacktest') return [{ type: 'BatchBacktestCreated', data: command.batch }];
  if (command.type === 'AbandonBatchBacktest')
    return [{ type: 'BatchBacktestAbandoned', data: { batchId: command.batchId, userId: command.userId } }];
  return NOT_FOUND;
}

/** The rules of a batch's life: created, its partitions run, compiled, finished; failed and replayed; deleted. */
export const batchDecider: Decider<BatchCommand, BatchState, BatchEvent> = {
  initialState: initialBatchState,
  decide,
  evolve: evolveBatch,
};
