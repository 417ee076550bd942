import type { BatchEvent } from '@quantloom/domain/batch/events';
import { resultHash } from '@quantloom/domain/batch/result-hash';
import { batchExists, type ExistingBatch } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { loadState, streamName } from '@quantloom/domain/kernel/handle-command';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { BlockRunner } from './block-runner.ts';
import { computeMissingRows } from './missing-rows.ts';

/** The rows of a batch cannot be computed again, or came out different; the message says why and what to do. */
export class RecomputeError extends Error {
  readonly code = 'recompute';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.name = 'RecomputeError';
    this.status = status;
  }
}

export interface Recomputed {
  /** Rows that were missing. */
  readonly computed: number;
  readonly rows: number;
  /** True: the rows are those that the batch finished with, bit by bit. Null: it finished before that was recorded. */
  readonly isSame: boolean | null;
}

/**
 * Computes and stores what is missing of a finished batch's rows: a store was lost, or came back from an
 * older backup. Nothing is written to the log, since nothing has happened to the batch. May be repeated, and
 * goes on where it broke off.
 *
 * @param options.isAnew also rows that are there are computed again
 * Rejects with a `RecomputeError` where the batch is not finished, was computed by another engine, or its
 * rows come out different.
 */
export async function recomputeBatch(
  deps: {
    readonly eventStore: EventStore;
    readonly results: ResultStore;
    readonly runner: BlockRunner;
    readonly clock: Clock;
    readonly outages?: Outages;
  },
  batchId: string,
  options: { readonly isAnew?: boolean; readonly onRows?: (done: number, all: number) => void } = {},
): Promise<Recomputed> {
  const { eventStore, results } = deps;
  const { created: batch } = await finishedBatch(eventStore, batchId);
  if (batch.engineVersion !== ENGINE_VERSION)
    throw new RecomputeError(
      409,
      `Batch ${batchId} was computed by engine version ${batch.engineVersion}, this is version ` +
        `${ENGINE_VERSION}: its numbers could differ. Run it with the release that it is from, or ` +
        'start it as a new batch',
    );
  const expected = await finishedHash(eventStore, batchId);
  if (options.isAnew) await results.deleteBatch(batchId);
  await results.createBatch(batchId, batch.variables);
  const before = await results.countRows(batchId);
  let done = before;
  await computeMissingRows(deps, batch, {
    nodeId: 'recompute',
    heartbeat: async () => {
      done = Math.max(done, await results.countRows(batchId));
      options.onRows?.(done, batch.combinations);
    },
  });
  // It may have been deleted meanwhile: then its rows go as well.
  const { state } = await loadState(eventStore, BATCH_STREAM, batchId);
  if (!batchExists(state)) {
    await results.deleteBatch(batchId);
    throw new RecomputeError(404, `Batch ${batchId} was deleted meanwhile`);
  }
  const rows = await results.countRows(batchId);
  if (rows !== batch.combinations)
    throw new RecomputeError(
      422,
      `Batch ${batchId} has ${rows} rows where it finished with ${batch.combinations}; compute all of them with --anew`,
    );
  const hash = resultHash({ ...batch, rows: await results.hashRows(batchId) });
  if (expected !== null && hash !== expected)
    throw new RecomputeError(
      422,
      `The rows of batch ${batchId} differ from those that it finished ` +
        `with${options.isAnew ? '; are these the prices and the release that it was computed with?' : ': rows that were left in the store are damaged, or the prices are others. Compute all of them with --anew'}`,
    );
  return { computed: rows - before, rows, isSame: expected === null ? null : true };
}

async function finishedBatch(eventStore: EventStore, batchId: string): Promise<ExistingBatch> {
  const { state } = await loadState(eventStore, BATCH_STREAM, batchId);
  if (!batchExists(state)) throw new RecomputeError(404, `There is no batch ${batchId}`);
  if (state.status === 'Finished') return state;
  throw new RecomputeError(
    409,
    state.status === 'Error'
      ? `Batch ${batchId} is in error and has no results that could be computed again; an ` +
          'administrator can let it run again'
      : `Batch ${batchId} is not finished: its rows are being computed`,
  );
}

/** The hash that the batch finished with; null where it finished before there was one. */
async function finishedHash(eventStore: EventStore, batchId: string): Promise<string | null> {
  const stream = streamName(BATCH_STREAM, batchId);
  for await (const { type, data } of eventStore.readStream(stream, { direction: 'backwards' })) {
    const event = { type, data } as BatchEvent;
    if (event.type === 'BatchBacktestFinished') return event.data.summary.hash ?? null;
  }
  return null;
}
