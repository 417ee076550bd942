import { READ_AFTER } from '@quantloom/domain/contracts/http/read-after';
import { POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import type { Position } from '@quantloom/domain/ports/event-store';
import { awayIn } from '@quantloom/domain/ports/outages';
import { PROJECTIONS } from '@quantloom/domain/projections';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contractOf } from './routes.ts';

/** Knows how far the projections have come. */
export interface ReadModelProgress {
  /** True as soon as all of them have applied everything up to `position`; false when `timeoutMs` passed first. */
  whenReached(
    position: Position,
    options: {
      readonly projections: readonly { readonly name: string; readonly version: number }[];
      readonly timeoutMs: number;
    },
  ): Promise<boolean>;
}

/** How long a write may wait for the read models that it touches, in ms. */
export const MAX_WAIT_MS = 1000;
/**
 * After a wait that was in vain nobody waits for so long, in ms: the projections stand still, or have much to
 * catch up with.
 */
const REST_MS = 10_000;

function projectionsFor(request: FastifyRequest) {
  const names = READ_AFTER[contractOf(request)?.id ?? ''] ?? [];
  return PROJECTIONS.filter(({ name }) => names.includes(name));
}

/**
 * Answers a write when it can be read: a client that was made from the specification alone does not send the
 * position of its last write with its reads, and asks for what it has just made. At most {@link MAX_WAIT_MS};
 * then the answer goes out all the same.
 */
export function answerWhenReadable(
  app: FastifyInstance,
  progress: ReadModelProgress,
  now: () => number = () => performance.now(),
): void {
  let restsUntil = Number.NEGATIVE_INFINITY;
  app.addHook('onSend', async (request, reply, payload) => {
    const position = reply.getHeader(POSITION_HEADER);
    if (typeof position !== 'string' || reply.statusCode >= 300 || now() < restsUntil) return payload;
    const projections = projectionsFor(request);
    if (projections.length === 0) return payload;
    // What was written stays written where the read models cannot be asked: the answer says so, and reads say
    // that they are away.
    const isReached = await progress
      .whenReached(BigInt(position), { projections, timeoutMs: MAX_WAIT_MS })
      .catch((error: unknown) => {
        if (!awayIn(error)) request.log.warn({ err: error }, 'a write was not waited for');
        return false;
      });
    if (!isReached) restsUntil = now() + REST_MS;
    return payload;
  });
}
