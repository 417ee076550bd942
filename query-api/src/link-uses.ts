import { createHash } from 'node:crypto';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { CostGate } from '@quantloom/http/costs';
import { payerOf } from './owner-pays.ts';

export interface LinkUseParts {
  readonly readModels: ReadModels;
  readonly rateLimits: RateLimits | undefined;
  /** Null: nothing costs anything. */
  readonly costs: CostGate | null;
}

/** One use of a link that was paid for when it was made. */
export interface LinkUse {
  readonly signature: string;
  /** Milliseconds for which the link is good. */
  readonly lastsMs: number;
  readonly ownerId: string;
  /** What sending its file takes. */
  readonly cost: () => number | Promise<number>;
}

/**
 * Whether a file may be sent by a link: its first time was paid for by whoever had it made. For further ones,
 * which a program in a loop may ask for as long as the link is good, its owner pays as he does for visitors.
 */
export async function payForLinkUse(
  { readModels, rateLimits, costs }: LinkUseParts,
  { signature, lastsMs, ownerId, cost }: LinkUse,
): Promise<boolean> {
  if (!rateLimits || !costs) return true;
  const link = createHash('sha256').update(signature).digest('base64url');
  const { hits } = await rateLimits.hit(`link:${link}`, lastsMs);
  if (hits === 1) return true;
  const payer = await payerOf(readModels, ownerId);
  return (await costs.takeForVisitors(payer, await cost())) !== null;
}
