import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What a signature of a passkey is asked for. */
export type PasskeyPurpose = 'register' | 'login' | 'confirm' | 'reset';

/** For whom, for what and in which sign-in, session or link a challenge holds. */
export interface ChallengeScope {
  readonly subject: string;
  readonly purpose: PasskeyPurpose;
  readonly boundTo: string;
}

/**
 * Random numbers that a passkey signs: each is taken once, within five minutes, and by the page that it was
 * made for.
 */
export interface Challenges {
  create(scope: ChallengeScope): string;
  /** True for the first one who brings it in time and where it belongs. */
  take(challenge: string, scope: ChallengeScope): boolean;
}

export const CHALLENGE_HOLDS_MS = 5 * 60_000;
/** Pages that one person has open at once; an older one is asked again. */
const OPEN_FOR_SUBJECT = 16;
const SUBJECTS = 10_000;
/**
 * A sign-in page may be open for this long; so may what it asks a passkey to sign, since browsers offer
 * passkeys in its field all the while.
 */
export const SIGN_IN_HOLDS_MS = 60 * 60_000;
const TAKEN = 10_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;

interface Waiting extends ChallengeScope {
  readonly endsAt: number;
}

/** Challenges in memory, counted for each account apart: nobody can drive out those of others by asking without end. */
export function createChallenges(now: () => number): Challenges {
  const bySubject = new LRUCache<string, Map<string, Waiting>>({ max: SUBJECTS, ttl: CHALLENGE_HOLDS_MS });
  return {
    create(scope) {
      const challenge = randomBytes(32).toString('base64url');
      const waiting = bySubject.get(scope.subject) ?? new Map<string, Waiting>();
      waiting.set(challenge, { ...scope, endsAt: now() + CHALLENGE_HOLDS_MS });
      const [oldest] = waiting.keys();
      if (waiting.size > OPEN_FOR_SUBJECT && oldest !== undefined) waiting.delete(oldest);
      bySubject.set(scope.subject, waiting);
      return challenge;
    },
    take(challenge, { subject, purpose, boundTo }) {
      const waiting = bySubject.get(subject);
      const found = waiting?.get(challenge);
      if (!found || found.purpose !== purpose || found.boundTo !== boundTo) return false;
      waiting?.delete(challenge);
      return now() < found.endsAt;
    },
  };
}

/** Challenges for whoever opens a sign-in page, before anybody knows whose passkey will answer. */
export interface SignInChallenges {
  /** @param boundTo the sign-in whose page it is */
  create(boundTo: string): string;
  /** True for the first one who brings it in time and in its own sign-in. */
  take(challenge: string, boundTo: string): boolean;
}

/**
 * Strangers open sign-in pages without end, so that nothing is kept for them: a challenge carries its own end
 * and a seal with a key of this process. Only those that came back are remembered.
 */
export function createSignInChallenges(now: () => number): SignInChallenges {
  const key = randomBytes(32);
  const taken = new LRUCache<string, true>({ max: TAKEN, ttl: SIGN_IN_HOLDS_MS });
  const seal = (head: Buffer, boundTo: string): Buffer =>
    createHmac('sha256', key).update(head).update(boundTo).digest();
  return {
    create(boundTo) {
      const head = Buffer.concat([randomBytes(NONCE_BYTES), Buffer.alloc(TIME_BYTES)]);
      head.writeUIntBE(now() + SIGN_IN_HOLDS_MS, NONCE_BYTES, TIME_BYTES);
      return Buffer.concat([head, seal(head, boundTo)]).toString('base64url');
    },
    take(challenge, boundTo) {
      const bytes = Buffer.from(challenge, 'base64url');
      // One spelling each, or the same one would count as another.
      if (bytes.toString('base64url') !== challenge || taken.has(challenge)) return false;
      const head = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
      const expected = seal(head, boundTo);
      const given = bytes.subarray(NONCE_BYTES + TIME_BYTES);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
      taken.set(challenge, true);
      return now() < head.readUIntBE(NONCE_BYTES, TIME_BYTES);
    },
  };
}
