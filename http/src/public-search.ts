import { networkOf } from '@quantloom/domain/limits/network';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from './errors.ts';
import { refuseBeyond } from './rate-limit.ts';

/** Searches of one network: each page of hits is made for its question alone. */
const PER_NETWORK = { limit: 60, windowMs: 60_000 };

/** A search that anybody may make, without an account. */
export interface PublicSearchOptions {
  /** Counts searches; without it nothing is limited (tests). */
  readonly rateLimits?: RateLimits;
}

/** Answers with a page of hits, unless its reader's network has searched enough for now. */
export async function sendHits(
  request: FastifyRequest,
  reply: FastifyReply,
  { rateLimits }: PublicSearchOptions,
  pageOf: (query: string) => string,
): Promise<FastifyReply> {
  const tooMany = await refuseBeyond(rateLimits, `search:${networkOf(request.ip)}`, PER_NETWORK);
  if (tooMany) return sendRefusal(reply, tooMany);
  const { q } = request.query as { readonly q?: unknown };
  return await reply
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(pageOf((typeof q === 'string' ? q : '').trim().slice(0, 200)));
}
