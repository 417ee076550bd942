import { randomUUID } from 'node:crypto';
import { CORRELATION_HEADER } from '@quantloom/domain/contracts/http/route';
import addFormats from 'ajv-formats';
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { registerErrorHandling } from './errors.ts';
import type { Authenticate } from './principal.ts';

export interface ServerOptions {
  readonly authenticate: Authenticate;
  readonly logger?: FastifyBaseLogger;
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number;
}

const CORRELATION_ID = /^[\w-]{8,64}$/;

/** A Fastify server with the product's error body, correlation ids, authentication hook and JSON-schema settings; routes are mounted on it. */
export function createServer({
  authenticate,
  logger,
  bodyLimit = 1024 * 1024,
}: ServerOptions): FastifyInstance {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    bodyLimit,
    genReqId: (request) => {
      const given = request.headers[CORRELATION_HEADER];
      return typeof given === 'string' && CORRELATION_ID.test(given) ? given : randomUUID();
    },
    // Strict: nothing is silently removed or converted in bodies; query strings need coercion to numbers.
    ajv: {
      customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: true, allErrors: false },
      plugins: [addFormats as never],
    },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    return503OnClosing: true,
  }) as unknown as FastifyInstance;
  registerErrorHandling(app);
  app.decorateRequest('principal', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(CORRELATION_HEADER, request.id);
    if (request.url.startsWith('/api/'))
      request.principal = await authenticate(request.headers.authorization);
  });
  return app;
}
