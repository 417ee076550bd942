import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A part of the server that speaks Node's own HTTP: the embedded issuer. */
export interface NodeHandler {
  /** True for paths that it serves. */
  handles(pathname: string): boolean;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * Lets a Node handler serve its paths on a Fastify server, bodies unread. Register it before routes with wildcards: it takes over before
 * routing comes to anything else.
 */
export function mountNodeHandler(app: FastifyInstance, { handles, handler }: NodeHandler): void {
  app.addHook('onRequest', async (request, reply) => {
    const pathname = request.raw.url?.split('?')[0] ?? '/';
    if (!handles(pathname)) return;
    reply.hijack();
    handler(request.raw, reply.raw);
  });
}
