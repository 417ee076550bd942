import {
  type BatchDocument,
  batchesProjection,
  UNFINISHED_STATUSES,
} from '@quantloom/domain/batch/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';

/** Every estimate and every creation asks: for so long the answer of a moment ago will do. */
const FRESH_MS = 1_000;
/** With more of them before one, the estimate is a guess anyway: of all users together. */
const MOST_LOOKED_AT = 5_000;

interface Look {
  readonly at: number;
  readonly documents: Promise<readonly BatchDocument[]>;
}
const lastLooks = new WeakMap<object, Look>();

/**
 * Seconds until each batch that is not finished will be, as it was promised: its own estimate from its creation on.
 *
 * @param now milliseconds since 1970
 */
export async function openBatches(readModels: ReadModels, now: number): Promise<readonly number[]> {
  const last = lastLooks.get(readModels);
  const isFresh = last !== undefined && performance.now() - last.at < FRESH_MS;
  const documents = isFresh ? last.documents : look(readModels);
  // Nobody is kept waiting by one that was to be over by now, nor less for it.
  return (await documents).map((batch) => remainingSeconds(batch, now)).filter((seconds) => seconds > 0);
}

function look(readModels: ReadModels): Look['documents'] {
  const documents = readModels.find<BatchDocument>(batchesProjection.collection.name, {
    where: { status: { in: UNFINISHED_STATUSES } },
    limit: MOST_LOOKED_AT,
  });
  lastLooks.set(readModels, { at: performance.now(), documents });
  documents.catch(() => lastLooks.delete(readModels));
  return documents;
}

/** At most 0: it was to be over by now. */
function remainingSeconds(
  {
    createdAt,
    timeEstimateSeconds,
    openPartitions,
    partitions,
  }: Pick<BatchDocument, 'createdAt' | 'timeEstimateSeconds' | 'openPartitions' | 'partitions'>,
  now: number,
): number {
  const promised = (Date.parse(createdAt) - now) / 1000 + timeEstimateSeconds;
  // One that takes longer than was promised still has what its open partitions are worth, at most.
  const open = (timeEstimateSeconds * openPartitions.length) / Math.max(1, partitions);
  return Math.min(promised, open);
}

/**
 * How much longer a batch takes because of others: the machine serves all of them in equal parts, so each
 * keeps it for as long as the shorter of both is there. What remains of the others contains their waiting for
 * each other: after the longest of them none is left.
 *
 * @param seconds the batch's own work
 * @param others what remains of each of the others, in seconds
 */
export function secondsOfWaiting(seconds: number, others: readonly number[]): number {
  let [shared, longest] = [0, 0];
  for (const remaining of others) {
    shared += Math.min(seconds, remaining);
    longest = Math.max(longest, remaining);
  }
  return Math.min(shared, longest);
}
