import type { BatchEvent } from './events.ts';
import { type BatchState, batchExists, type ExistingBatch, partitionsIn } from './state.ts';

/**
 * What a batch needs next, as a pure function of an event and of the batch as it is now. Every step may be
 * repeated: commands carry ids derived from the event, jobs ids derived from partition and round, and the
 * rest sets or deletes.
 */
export type BatchStep =
  /** Make room for the rows and copy those of earlier batches. */
  | { readonly kind: 'prepare' }
  /** Put waiting partitions on the bus, as far as the user's share allows. */
  | { readonly kind: 'schedule' }
  | { readonly kind: 'publishJobs'; readonly jobs: readonly { partition: number; round: number }[] }
  | { readonly kind: 'startCompiling' }
  | { readonly kind: 'compile' }
  | {
      readonly kind: 'fail';
      readonly partition: number;
      readonly fault: { readonly message: string; readonly stack: readonly string[] };
    }
  | {
      readonly kind: 'recordError';
      readonly errorId: string;
      readonly partition: number | null;
      readonly fault: { readonly message: string; readonly stack: readonly string[] };
    }
  /** Stop the work on every node and drop the progress; rows stay. */
  | { readonly kind: 'stopWork' }
  /** Stop the work on every node, drop rows and progress. */
  | { readonly kind: 'cancel' }
  | {
      readonly kind: 'releaseQuota';
      readonly userId: string;
      /** At most what the batch still holds. */
      readonly combinations: number | 'all';
      readonly month: string;
      readonly reason: 'batch_deleted' | 'batch_failed' | 'batch_stopped';
    };

/** The steps that follow from `event` when the batch stands at `state` (which may be further on than the event). */
export function nextSteps(event: BatchEvent, state: BatchState): readonly BatchStep[] {
  if (event.type === 'BatchBacktestDeleted') {
    const { quotaReleased, quotaMonth, userId } = event.data;
    return [
      { kind: 'cancel' },
      {
        kind: 'releaseQuota',
        userId,
        combinations: quotaReleased,
        month: quotaMonth,
        reason: 'batch_deleted',
      },
      { kind: 'schedule' },
    ];
  }
  if (!batchExists(state)) return [];
  switch (event.type) {
    case 'BatchBacktestCreated':
      return [{ kind: 'prepare' }, { kind: 'schedule' }];
    case 'PartitionsQueued':
      return [
        {
          kind: 'publishJobs',
          jobs: event.data.partitions.flatMap((partition) => {
            const now = state.partitions[partition];
            return now?.status === 'queued' ? [{ partition, round: now.rounds }] : [];
          }),
        },
      ];
    case 'PartitionFinished':
      return allFinished(state) ? [{ kind: 'startCompiling' }, { kind: 'schedule' }] : [{ kind: 'schedule' }];
    case 'PartitionFailed':
      return event.data.isFinal
        ? [{ kind: 'fail', partition: event.data.partition, fault: event.data.fault }, { kind: 'schedule' }]
        : [{ kind: 'schedule' }];
    case 'BatchBacktestReplayed':
      return [{ kind: 'schedule' }];
    case 'BatchCompilingStarted':
      return state.status === 'CompilingResults' ? [{ kind: 'compile' }] : [];
    case 'BatchBacktestStopped': {
      const { userId, quotaReleased: combinations, quotaMonth: month } = event.data;
      return [
        { kind: 'stopWork' },
        { kind: 'releaseQuota', userId, combinations, month, reason: 'batch_stopped' },
        { kind: 'schedule' },
      ];
    }
    case 'BatchBacktestFailed': {
      const { errorId, partition, fault } = event.data;
      const { userId, quotaMonth: month } = state.created;
      // What is the owner's doing fails rows; a batch fails for a fault of ours, and costs nothing even if it
      // is completed later.
      return [
        { kind: 'recordError', errorId, partition, fault },
        { kind: 'releaseQuota', userId, combinations: 'all', month, reason: 'batch_failed' },
      ];
    }
    default:
      return [];
  }
}

/** A step, and the event that it follows from. */
export interface OpenStep<Event extends BatchEvent = BatchEvent> {
  readonly event: Event;
  readonly step: BatchStep;
}

/**
 * What is still to be done for a batch of which nobody knows how far it was reacted to: the steps of its
 * whole stream that its present state has not overtaken, each once. Without `schedule`, which concerns all
 * batches of a user and is done once for all.
 *
 * @param events the batch's stream from its beginning
 */
export function openSteps<Event extends BatchEvent>(
  events: readonly Event[],
  state: BatchState,
): readonly OpenStep<Event>[] {
  const last = new Map<string, Event>();
  const lastFailures = new Map<number, Event>();
  for (const event of events) {
    last.set(event.type, event);
    if (event.type === 'PartitionFailed') lastFailures.set(event.data.partition, event);
  }
  const published = new Set<number>();
  return events.flatMap((event) =>
    isRepeatedIn(event, last)
      ? []
      : nextSteps(event, state).flatMap((step): readonly OpenStep<Event>[] => {
          if (step.kind === 'schedule') return [];
          if (step.kind === 'prepare' && batchExists(state) && hasEnded(state)) return [];
          // Let run again since then: failing it for the old reason would end the new try, or be told in
          // place of the new reason.
          if (step.kind === 'fail')
            return hasFailed(state, step.partition) && lastFailures.get(step.partition) === event
              ? [{ event, step }]
              : [];
          if (step.kind !== 'publishJobs') return [{ event, step }];
          const jobs = step.jobs.filter(({ partition }) => !published.has(partition));
          for (const { partition } of jobs) published.add(partition);
          return jobs.length === 0 ? [] : [{ event, step: { ...step, jobs } }];
        }),
  );
}

/** What follows from these does not depend on which partition it was: the last one says it for all. */
function isRepeatedIn(event: BatchEvent, last: ReadonlyMap<string, BatchEvent>): boolean {
  const isAlike = event.type === 'PartitionFinished' || event.type === 'BatchCompilingStarted';
  return isAlike && last.get(event.type) !== event;
}

const hasEnded = ({ status }: ExistingBatch): boolean =>
  status === 'Finished' || status === 'Stopped' || status === 'Error';

function hasFailed(state: BatchState, partition: number): boolean {
  return batchExists(state) && !hasEnded(state) && state.partitions[partition]?.status === 'failed';
}

/** True when every partition has come to its end and none failed for good. */
export function allFinished(batch: ExistingBatch): boolean {
  return batch.partitions.every(({ status }) => status === 'finished');
}

/** One batch with open partitions, as the scheduler sees it. */
export interface ActiveBatch {
  readonly batchId: string;
  readonly userId: string;
  readonly isQuick: boolean;
  /** Partitions that are not on the bus yet, ascending. */
  readonly waiting: readonly number[];
  /** Partitions on the bus or in work. */
  readonly inFlight: number;
}

/** The scheduler's view of a batch. */
export function activeBatch(batch: ExistingBatch): ActiveBatch {
  const { batchId, userId, isQuick } = batch.created;
  return {
    batchId,
    userId,
    isQuick,
    waiting:
      batch.status === 'CompilingResults' || batch.status === 'Finished' || batch.status === 'Stopped'
        ? []
        : partitionsIn(batch, 'waiting'),
    inFlight: partitionsIn(batch, 'queued', 'running').length,
  };
}
