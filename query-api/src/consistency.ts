import { HEADER_PATTERNS, POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { Position } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Knows how far the projections have come. */
export interface Consistency {
  /** True as soon as all of them have applied everything up to `position`; false when `timeoutMs` passed first. */
  whenReached(
    position: Position,
    options: { readonly projections: readonly ProjectionRef[]; readonly timeoutMs: number },
  ): Promise<boolean>;
}

/** A projection, or just its name and version. */
export interface ProjectionRef {
  readonly name: string;
  readonly version: number;
}

/** How long a read waits for what its caller has written, in ms. */
export const MAX_WAIT_MS = 2000;
/** Tells a client that the answer does not show everything that it has written yet. */
export const STALE_HEADER = 'x-quantloom-stale';

/**
 * Lets a read see what its caller has written: waits until the projections behind the answer have reached the
 * position that the caller sends. When they do not in time, the answer is marked as stale instead of being held back.
 */
export async function awaitOwnWrites(
  call: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  consistency: Consistency,
  ...projections: readonly ProjectionRef[]
): Promise<void> {
  const header = call.request.headers[POSITION_HEADER];
  if (header === undefined) return;
  if (typeof header !== 'string' || !HEADER_PATTERNS.position.test(header))
    throw new RefusalError(
      refuse(
        400,
        'invalid_position',
        `The ${POSITION_HEADER} header must be a position that the API answered`,
      ),
    );
  const isReached = await consistency.whenReached(BigInt(header), { projections, timeoutMs: MAX_WAIT_MS });
  if (!isReached) call.reply.header(STALE_HEADER, 'true');
}

/** For a query API in a process of its own: looks at the stored checkpoints, more seldom the longer it takes. */
export function checkpointConsistency(readModels: ReadModels): Consistency {
  return {
    whenReached: async (position, { projections, timeoutMs }) => {
      const deadline = performance.now() + timeoutMs;
      for (let wait = 10; ; wait = Math.min(wait * 1.5, 100)) {
        const checkpoints = await Promise.all(
          projections.map((projection) => readModels.checkpoint(checkpointName(projection))),
        );
        if (checkpoints.every((checkpoint) => checkpoint !== null && checkpoint >= position)) return true;
        if (performance.now() + wait > deadline) return false;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
  };
}

/** For one process with the projectors: they tell when they are there. */
export function projectorConsistency(projectors: {
  whenReached(
    position: Position,
    options: { projections: readonly string[]; timeoutMs: number },
  ): Promise<boolean>;
}): Consistency {
  return {
    whenReached: (position, { projections, timeoutMs }) =>
      projectors.whenReached(position, { projections: projections.map(({ name }) => name), timeoutMs }),
  };
}
