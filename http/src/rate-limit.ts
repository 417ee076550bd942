import { PLANS } from '@quantloom/domain/identity/plans';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { secondsUntil } from '@quantloom/domain/limits/limits';
import { networkOf } from '@quantloom/domain/limits/network';
import { exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { FastifyReply } from 'fastify';
import type { Principal } from './principal.ts';

const MINUTE = 60_000;
const MONTH = 62 * 24 * 60 * MINUTE;
/** How long the last use of a client is known. */
const REMEMBERED = 366 * 24 * 60 * MINUTE;

/** People work through pages that call often; this only stops a page that has gone wild. */
const PERSON_PER_MINUTE = 3_000;
/** Without a token, or with one that is not valid. */
const VISITOR_PER_MINUTE = 600;

/** Key of a client's requests in the calendar month at the exchange. */
export function usageKey(clientId: string, now: Date): string {
  return `usage:${clientId}:${exchangeMonth(now)}`;
}

/** Requests of a client in the calendar month at the exchange. */
export async function requestsThisMonth(limits: RateLimits, clientId: string, now: Date): Promise<number> {
  return (await limits.hit(usageKey(clientId, now), MONTH, 0)).hits;
}

/** A window that begins with the last use, to the minute: its age is how long ago that was. */
async function noteUse(limits: RateLimits, clientId: string): Promise<void> {
  if ((await limits.hit(`usedNow:${clientId}`, MINUTE)).hits > 1) return;
  await limits.reset(`used:${clientId}`);
  await limits.hit(`used:${clientId}`, REMEMBERED);
}

/** When a client was last used, to the minute; null: not within a year. */
export async function lastUseOf(limits: RateLimits, clientId: string, now: Date): Promise<Date | null> {
  const { hits, endsInMs } = await limits.hit(`used:${clientId}`, REMEMBERED, 0);
  return hits > 0 ? new Date(now.getTime() - (REMEMBERED - endsInMs)) : null;
}

/** @param limit what the window holds, to be said; default: is not */
function tooManyRequests(seconds: number, limit?: string): Refusal {
  const what = limit === undefined ? 'Too many requests' : `Too many requests: the limit is ${limit}`;
  return refuse(429, 'too_many_requests', `${what}. Please try again in ${seconds} seconds.`, {
    data: { retry_after: seconds },
  });
}

/** Counts a request in a window of its own. @returns the refusal, or null: also where nothing counts */
export async function refuseBeyond(
  rateLimits: RateLimits | undefined,
  key: string,
  { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
): Promise<Refusal | null> {
  const window = await rateLimits?.hit(key, windowMs);
  return window && window.hits > limit ? tooManyRequests(secondsUntil(window.endsInMs)) : null;
}

export interface RateLimitOptions {
  readonly rateLimits: RateLimits;
  readonly now?: () => Date;
}

/**
 * Counts a request and sets `RateLimit-*` (draft-ietf-httpapi-ratelimit-headers-06, and `RateLimit-Policy`).
 * Machine clients have what their owner's plan allows, in one window for all of them and all processes;
 * people and visitors have more than they can use.
 *
 * @returns the refusal, or null
 */
export async function countRequest(
  { rateLimits, now = () => new Date() }: RateLimitOptions,
  caller: { readonly principal: Principal | null; readonly address: string },
  reply: FastifyReply,
): Promise<Refusal | null> {
  const { principal, address } = caller;
  const clientId = principal?.clientId ?? null;
  const limit = principal
    ? clientId === null
      ? PERSON_PER_MINUTE
      : PLANS[principal.planId].requestsPerMinute
    : VISITOR_PER_MINUTE;
  if (limit === 0)
    return refuse(403, 'plan_without_api', 'Your plan has no API access. Please upgrade your plan.');
  const key = principal
    ? clientId === null
      ? `person:${principal.userId}`
      : `clients:${principal.userId}`
    : `visitor:${networkOf(address)}`;
  const { hits, endsInMs } = await rateLimits.hit(key, MINUTE);
  const seconds = secondsUntil(endsInMs);
  reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - hits)),
    'ratelimit-reset': String(seconds),
    'ratelimit-policy': `${limit};w=60`,
  });
  if (hits > limit) {
    reply.header('retry-after', String(seconds));
    return tooManyRequests(seconds, `${limit} a minute`);
  }
  if (clientId !== null) {
    await rateLimits.hit(usageKey(clientId, now()), MONTH);
    await noteUse(rateLimits, clientId);
  }
  return null;
}
