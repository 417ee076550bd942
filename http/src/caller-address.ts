import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * Keeps the address that a request came from for as long as it lasts. Fastify asks its connection each time,
 * and one that has ended has none: whoever then asks where the request is from gets an exception or nothing.
 * Most connections end at the caller's wish, so every refusal after that would be a failure of ours.
 */
export function keepCallersAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    Object.defineProperty(request, 'ip', { value: addressOf(request) });
    done();
  });
}

/** Whether the connection of a request has ended; Node takes it away from some of those then. */
export function hasLeft(request: FastifyRequest): boolean {
  const socket = request.socket as FastifyRequest['socket'] | null;
  return socket === null || socket.destroyed;
}

/** Aborts when the client of a request leaves; what was done for it is over by the time its answer ends. */
export function leaving(request: FastifyRequest, reply: FastifyReply): AbortSignal {
  const left = new AbortController();
  const leave = () => left.abort(new Error('The client has left'));
  // The answer's end, not the request's: that one has closed as soon as its body was read.
  reply.raw.once('close', leave);
  // Who has left before says so no more.
  if (hasLeft(request)) leave();
  return left.signal;
}

/** Empty for a connection that has ended already: all of them are one network then. */
function addressOf(request: FastifyRequest): string {
  return hasLeft(request) ? '' : request.ip;
}
