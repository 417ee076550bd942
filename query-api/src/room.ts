import { bytesOf, STORAGE_DAY_MS, USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { storedBy, storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import { countUse, takeUse } from '@quantloom/http/counted-use';
import type { Principal } from '@quantloom/http/principal';

/** What an event takes beside its data: its row and its places in indexes, who did it and when. */
const BESIDE_DATA = 1_000;

interface RoomDeps {
  readonly readModels: ReadModels;
  readonly rateLimits?: RateLimits;
}
type User = Pick<Principal, 'userId' | 'planId' | 'network'>;

/**
 * Whether a user has room for something that a read leaves behind and that counts as stored by him; it is
 * then counted as a change of today. Without room the answer goes out, and nothing is kept.
 */
export async function takeRoom(deps: RoomDeps, user: User, bytes: number): Promise<boolean> {
  const { name } = storedBytesProjection.collection;
  const used = await deps.readModels.sum(name, 'bytes', storedBy(user.userId));
  if (used + bytes > bytesOf(USE_LIMITS[user.planId].storedMegabytes)) return false;
  return await takeChange(deps, user, bytes);
}

/** The same for what only stands in the log: one of the changes of today, and of what is written today. */
export async function takeChange(
  { rateLimits }: Pick<RoomDeps, 'rateLimits'>,
  user: User,
  bytes: number,
): Promise<boolean> {
  if (!rateLimits) return true;
  const { changesPerDay, writtenMegabytesPerDay } = USE_LIMITS[user.planId];
  const windowMs = STORAGE_DAY_MS;
  if (await takeUse(rateLimits, 'changes', user, { amount: 1, most: changesPerDay, windowMs })) return false;
  const most = bytesOf(writtenMegabytesPerDay);
  if (!(await takeUse(rateLimits, 'written', user, { amount: bytes + BESIDE_DATA, most, windowMs })))
    return true;
  await countUse(rateLimits, 'changes', user, -1, windowMs);
  return false;
}
