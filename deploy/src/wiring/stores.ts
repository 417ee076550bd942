import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Config } from '../config.ts';

/** The storage ports of one process. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly bus: MessageBus;
  readonly readModels: ReadModels;
  readonly results: ResultStore;
  readonly rateLimits: RateLimits;
  close(): Promise<void>;
}

/** One SQLite file and one DuckDB file in the data folder. */
export async function openEmbeddedStores(config: Config): Promise<Stores> {
  const database = openSqliteDatabase(path.join(config.DATA_DIR, 'quantloom.sqlite'));
  const results = await openDuckDbResultStore({
    path: path.join(config.DATA_DIR, 'results.duckdb'),
    memoryLimit: `${config.RESULTS_MEMORY_MB}MB`,
  });
  const eventStore = openSqliteEventStore(database);
  const bus = openSqliteMessageBus(database);
  const readModels = openSqliteReadModels(database);
  return {
    eventStore,
    bus,
    readModels,
    results,
    rateLimits: createSqliteRateLimits(database),
    close: async () => {
      await bus.close();
      await eventStore.close();
      await readModels.close();
      await results.close();
      database.close();
    },
  };
}
