import { randomInt } from 'node:crypto';
import getPort from 'get-port';

// Below the range that Linux and the IANA give to outgoing connections: a server that ends and comes back
// would find a port out of that range taken by some client in the meantime.
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** All ports of the range once each, from a random one on: processes that look at the same time do not find the same one. */
function* portsInTurn(): Generator<number> {
  const start = randomInt(PORTS);
  for (let step = 0; step < PORTS; step += 1) yield FIRST_PORT + ((start + step) % PORTS);
}

/**
 * A port that nothing listens on, for a server to be started now and perhaps again later.
 * This process does not get the same one twice.
 */
export function freePort(): Promise<number> {
  return getPort({ port: portsInTurn(), reserve: true });
}
