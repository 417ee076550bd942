import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@quantloom/domain/limits/network';

/**
 * Requests that one connection has sent and not been answered. Browsers send the next one after the answer; a
 * few programs send some ahead.
 */
export const UNANSWERED_REQUESTS = 16;
/**
 * Connections of one network. An office behind one address has some hundred; each costs a descriptor for as
 * long as it is kept.
 */
export const CONNECTIONS_PER_NETWORK = 1_000;

export interface ConnectionLimitOptions {
  /** All connections come from the proxy then, and whom they belong to is for it to count. */
  readonly isBehindProxy: boolean;
  readonly connectionsPerNetwork?: number;
}

/**
 * Bounds what connections take before anybody has looked at a request. One packet holds a thousand short
 * requests: parsed at once, they would all be worked on side by side, and the limits that are counted by
 * request would come too late.
 *
 * @returns whether a request is to be handled; where it is not, its connection has been cut
 */
export function limitConnections(
  server: Server,
  { isBehindProxy, connectionsPerNetwork = CONNECTIONS_PER_NETWORK }: ConnectionLimitOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  if (!isBehindProxy) limitByNetwork(server, connectionsPerNetwork);
  const unanswered = new WeakMap<Socket, number>();
  return ({ socket }, response) => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    if (count > UNANSWERED_REQUESTS) {
      socket.destroy();
      return false;
    }
    unanswered.set(socket, count);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return true;
  };
}

function limitByNetwork(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = open.get(network) ?? 0;
    if (count >= most) {
      socket.destroy();
      return;
    }
    open.set(network, count + 1);
    socket.once('close', () => {
      const rest = (open.get(network) ?? 1) - 1;
      if (rest > 0) open.set(network, rest);
      else open.delete(network);
    });
  });
}
