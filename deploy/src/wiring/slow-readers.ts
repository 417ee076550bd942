import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Slower than this, nobody reads what they have asked for. */
const SLOWEST_BYTES_PER_SECOND = 4 * 1024;
/** How long somebody may be slower: a phone that changes its network is silent for some seconds. */
const PATIENCE_MS = 30_000;

export interface SlowReaderLimits {
  readonly bytesPerSecond?: number;
  readonly patienceMs?: number;
}

interface Pace {
  sent: number;
  since: number;
}

/**
 * Cuts connections of those who take an answer too slowly: each holds a turn, a connection to a store, or
 * memory for as long as it lasts. Only time in which something waits to be sent counts, so that event streams
 * may be silent and computations long.
 */
export function cutSlowReaders(
  server: Server,
  { bytesPerSecond = SLOWEST_BYTES_PER_SECOND, patienceMs = PATIENCE_MS }: SlowReaderLimits = {},
): void {
  const paces = new Map<Socket, Pace>();
  server.on('connection', (socket) => {
    paces.set(socket, { sent: 0, since: performance.now() });
    socket.once('close', () => paces.delete(socket));
  });
  const timer = setInterval(() => {
    const now = performance.now();
    for (const [socket, pace] of paces) {
      const sent = sentBy(socket);
      const isEnough = sent - pace.sent >= (bytesPerSecond * patienceMs) / 1_000;
      if (socket.writableLength === 0 || isEnough) {
        pace.sent = sent;
        pace.since = now;
      } else if (now - pace.since >= patienceMs) socket.destroy();
    }
  }, patienceMs / 10).unref();
  server.once('close', () => clearInterval(timer));
}

/**
 * What the system has taken of a connection's bytes: of one large chunk a part, which a socket does not tell
 * by itself.
 */
function sentBy(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
  };
  if (!handle) return socket.bytesWritten;
  return (handle.bytesWritten ?? 0) - (handle.writeQueueSize ?? 0);
}
