import { BATCH_EVENTS } from '@quantloom/domain/batch/events';
import {
  ANALYSIS_CLAIMS_COLLECTION,
  BATCH_ANALYSES_COLLECTION,
  BATCH_PROGRESS_COLLECTION,
  type BatchDocument,
  type BatchProgressDocument,
  batchDefinitionsProjection,
  batchesProjection,
  UNFINISHED_STATUSES,
} from '@quantloom/domain/batch/projections';
import { batchExists, partitionsIn } from '@quantloom/domain/batch/state';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { pause } from '@quantloom/domain/kernel/pause';
import { BEFORE_FIRST, type Position } from '@quantloom/domain/ports/event-store';
import { awayIn, NO_OUTAGES } from '@quantloom/domain/ports/outages';
import {
  type QuotaReservationDocument,
  quotaReservationsProjection,
} from '@quantloom/domain/usage/projections';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import { BatchSteps } from './batch-steps.ts';
import { followCapacity } from './capacity.ts';
import type { Cause } from './cause.ts';
import type { Backlog } from './dispatcher.ts';
import { Lanes } from './lanes.ts';
import { pagesOf } from './open-batches.ts';
import { startProgress } from './progress.ts';
import { react } from './react.ts';
import { takeUp, takeUpOpenBatches } from './take-up.ts';
import { UnderWay } from './under-way.ts';

/** Name of the checkpoint; without one, what is open is taken up instead of reacting to the whole log. */
const PROCESS_NAME = 'batchProcess_v1';
/**
 * Positions behind the end of the log from which on it is quicker to ask what is open than to react to all
 * that happened.
 */
const FAR_BEHIND = 50_000n;
/** Users whose batches are served at a time. */
const LANES = 8;
/**
 * Events that have been read and wait, of one user and of all: while something of his takes minutes, such as
 * copying a million rows, the log is read on for the others. It stops only for what nobody does in that time.
 */
const MOST_WAITING = { ofKey: 10_000, ofAll: 20_000 };
/** A step may take seconds (copying rows): only after that long without a move somebody else takes over. */
const STAND_BY_MS = 5_000;

export interface RunningBatchProcesses {
  /** Position up to which every event has been reacted to. */
  position(): Position;
  /** Work that is open; null where another process is the one that knows. */
  backlog(): readonly Backlog[] | null;
  /** Stops after the event at hand. */
  close(): Promise<void>;
}

/**
 * Follows the log for batches: cuts, queues, lets sum up, fails, cancels, gives quota back; and keeps the
 * progress read model. Run it in one process at a time: a second one notices by the checkpoint and waits.
 * Steps may be repeated, so an overlap does no harm.
 */
export async function startBatchProcesses(deps: BatchProcessDeps): Promise<RunningBatchProcesses> {
  const { bus, readModels, log, outages = NO_OUTAGES } = deps;
  await bus.ensureTopics(Object.values(TOPICS));
  for (const { collection } of [batchesProjection, batchDefinitionsProjection, quotaReservationsProjection])
    await readModels.ensureCollection(collection);
  await readModels.ensureCollection(BATCH_PROGRESS_COLLECTION);
  await readModels.ensureCollection(BATCH_ANALYSES_COLLECTION);
  await readModels.ensureCollection(ANALYSIS_CLAIMS_COLLECTION);
  const abort = new AbortController();
  const steps = new BatchSteps(deps);
  const progress = await startProgress(deps);
  /** Whether this process is the one that reacts; another one stands by. */
  let isFollowing = false;
  /** Without an event: more or fewer nodes, or nobody has heard of a batch. */
  const look = () => {
    const now = deps.clock.now().toISOString();
    return { id: deps.ids(), correlationId: 'dispatch', at: now };
  };
  const capacity = await followCapacity(deps, steps.capacity, () => {
    if (!isFollowing) return;
    steps.dispatcher.run(look()).catch((error: unknown) => {
      if (!awayIn(error)) log.error({ err: error }, 'partitions could not be dispatched');
    });
  });
  let handled: Position = (await readModels.checkpoint(PROCESS_NAME)) ?? BEFORE_FIRST;

  const lanes = new Lanes(LANES);

  const follow = async () => {
    let stored = await readModels.checkpoint(PROCESS_NAME);
    const head = await deps.eventStore.head();
    handled = stored ?? BEFORE_FIRST;
    const isNearby = stored !== null && head - stored <= (deps.options?.farBehind ?? FAR_BEHIND);
    const from = isNearby ? handled : head;
    let reached = from;
    steps.dispatcher.reset();
    isFollowing = true;
    const lost = new AbortController();
    const signal = AbortSignal.any([abort.signal, lost.signal]);
    const save = async (position: Position) => {
      await readModels.commit(PROCESS_NAME, { expected: stored, next: position, writes: [] });
      stored = position;
      handled = position;
    };
    /**
     * A batch comes with its template and all its values, up to a megabyte: what waits is read again when its
     * turn comes.
     */
    const reactionTo = ({ stream, revision, ...event }: RecordedEvent, until: AbortSignal) => {
      const isLarge = event.type === 'BatchBacktestCreated';
      const kept = isLarge ? null : { ...event, stream, revision };
      return async () => {
        if (until.aborted) return;
        if (kept) return await react(deps, steps, kept, until);
        for await (const found of deps.eventStore.readStream(stream, { fromRevision: revision, maxCount: 1 }))
          await react(deps, steps, found, until);
      };
    };
    const underWay = new UnderWay();
    let saving: Promise<void> = Promise.resolve();
    let isSaving = false;
    /** Keeps the place up to which everything has been reacted to; at most one write at a time. */
    const keep = () => {
      if (isSaving) return;
      isSaving = true;
      saving = (async () => {
        try {
          for (;;) {
            const safe = underWay.safe(reached);
            if (!isComplete || signal.aborted || (stored !== null && safe <= stored)) return;
            await save(safe);
          }
        } catch (error) {
          lost.abort(error);
        } finally {
          isSaving = false;
        }
      })();
    };
    // The place is kept only when what was open at the head is taken care of: who dies before that begins again.
    let isComplete = isNearby;
    const takingUp = isNearby
      ? // What is not found yet, or not to be had just now, the sweep comes to.
        goOn(deps, steps, look(), signal).catch(() => undefined)
      : takeUpOpenBatches(deps, steps, head, signal).then(
          async () => {
            if (signal.aborted) return;
            isComplete = true;
            keep();
          },
          (error: unknown) => lost.abort(error),
        );
    const batches = deps.eventStore.subscribe(from, {
      signal,
      filter: { streamPrefixes: ['batch-'], eventTypes: BATCH_EVENTS.types },
      maxBatchSize: 100,
    });
    try {
      for await (const { events, position } of batches) {
        for (const event of events) {
          if (signal.aborted) break;
          // Nothing follows from these, so that they wait for nothing.
          if (OWNERS_DOING.has(event.type)) continue;
          const lane = await laneOf(steps, event);
          await lanes.room(lane, MOST_WAITING);
          if (signal.aborted) break;
          underWay.begin(event.position);
          lanes.run(lane, reactionTo(event, signal)).then(
            () => {
              if (!signal.aborted) underWay.end(event.position);
              keep();
            },
            (error: unknown) => lost.abort(error),
          );
        }
        if (signal.aborted) break;
        reached = position;
        keep();
      }
    } finally {
      isFollowing = false;
      if (!abort.signal.aborted) lost.abort(lost.signal.reason);
      await takingUp;
      await lanes.below(1);
      await saving;
    }
    if (lost.signal.aborted) throw lost.signal.reason;
  };

  const following = (async () => {
    while (!abort.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (abort.signal.aborted) return;
        if ((error as { code?: unknown }).code === 'checkpoint_conflict') {
          log.info({}, 'another process runs the batch process, standing by');
          await standBy(deps, abort.signal).catch(() => pause(1_000, abort.signal));
          continue;
        }
        // An outage is told by whoever watches the servers.
        if (awayIn(error)) await outages.untilBack(abort.signal);
        else
          log.error({ err: error }, 'the batch process lost its place and starts again from its checkpoint');
        await pause(1_000, abort.signal);
      }
    }
  })();

  /** Batch → when its lost jobs were last put onto the bus again. */
  const republished = new Map<string, string>();
  const sweeping = (async () => {
    const every = (deps.options?.sweepSeconds ?? 10) * 1_000;
    while (!abort.signal.aborted) {
      await pause(every, abort.signal);
      if (abort.signal.aborted) return;
      if (!isFollowing) continue;
      // Silence during an outage is no sign of a lost job.
      if (outages.current().some(({ dependency }) => dependency !== 'threads')) continue;
      try {
        await sweep(deps, steps, republished, abort.signal);
      } catch (error) {
        if (!awayIn(error))
          log.error({ err: error }, 'the sweep for open reservations and stuck batches failed');
      }
    }
  })();

  return {
    position: () => handled,
    backlog: () => (isFollowing ? steps.dispatcher.backlog() : null),
    close: async () => {
      abort.abort();
      await Promise.all([following, sweeping, progress.close(), capacity.close()]);
      await steps.dispatcher.idle();
    },
  };
}

/** Whose work the event's takes its turn behind: his who owns the batch. */
async function laneOf(steps: BatchSteps, { data }: RecordedEvent): Promise<string> {
  const { batchId } = data as { batchId: string };
  const state = await steps.state(batchId);
  return batchExists(state) ? state.created.userId : batchId;
}

/** What somebody else was at before: whoever takes over learns what is open. */
async function goOn(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  cause: Cause,
  signal: AbortSignal,
): Promise<void> {
  await steps.schedule(cause, null);
  // Asked for once more: an earlier version summed up by itself, and what it had begun nobody else has heard of.
  const { name } = batchesProjection.collection;
  for await (const page of pagesOf<BatchDocument>(deps.readModels, name, { status: 'CompilingResults' }))
    for (const { id } of page) if (!signal.aborted) await takeUp(deps, steps, id, signal);
}

const OWNERS_DOING: ReadonlySet<string> = new Set([
  'BatchBacktestRenamed',
  'BatchNoteChanged',
  'BatchVisibilityChanged',
  'ResultRowPinned',
  'ResultRowUnpinned',
]);

/** Waits until the process that moves the checkpoint has stopped moving it although there is work. */
async function standBy({ readModels, eventStore }: BatchProcessDeps, signal: AbortSignal): Promise<void> {
  let seen = await readModels.checkpoint(PROCESS_NAME);
  while (!signal.aborted) {
    await pause(STAND_BY_MS, signal);
    const now = await readModels.checkpoint(PROCESS_NAME);
    if (now === seen && (now ?? BEFORE_FIRST) < (await eventStore.head())) return;
    seen = now;
  }
}

/** What no event asks for: reservations whose batch never came, batches that wait although nothing is on the way. */
async function sweep(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  republished: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, clock, ids, options } = deps;
  const now = clock.now();
  const cause: Cause = { id: ids(), correlationId: `sweep-${now.getTime()}`, at: now.toISOString() };
  const before = new Date(now.getTime() - (options?.reservationSeconds ?? 60) * 1_000).toISOString();
  const open = await readModels.find<QuotaReservationDocument>(quotaReservationsProjection.collection.name, {
    where: { isConfirmed: false, reservedAt: { lt: before } },
    limit: 100,
  });
  for (const { id, userId, month } of open) await steps.abandon(userId, month, id, cause);
  await steps.schedule(cause, null);
  await republishLost(deps, steps, now, republished, signal);
}

/**
 * Jobs that got lost on the bus (dead letters, a lost topic) would leave a batch open for ever: they are put
 * there again.
 */
async function republishLost(
  deps: BatchProcessDeps,
  steps: BatchSteps,
  now: Date,
  republished: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const { readModels, options, log } = deps;
  const silent = new Date(now.getTime() - (options?.lostJobSeconds ?? 300) * 1_000).toISOString();
  const open = new Set<string>();
  for (const status of UNFINISHED_STATUSES)
    for await (const page of pagesOf<BatchDocument>(readModels, batchesProjection.collection.name, {
      status,
    }))
      for (const { id } of page) {
        open.add(id);
        // Nothing of it is on its way, so nothing of it got lost.
        if (status === 'Queued' && (await steps.dispatcher.isIdle(id))) continue;
        const last = await lastSign(deps, id);
        // Long queues look the same as lost jobs: not again and again.
        if (last === null || last > silent || (republished.get(id) ?? '') > silent) continue;
        const state = await steps.state(id);
        if (!batchExists(state)) continue;
        if (state.status === 'CompilingResults') {
          republished.set(id, now.toISOString());
          log.warn({ batchId: id }, 'results that nobody has summed up are asked for again');
          await takeUp(deps, steps, id, signal);
          continue;
        }
        const lost = partitionsIn(state, 'queued', 'running');
        if (lost.length === 0) continue;
        republished.set(id, now.toISOString());
        log.warn(
          { batchId: id, partitions: lost.length },
          'partitions without a sign of life go onto the bus again',
        );
        await steps.publishJobs(
          state.created.isQuick,
          lost.map((partition) => ({
            batchId: id,
            partition,
            round: state.partitions[partition]?.rounds ?? 1,
          })),
          { correlationId: id },
        );
      }
  for (const id of republished.keys()) if (!open.has(id)) republished.delete(id);
}

/** When the batch last moved: its last event, or its last progress. */
async function lastSign(
  { eventStore, readModels }: BatchProcessDeps,
  batchId: string,
): Promise<string | null> {
  let last: string | null = null;
  for await (const event of eventStore.readStream(`batch-${batchId}`, { direction: 'backwards' })) {
    // What its owner does with a name or a note is no sign that anything works on it.
    if (OWNERS_DOING.has(event.type)) continue;
    last = event.metadata.recordedAt;
    break;
  }
  const progress = await readModels.get<BatchProgressDocument>(BATCH_PROGRESS_COLLECTION.name, batchId);
  return progress && (last === null || progress.at > last) ? progress.at : last;
}
