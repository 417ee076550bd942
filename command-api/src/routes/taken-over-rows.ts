import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import type { RowMap } from '@quantloom/domain/batch/reuse';
import { batchExists } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { Principal } from '@quantloom/http/principal';
import type { ReadModelProgress } from '@quantloom/http/read-own-writes';
import type { WriteDeps } from '../deps.ts';

/** A window that is longer than any month: its key names the month. */
const MONTH_MS = 62 * 24 * 60 * 60 * 1000;
/** How long a deletion waits to learn of the batches that were created just before it. */
const MAX_WAIT_MS = 1_000;
const SOURCE_IS_GONE = refuse(
  409,
  'too_many_changes',
  'An earlier batch whose rows this one was to take over was deleted just now. Please try again.',
);

const number = (value: number): string => value.toLocaleString('en-US');

/**
 * Takes rows that a batch copies from earlier ones out of what its user has for the month: they cost no
 * quota, but fill the disk like others.
 *
 * @returns gives them back, for a batch that is not created after all; or the refusal
 */
export async function takeCopiedRows(
  { rateLimits }: Pick<WriteDeps, 'rateLimits'>,
  { userId, planId }: Pick<Principal, 'userId' | 'planId'>,
  month: string,
  rows: number,
): Promise<(() => Promise<void>) | Refusal> {
  if (!rateLimits || rows === 0) return async () => undefined;
  const key = `copied:${userId}:${month}`;
  const most = USE_LIMITS[planId].copiedRowsPerMonth;
  const { hits } = await rateLimits.hit(key, MONTH_MS, rows);
  const giveBack = async () => {
    await rateLimits.hit(key, MONTH_MS, -rows);
  };
  if (hits <= most) return giveBack;
  await giveBack();
  const left = Math.max(0, most - (hits - rows));
  return refuse(
    429,
    'copied_rows_limit',
    `This batch would take over ${number(rows)} rows that your earlier batches have already, and ` +
      `${number(left)} of the ${number(most)} ` +
      'that your plan takes over a month are left. The rows themselves are there to be read in the earlier batches.',
    { data: { rows, left, limit: most } },
  );
}

/** Refuses where rows that nothing is charged for can no longer be taken over: they would have to be computed. */
export async function refuseGoneSources(
  { eventStore, stateCache }: Pick<WriteDeps, 'eventStore' | 'stateCache'>,
  reuse: readonly Pick<RowMap, 'batchId'>[],
): Promise<Refusal | null> {
  for (const { batchId } of reuse) {
    const { state } = await loadState(eventStore, BATCH_STREAM, batchId, stateCache);
    if (!batchExists(state) || state.status !== 'Finished') return SOURCE_IS_GONE;
  }
  return null;
}

/**
 * Refuses to delete a batch whose rows another one of the same user is still to take over: they were not
 * charged, and would be computed for nothing.
 */
export async function refuseHeldSource(
  deps: Pick<WriteDeps, 'eventStore' | 'readModels' | 'stateCache'> & {
    readonly consistency?: ReadModelProgress;
  },
  batchId: string,
  userId: string,
): Promise<Refusal | null> {
  const { eventStore, readModels, stateCache, consistency } = deps;
  const { name } = batchesProjection.collection;
  const source = await readModels.get<BatchDocument>(name, batchId);
  if (source?.userId !== userId || source.status !== 'Finished') return null;
  const position = await eventStore.head();
  await consistency?.whenReached(position, { projections: [batchesProjection], timeoutMs: MAX_WAIT_MS });
  const { fingerprint } = source;
  const waiting = await readModels.find<BatchDocument>(name, {
    where: { userId, fingerprint, status: 'Queued' },
  });
  for (const { id, name: title } of waiting) {
    const { state } = await loadState(eventStore, BATCH_STREAM, id, stateCache);
    if (!batchExists(state) || state.status !== 'Queued') continue;
    if (state.created.reuse.some((one) => one.batchId === batchId))
      return refuse(
        409,
        'batch_in_use',
        `The batch "${title}" is still to take over rows of this one. Delete this one when that ` +
          'has begun, or delete that one first.',
        { data: { batch_id: id } },
      );
  }
  return null;
}
