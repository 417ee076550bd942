import { type CountedUse, type UserOfNetwork, windowsOf } from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';

/** Why nothing could be taken. */
export interface TooLittleLeft {
  readonly left: number;
  /** Of the window that has too little. */
  readonly most: number;
  readonly endsInMs: number;
  /** Whether it is the window of all free accounts of the user's network. */
  readonly isOfNetwork: boolean;
}

export interface Taking {
  readonly amount: number;
  /** What one user has within a window. */
  readonly most: number;
  readonly windowMs: number;
}

/** Takes from all windows of a user's use; where one has less left, takes from none and tells so. */
export async function takeUse(
  rateLimits: RateLimits,
  use: CountedUse,
  user: UserOfNetwork,
  { amount, most, windowMs }: Taking,
): Promise<TooLittleLeft | null> {
  const taken: string[] = [];
  for (const { key, times } of windowsOf(use, user)) {
    // Taken before it is looked at, so that simultaneous calls cannot slip through together.
    const { hits, endsInMs } = await rateLimits.hit(key, windowMs, amount);
    taken.push(key);
    const limit = most * times;
    if (hits <= limit) continue;
    for (const each of taken) await rateLimits.hit(each, windowMs, -amount);
    return { left: Math.max(0, limit - (hits - amount)), most: limit, endsInMs, isOfNetwork: times > 1 };
  }
  return null;
}

/** Counts what was used already (or gives back), whatever is left. */
export async function countUse(
  rateLimits: RateLimits,
  use: CountedUse,
  user: UserOfNetwork,
  amount: number,
  windowMs: number,
): Promise<void> {
  for (const { key } of windowsOf(use, user)) await rateLimits.hit(key, windowMs, amount);
}

/** Whose the limit is, in sentences: "your plan has", "all free accounts of your network together have". */
export const whoHas = (
  { isOfNetwork }: Pick<TooLittleLeft, 'isOfNetwork'>,
  verb: 'has' | 'may write',
): string => {
  if (!isOfNetwork) return `your plan ${verb}`;
  return `all free accounts of your network together ${verb === 'has' ? 'have' : verb}`;
};
