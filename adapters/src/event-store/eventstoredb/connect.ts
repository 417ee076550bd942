import { EventStoreDBClient } from '@eventstore/db-client';

/**
 * A client that makes one call per append. By itself it sends the appends of a process to a modern server over one shared call, and when that
 * breaks it rejects those of all other clients too and leaves what it had not sent yet as unhandled rejections, which end the process.
 * A call of its own has a deadline that does not depend on the clocks of two machines, and an answer that names the leader.
 *
 * Throws where the connection string cannot be read.
 */
export function connectEventStoreDb(url: string): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url);
  // The only thing that this version asks of the server's features is whether it takes appends in batches.
  Object.defineProperty(client, 'supports', { value: async () => false });
  return client;
}
