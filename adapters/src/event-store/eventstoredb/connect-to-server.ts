import type { ServerAddress, ServerClient } from './server-client.ts';

/**
 * Loads the library that is asked for, and not the other one: both register the same names in the process,
 * and each breaks the other with exceptions in callbacks of streams, which end it. Rejects where the address
 * cannot be read.
 */
export async function connectToServer({ url, client = 'eventstore' }: ServerAddress): Promise<ServerClient> {
  const { connect } =
    client === 'eventstore'
      ? await import('./clients/eventstore-client.ts')
      : await import('./clients/kurrent-client.ts');
  return connect(url);
}
