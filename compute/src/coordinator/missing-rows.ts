import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { BlockRunner } from './block-runner.ts';
import { runPartition } from './run-partition.ts';

/** A partition's rows may take this long: whoever computes them here shows signs of life by himself. */
const DEADLINE_SECONDS = 86_400;

/**
 * Computes and stores what is missing of a batch's rows, one partition after the other: a store has lost them.
 * Nothing is written to the log. May be repeated, and goes on where it broke off.
 *
 * Rejects with the reason of the signal, or whatever engine or store rejected with.
 */
export async function computeMissingRows(
  deps: {
    readonly results: ResultStore;
    readonly runner: BlockRunner;
    readonly clock: Clock;
    readonly outages?: Outages;
  },
  batch: BatchBacktestCreated['data'],
  {
    nodeId,
    signal,
    heartbeat = async () => undefined,
  }: {
    readonly nodeId: string;
    readonly signal?: AbortSignal;
    readonly heartbeat?: () => Promise<void>;
  },
): Promise<void> {
  signal?.throwIfAborted();
  const abort = new AbortController();
  const stop = () => abort.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    for (let partition = 0; partition < batch.partitions; partition += 1) {
      abort.signal.throwIfAborted();
      await runPartition({
        ...deps,
        batch,
        partition,
        nodeId,
        abort,
        heartbeat,
        publish: async () => undefined,
        options: { deadlineSeconds: DEADLINE_SECONDS },
      });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
