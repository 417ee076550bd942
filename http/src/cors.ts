import {
  CORRELATION_HEADER,
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
} from '@quantloom/domain/contracts/http/route';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = [
  'authorization',
  'content-type',
  'accept',
  'if-match',
  'if-none-match',
  'last-event-id',
  IDEMPOTENCY_HEADER,
  POSITION_HEADER,
  CORRELATION_HEADER,
].join(', ');
/** Seconds for which a browser need not ask again. */
const MAX_AGE = 600;

/**
 * Lets pages of other origins call the API: with a token that they hold, never with cookies or other
 * credentials of the browser (the `*` of the headers that may be read stands for all of them only without
 * credentials). Nothing else of the product is shared. Without origins nothing is done at all.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!isShared(request)) return;
    // Event streams are written past `onSend`.
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-expose-headers', '*');
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return;
    await reply
      .header('access-control-allow-methods', METHODS)
      .header('access-control-allow-headers', REQUEST_HEADERS)
      .header('access-control-max-age', MAX_AGE)
      .code(204)
      .send();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const vary = String(reply.getHeader('vary') ?? '');
    // Whoever packed the answer, or gave it to the gateway, has said what it depends on, too.
    if (isShared(request) && !/\borigin\b/i.test(vary))
      reply.header('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
    return payload;
  });
}

function isShared({ url }: FastifyRequest): boolean {
  return url.startsWith('/api/') || /^\/openapi\.json(?:\?|$)/.test(url);
}
