import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientError } from '@quantloom/http/errors';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigurationError } from '../config.ts';
import { limitConnections } from './connection-limits.ts';
import { paceRequests } from './request-pace.ts';
import { cutSlowReaders } from './slow-readers.ts';
import { freeHeldPort } from './starting-page.ts';

export interface RunningHttpServer {
  /** `http://localhost:PORT`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Something beside Fastify that serves paths of its own and reads request bodies itself: the embedded issuer. */
export interface RawHandler {
  handles(pathname: string): boolean;
  handler(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * One HTTP server for Fastify's routes and, in front of it, the issuer's. Rejects with a readable error when
 * the port is taken.
 */
export async function listen(
  app: FastifyInstance,
  { PORT, HOST, BEHIND_PROXY }: Pick<Config, 'PORT' | 'HOST' | 'BEHIND_PROXY'>,
  issuer?: RawHandler,
): Promise<RunningHttpServer> {
  await app.ready();
  const server = createServer((request, response) => {
    if (!isAdmitted(request, response) || !isInPace(request, response)) return;
    const pathname = request.url?.split('?')[0] ?? '/';
    if (issuer?.handles(pathname)) issuer.handler(request, response);
    else app.routing(request, response);
  });
  const isAdmitted = limitConnections(server, { isBehindProxy: BEHIND_PROXY });
  const isInPace = paceRequests({ isBehindProxy: BEHIND_PROXY });
  cutSlowReaders(server);
  server.on('clientError', answerClientError);
  server.keepAliveTimeout = 72_000;
  server.requestTimeout = 60_000;
  await freeHeldPort(PORT);
  server.listen(PORT, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new ConfigurationError(`port ${PORT} is in use; set PORT to another one`);
    throw error;
  }
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeIdleConnections();
      const closed = once(server, 'close');
      // Open event streams would keep the server alive; they reconnect to the next one.
      const impatience = setTimeout(() => server.closeAllConnections(), 2_000);
      await app.close();
      await closed;
      clearTimeout(impatience);
    },
  };
}
