import path from 'node:path';
import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openKafkaMessageBus } from '@quantloom/adapters/message-bus/kafka/kafka-message-bus';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import { openMongoRateLimits } from '@quantloom/adapters/rate-limits/mongodb/rate-limits';
import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openMongoReadModels } from '@quantloom/adapters/read-models/mongodb/mongodb-read-models';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { openSqliteDatabase, type SqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../config.ts';
import { namedBus } from './named-bus.ts';
import { sizedBus } from './sized-bus.ts';

/** The storage ports of one process. */
export interface Stores {
  readonly eventStore: EventStore;
  readonly bus: MessageBus;
  readonly readModels: ReadModels;
  readonly results: ResultStore;
  readonly rateLimits: RateLimits;
  close(): Promise<void>;
}

/**
 * Each port on the server that the configuration names, else on the files in the data folder: one SQLite file, which processes of one
 * machine may share, and one DuckDB file, which one process has for itself.
 */
export async function openStores(config: Config, service: string, log?: Logger): Promise<Stores> {
  const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL, CLUSTER_NAME } = config;
  if (service !== 'embedded' && !CLICKHOUSE_URL)
    throw new ConfigurationError('CLICKHOUSE_URL is needed as soon as there is more than one process');
  let shared: SqliteDatabase | null = null;
  const database = () => {
    shared ??= openSqliteDatabase(path.join(config.DATA_DIR, 'quantloom.sqlite'), { checkpointThread: true });
    return shared;
  };
  const results = CLICKHOUSE_URL
    ? await openClickHouseResultStore({ url: CLICKHOUSE_URL, database: CLUSTER_NAME })
    : await openDuckDbResultStore({
        folder: path.join(config.DATA_DIR, 'results'),
        oldFile: path.join(config.DATA_DIR, 'results.duckdb'),
        memoryLimit: `${config.RESULTS_MEMORY_MB}MB`,
      });
  const eventStore = EVENTSTORE_URL
    ? openEventStoreDb({
        url: EVENTSTORE_URL,
        ...(log && {
          onError: (error: unknown) =>
            log.warn({ err: error }, 'a subscription to the event log keeps breaking'),
        }),
      })
    : openSqliteEventStore(database());
  const named = KAFKA_BROKERS
    ? namedBus(
        await openKafkaMessageBus({
          brokers: KAFKA_BROKERS,
          clientId: `${CLUSTER_NAME}.${service}`,
          replicationFactor: config.KAFKA_REPLICATION,
          ...(log && {
            onError: (error: unknown) => log.warn({ err: error }, 'the message bus had an error'),
          }),
        }),
        CLUSTER_NAME,
      )
    : openSqliteMessageBus(database());
  const bus = sizedBus(named, config.JOB_PARTITIONS);
  const readModels = MONGODB_URL
    ? await openMongoReadModels({ url: MONGODB_URL, database: CLUSTER_NAME })
    : openSqliteReadModels(database());
  const limits = MONGODB_URL
    ? await openMongoRateLimits({ url: MONGODB_URL, database: CLUSTER_NAME })
    : { rateLimits: createSqliteRateLimits(database()), close: async () => {} };
  return {
    eventStore,
    bus,
    readModels,
    results,
    rateLimits: limits.rateLimits,
    close: async () => {
      await bus.close();
      await eventStore.close();
      await readModels.close();
      await results.close();
      await limits.close();
      shared?.close();
    },
  };
}
