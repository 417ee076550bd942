import type { EventMetadata } from '../kernel/event.ts';
import type { BatchBacktestCreated, BatchEvent, CombinationRange } from './events.ts';

/** Where a partition stands. `queued`: on the bus; `running`: a node said it began (it may have died since). */
export type PartitionStatus = 'waiting' | 'queued' | 'running' | 'finished' | 'failed';

export interface PartitionState {
  readonly status: PartitionStatus;
  /** Times it was started without any row more than at the start before. */
  readonly starts: number;
  /** When the first of those starts was, ISO 8601; null where it has none. */
  readonly fruitlessSince: string | null;
  /** Rows that were stored when it was last started. */
  readonly stored: number;
  /** Times it failed since it was last let run. */
  readonly failures: number;
  /** Times it was put on the bus, ever; part of the job's message id. */
  readonly rounds: number;
}

export type BatchState =
  | { readonly status: 'none' }
  | { readonly status: 'abandoned' }
  | { readonly status: 'deleted'; readonly userId: string }
  | ExistingBatch;

export interface ExistingBatch {
  readonly status: 'Queued' | 'Running' | 'CompilingResults' | 'Finished' | 'Stopped' | 'Error';
  readonly created: BatchBacktestCreated['data'];
  readonly name: string;
  readonly isPublic: boolean;
  readonly partitions: readonly PartitionState[];
  readonly note: string;
  readonly pins: ReadonlyMap<number, string>;
  readonly errorId: string | null;
  /** The part from the out-of-sample date on was looked at. */
  readonly isOpened: boolean;
}

export const initialBatchState: BatchState = { status: 'none' };

/** True for a batch that was created and not deleted. */
export function batchExists(state: BatchState): state is ExistingBatch {
  return state.status !== 'none' && state.status !== 'abandoned' && state.status !== 'deleted';
}

/** Combinations of a partition. */
export function partitionRange(
  batch: Pick<BatchBacktestCreated['data'], 'combinations' | 'partitionSize'>,
  partition: number,
): CombinationRange {
  const from = partition * batch.partitionSize;
  return { from, to: Math.min(batch.combinations, from + batch.partitionSize) };
}

/** Numbers of the partitions in one of the given states, ascending. */
export function partitionsIn(batch: ExistingBatch, ...statuses: readonly PartitionStatus[]): number[] {
  return batch.partitions.flatMap(({ status }, i) => (statuses.includes(status) ? [i] : []));
}

const FRESH: PartitionState = {
  status: 'waiting',
  starts: 0,
  fruitlessSince: null,
  stored: 0,
  failures: 0,
  rounds: 0,
};

function change(
  batch: ExistingBatch,
  numbers: readonly number[],
  how: (partition: PartitionState) => PartitionState,
): ExistingBatch {
  const partitions = batch.partitions.slice();
  for (const number of numbers) partitions[number] = how(partitions[number] ?? FRESH);
  return { ...batch, partitions };
}

/** The state after one more event. Total: an event that does not fit leaves the state alone. */
export function evolveBatch(
  state: BatchState,
  event: BatchEvent & { readonly metadata?: EventMetadata },
): BatchState {
  if (event.type === 'BatchBacktestCreated')
    return {
      status: 'Queued',
      created: event.data,
      name: event.data.name,
      isPublic: event.data.isPublic,
      partitions: Array.from({ length: event.data.partitions }, () => FRESH),
      note: '',
      pins: new Map(),
      errorId: null,
      isOpened: false,
    };
  if (event.type === 'BatchBacktestAbandoned') return { status: 'abandoned' };
  if (!batchExists(state)) return state;
  switch (event.type) {
    case 'PartitionsQueued':
      return change(state, event.data.partitions, (p) => ({ ...p, status: 'queued', rounds: p.rounds + 1 }));
    case 'PartitionStarted':
      return {
        ...change(state, [event.data.partition], (p) => {
          const { stored = 0 } = event.data;
          const starts = stored > p.stored ? 1 : p.starts + 1;
          const recordedAt = event.metadata?.recordedAt ?? null;
          const fruitlessSince = starts === 1 ? recordedAt : p.fruitlessSince;
          return { ...p, status: 'running', starts, fruitlessSince, stored: Math.max(stored, p.stored) };
        }),
        status: state.status === 'Queued' ? 'Running' : state.status,
      };
    case 'PartitionFinished':
      return change(state, [event.data.partition], (p) => ({ ...p, status: 'finished' }));
    case 'PartitionFailed':
      return change(state, [event.data.partition], (p) => ({
        ...p,
        status: event.data.isFinal ? 'failed' : 'waiting',
        failures: p.failures + 1,
      }));
    case 'BatchCompilingStarted':
      return { ...state, status: 'CompilingResults' };
    case 'BatchBacktestFinished':
      return { ...state, status: 'Finished', errorId: null };
    case 'BatchBacktestFailed':
      return { ...state, status: 'Error', errorId: event.data.errorId };
    case 'BatchBacktestReplayed':
      return {
        ...change(state, event.data.partitions, (p) => ({
          ...p,
          status: 'waiting',
          starts: 0,
          fruitlessSince: null,
          failures: 0,
        })),
        status: 'Running',
        errorId: null,
      };
    case 'BatchEngineChanged': {
      const { engineVersion, fingerprint } = event.data;
      const anew = change(state, [...state.partitions.keys()], ({ rounds }) => ({ ...FRESH, rounds }));
      // Rows of earlier batches are of the engine before.
      return { ...anew, created: { ...state.created, engineVersion, fingerprint, reuse: [] } };
    }
    case 'BatchBacktestStopped':
      // Nothing of it is on its way any more.
      return {
        ...change(state, partitionsIn(state, 'queued', 'running', 'failed'), (p) => ({
          ...p,
          status: 'waiting',
        })),
        status: 'Stopped',
      };
    case 'BatchBacktestDeleted':
      return { status: 'deleted', userId: state.created.userId };
    case 'BatchBacktestRenamed':
      return { ...state, name: event.data.name };
    case 'BatchVisibilityChanged':
      return { ...state, isPublic: event.data.isPublic };
    case 'BatchNoteChanged':
      return { ...state, note: event.data.text };
    case 'ResultRowPinned':
      return { ...state, pins: new Map(state.pins).set(event.data.combination, event.data.note) };
    case 'ResultRowUnpinned': {
      const pins = new Map(state.pins);
      pins.delete(event.data.combination);
      return { ...state, pins };
    }
    case 'OutOfSampleOpened':
      return { ...state, isOpened: true };
    default: {
      event satisfies never;
      return state;
    }
  }
}
