import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** What a signature of a passkey is asked for. */
export type PasskeyPurpose = 'register' | 'login' | 'confirm' | 'reset';

/** For whom, for what and in which sign-in, session or link a challenge holds. */
export interface ChallengeScope {
  readonly subject: string;
  readonly purpose: PasskeyPurpose;
  readonly boundTo: string;
}

/** Random numbers that a passkey signs: each is taken once, within five minutes, and by the page that it was made for. */
export interface Challenges {
  create(scope: ChallengeScope): string;
  /** True for the first one who brings it in time and where it belongs. */
  take(challenge: string, scope: ChallengeScope): boolean;
}

export const CHALLENGE_HOLDS_MS = 5 * 60_000;
/** Pages that one person has open at once; an older one is asked again. */
const OPEN_FOR_SUBJECT = 16;
const SUBJECTS = 10_000;

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
