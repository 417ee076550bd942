import { POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import type { Position } from '@quantloom/domain/ports/event-store';
import { awayIn } from '@quantloom/domain/ports/outages';
import { PROJECTIONS } from '@quantloom/domain/projections';
import type { FastifyInstance } from 'fastify';

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
/** After a wait that was in vain nobody waits for so long, in ms: the projections stand still, or have much to catch up with. */
const REST_MS = 10_000;

/** What is read after a write below these paths; elsewhere the users' own record. */
const READ_AFTER: readonly (readonly [path: string, projections: readonly string[]])[] = [
  ['/api/v1/trading-bots', ['strategies', 'strategySummaries', 'listings', 'storedBytes']],
  ['/api/v1/drafts', ['strategies', 'strategySummaries', 'listings', 'storedBytes']],
  ['/api/v1/variable-lists', ['variableLists', 'listings', 'storedBytes']],
  ['/api/v1/batch-backtests', ['batches', 'batchDefinitions', 'listings', 'usageMonths', 'storedBytes']],
  ['/api/v1/backtests/errors', ['backtestErrors']],
];

function projectionsFor(path: string) {
  const names = READ_AFTER.find(([prefix]) => path.startsWith(prefix))?.[1] ?? ['users'];
  return PROJECTIONS.filter(({ name }) => names.includes(name));
}

/**
 * Answers a write when it can be read: a client that was made from the specification alone does not send the position of its last write with its
 * reads, and asks for what it has just made. At most {@link MAX_WAIT_MS}; then the answer goes out all the same.
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
    const projections = projectionsFor(request.url);
    // What was written stays written where the read models cannot be asked: the answer says so, and reads say that they are away.
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
