import {
  type BatchDocument,
  batchesProjection,
  UNFINISHED_STATUSES,
} from '@quantloom/domain/batch/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';

/**
 * Seconds until each batch that is not finished will be, as it was promised: its own estimate from its creation on.
 *
 * @param now milliseconds since 1970
 */
export async function openBatches(readModels: ReadModels, now: number): Promise<readonly number[]> {
  const documents = await readModels.find<BatchDocument>(batchesProjection.collection.name, {
    where: { status: { in: UNFINISHED_STATUSES } },
  });
  return documents.map((batch) => remainingSeconds(batch, now)).filter((seconds) => seconds > 0);
}

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
  return Math.min(Math.max(promised, 0), open);
}

/**
 * How much longer a batch takes because of others: the machine serves all of them in equal parts, so each keeps it for as long as the shorter of both is
 * there. What remains of the others contains their waiting for each other: after the longest of them none is left.
 *
 * @param seconds the batch's own work
 * @param others what remains of each of the others, in seconds
 */
export function secondsOfWaiting(seconds: number, others: readonly number[]): number {
  const shared = others.reduce((sum, remaining) => sum + Math.min(seconds, remaining), 0);
  return Math.min(shared, Math.max(0, ...others));
}
