import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfBytes } from '@quantloom/domain/limits/cost';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Turns } from './turns.ts';

/** Bytes from which on a body is handled alone: some milliseconds of parsing, and as many again for every check after it. */
const LARGE_BYTES = 256 * 1024;
/** What waits lies in memory. A user's own turns keep him from filling the line. */
const ONE_AT_A_TIME = { inFlight: 1, waiting: 64 };
const BUSY = refuse(429, 'too_many_at_once', 'Too many large requests wait already. Please try again.', {
  data: { retry_after: 1 },
});

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the turn of a request with a large body. */
    endLargeBody: (() => void) | null;
  }
}

/**
 * Parses JSON bodies; the large ones of all users one at a time in this process, until they are checked, with a breath in between: whatever
 * many people send at once, other requests are answered between two of them.
 */
export function parseLargeBodiesInTurn(app: FastifyInstance): void {
  const turns = new Turns();
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('endLargeBody', null);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length < LARGE_BYTES) return parse(request, body.toString('utf8'), done);
    beginLarge(turns, request, body.length).then(
      () => parse(request, body.toString('utf8'), done),
      (error: Error) => done(error),
    );
  });
  const end = async (request: FastifyRequest) => request.endLargeBody?.();
  app.addHook('preHandler', end);
  app.addHook('onError', end);
  app.addHook('onResponse', end);
  app.addHook('onRequestAbort', end);
}

async function beginLarge(turns: Turns, request: FastifyRequest, bytes: number): Promise<void> {
  // A body that comes in chunks has not said how long it is.
  if (request.headers['content-length'] === undefined) {
    const refusal = await request.cost?.expect(costOfBytes(bytes));
    if (refusal) throw new RefusalError(refusal);
  }
  const end = await turns.take('large bodies', ONE_AT_A_TIME);
  if (end === null) throw new RefusalError(BUSY);
  request.endLargeBody = end;
  // Who has left meanwhile was told that he did when there was no turn to end.
  if (request.socket.destroyed) end();
  // Requests that have arrived meanwhile come first.
  await new Promise((resolve) => setImmediate(resolve));
}
