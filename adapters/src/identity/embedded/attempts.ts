import { normalizeEmail } from '@quantloom/domain/identity/email';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';

const MINUTE = 60_000;

/** Attempts within a time, by what they are counted for. */
const LIMITS = {
  /** Somebody who has forgotten a password gets through; a list of passwords doesn't. */
  account: { hits: 10, windowMs: 15 * MINUTE },
  /** The same account from many addresses. */
  accountAnywhere: { hits: 100, windowMs: 60 * MINUTE },
  /** One password for many accounts. */
  address: { hits: 300, windowMs: 60 * MINUTE },
  signUp: { hits: 60, windowMs: 60 * MINUTE },
  client: { hits: 60, windowMs: 15 * MINUTE },
} as const;

/** Seconds to wait; `null`: go on. */
export type Verdict = number | null;

/** Limits on guessing. An attempt is counted before it is looked at, so that simultaneous ones can't slip through together. */
export interface Attempts {
  login(address: string, email: string): Promise<Verdict>;
  loginSucceeded(address: string, email: string): Promise<void>;
  signUp(address: string): Promise<Verdict>;
  /** Refused client authentication; `isFailure` false only looks. */
  client(address: string, clientId: string, isFailure: boolean): Promise<Verdict>;
}

/** Counts attempts in the shared store of rate limits. */
export function createAttempts(limits: RateLimits): Attempts {
  const count = async (kind: keyof typeof LIMITS, key: string, hits = 1): Promise<Verdict> => {
    const limit = LIMITS[kind];
    const window = await limits.hit(`attempt:${kind}:${key}`, limit.windowMs, hits);
    const isOver = hits === 0 ? window.hits >= limit.hits : window.hits > limit.hits;
    return isOver ? Math.max(1, Math.ceil(window.endsInMs / 1000)) : null;
  };
  const accountKey = (address: string, email: string) => `${address}:${normalizeEmail(email)}`;
  return {
    async login(address, email) {
      const waits = await Promise.all([
        count('account', accountKey(address, email)),
        count('accountAnywhere', normalizeEmail(email)),
        count('address', address),
      ]);
      const longest = Math.max(...waits.map((wait) => wait ?? 0));
      return longest === 0 ? null : longest;
    },
    async loginSucceeded(address, email) {
      await limits.reset(`attempt:account:${accountKey(address, email)}`);
    },
    signUp: (address) => count('signUp', address),
    client: (address, clientId, isFailure) => count('client', `${address}:${clientId}`, isFailure ? 1 : 0),
  };
}
