import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { publicNetworkOf } from '@quantloom/domain/limits/network';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { leaving } from './caller-address.ts';
import { Turns } from './turns.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the turn of a body that was read. */
    endBody: (() => void) | null;
  }
}

/** Smaller ones are there as soon as their headers are, or nearly so. */
const LARGE_BYTES = 64 * 1024;
/** Of an office, all at once; what waits is still on the wire. */
const OF_ONE_NETWORK = { inFlight: 16, waiting: 64 };
const BUSY = refuse(
  429,
  'too_many_at_once',
  'Too many large requests of your network are coming in already. Please try again.',
  { data: { retry_after: 1 } },
);

/**
 * Bounds how many large bodies of one network are read at the same time, whoever sends them: each lies in
 * memory until it is whole, and may come drop by drop. Those of private addresses are not counted, which a
 * proxy may have that nobody has told of.
 */
export function boundBodiesOfNetworks(app: FastifyInstance): void {
  const turns = new Turns();
  app.decorateRequest('endBody', null);
  app.addHook('preParsing', async (request, reply, payload) => {
    const network = publicNetworkOf(request.ip);
    if (!isLarge(request) || network === null) return payload;
    const left = leaving(request, reply);
    const end = await turns.take(network, OF_ONE_NETWORK, left);
    if (end === null) throw new RefusalError(BUSY);
    request.endBody = end;
    reply.raw.once('close', end);
    if (left.aborted) end();
    return payload;
  });
  app.addHook('preValidation', async (request) => request.endBody?.());
}

function isLarge({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > LARGE_BYTES;
}
