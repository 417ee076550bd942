import { createServer } from 'node:http';
import { type Config, ConfigurationError } from '../config.ts';
import type { ProcessOutages } from './outages.ts';
import { outageSentence } from './readiness.ts';

const STARTING = 'The service is starting. Please try again in a moment.';

/** What is told of a process until it serves its own routes, on its own port. */
export interface StartingPage {
  /** @param missing what is waited for, as sentences; null: nothing */
  waitsFor(missing: () => string | null): void;
  /** From here on it tells which of these servers are away. */
  tellsOf(outages: ProcessOutages): void;
  /** The process is up: what needs a server that is away waits for it no longer, but is refused. */
  end(): Promise<void>;
}

/** Which ports are held for services that start. */
const held = new Map<number, () => Promise<void>>();

/**
 * Serves `/health` and `/ready` while the process starts; `/ready` is 503 and says in a sentence what is
 * waited for, everything else is 503 with `Retry-After`. `freeHeldPort` makes room for the service itself.
 */
export async function openStartingPage({ PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<StartingPage> {
  let sentence = async (): Promise<string | null> => null;
  let started = () => {};
  const server = createServer(async (request, response) => {
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    if (request.url === '/health') {
      response.end(JSON.stringify({ status: 'alive' }));
      return;
    }
    response.statusCode = 503;
    response.setHeader('retry-after', '2');
    const error = request.url === '/ready' ? ((await sentence()) ?? STARTING) : STARTING;
    response.end(JSON.stringify({ error, code: 'not_ready', status: 503 }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new ConfigurationError(`port ${PORT} is in use; set PORT to another one`)
          : error,
      ),
    );
    server.listen(PORT, HOST, resolve);
  });
  const close = async () => {
    if (held.get(PORT) === close) held.delete(PORT);
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  held.set(PORT, close);
  return {
    waitsFor: (missing) => {
      sentence = async () => missing();
    },
    tellsOf: (outages) => {
      started = () => outages.started();
      sentence = () => outageSentence(outages);
    },
    end: async () => {
      started();
      await close();
    },
  };
}

/** Ends the page that is served on a port, so that the service can listen there. */
export async function freeHeldPort(port: number): Promise<void> {
  await held.get(port)?.();
}
