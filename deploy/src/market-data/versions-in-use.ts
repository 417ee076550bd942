import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '@quantloom/domain/ports/event-store';

/**
 * The data-set versions that batches were created with and that were not deleted: they must stay, so that a
 * batch can be reproduced.
 */
export async function versionsInUse(eventStore: Pick<EventStore, 'readAll'>): Promise<Set<string>> {
  const versionOf = new Map<string, string>();
  const events = eventStore.readAll(-1n, {
    filter: { eventTypes: ['BatchBacktestCreated', 'BatchBacktestDeleted'] },
  });
  for await (const { type, stream, data } of events) {
    const version = (data as { dataVersion?: unknown }).dataVersion;
    if (type === 'BatchBacktestDeleted') versionOf.delete(stream);
    else if (typeof version === 'string') versionOf.set(stream, version);
  }
  return new Set(versionOf.values());
}

/** The same for an embedded installation that may or may not be running. */
export async function versionsInUseOfFolder(dataDir: string): Promise<Set<string>> {
  const path = join(dataDir, 'quantloom.sqlite');
  if (!existsSync(path)) return new Set();
  const { openSqliteDatabase } = await import('@quantloom/adapters/sqlite/database');
  const { openSqliteEventStore } = await import('@quantloom/adapters/event-store/sqlite/sqlite-event-store');
  const database = openSqliteDatabase(path);
  const eventStore = openSqliteEventStore(database);
  try {
    return await versionsInUse(eventStore);
  } finally {
    await eventStore.close();
    database.close();
  }
}
