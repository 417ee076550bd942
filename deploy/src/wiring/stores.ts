import path from 'node:path';
import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import { eventStoreDbProbe, isEventStoreDbOutage } from '@quantloom/adapters/event-store/eventstoredb/outage';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { sealLog } from '@quantloom/adapters/event-store/sqlite/seal-log';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { loadKafkaClient } from '@quantloom/adapters/message-bus/kafka/kafka-client';
import { kafkaProbe } from '@quantloom/adapters/message-bus/kafka/outage';
import { openSqliteMessageBus } from '@quantloom/adapters/message-bus/sqlite/sqlite-message-bus';
import type { Probe } from '@quantloom/adapters/outages/breaker';
import { guarded, guardedWrites } from '@quantloom/adapters/outages/guard';
import { openMongoRateLimits } from '@quantloom/adapters/rate-limits/mongodb/rate-limits';
import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openMongoReadModels } from '@quantloom/adapters/read-models/mongodb/mongodb-read-models';
import { isMongoOutage, mongoProbe } from '@quantloom/adapters/read-models/mongodb/outage';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { clickHouseProbe, isClickHouseOutage } from '@quantloom/adapters/result-store/clickhouse/outage';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { openSqliteDatabase, type SqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { isDiskFull } from '@quantloom/domain/ports/disk-full';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { noteSearch } from '@quantloom/http/reading-cost';
import type { Logger } from 'pino';
import { type Config, ConfigurationError } from '../config.ts';
import { kafkaSecurity, minInsyncReplicasOf } from './kafka-security.ts';
import { namedBus } from './named-bus.ts';
import { openOutages, type ProcessOutages, patientBus } from './outages.ts';
import { openPersonKeys } from './person-keys.ts';
import { sizedBus } from './sized-bus.ts';
import type { StartingPage } from './starting-page.ts';

/** Files are there whenever the process is; what they may lack is room. */
const ALWAYS_THERE: Probe = { check: async () => {}, close: async () => {} };

/** The storage ports of one process. */
export interface Stores {
  /** Reads and writes personal data under the keys. */
  readonly eventStore: EventStore;
  readonly personKeys: PersonKeys;
  readonly bus: MessageBus;
  readonly readModels: ReadModels;
  readonly results: ResultStore;
  readonly rateLimits: RateLimits;
  /** Which of the servers behind them are away. */
  readonly outages: ProcessOutages;
  /** The SQLite file of the data folder, where one is used. */
  readonly file: SqliteDatabase | null;
  close(): Promise<void>;
}

/**
 * Each port on the server that the configuration names, else on the files in the data folder: one SQLite
 * file, which processes of one machine may share, and one DuckDB file, which one process has for itself.
 *
 * @param starting what is told of the process until it is up; where it is given, a server that goes away
 * meanwhile is waited for
 */
export async function openStores(
  config: Config,
  service: string,
  log?: Logger,
  starting: StartingPage | null = null,
): Promise<Stores> {
  const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL, CLUSTER_NAME } = config;
  if (service !== 'embedded' && !CLICKHOUSE_URL)
    throw new ConfigurationError('CLICKHOUSE_URL is needed as soon as there is more than one process');
  let shared: SqliteDatabase | null = null;
  const database = () => {
    shared ??= openSqliteDatabase(path.join(config.DATA_DIR, 'quantloom.sqlite'), { checkpointThread: true });
    return shared;
  };
  const outages = openOutages(log, starting !== null);
  starting?.tellsOf(outages);
  const resultsBreaker =
    CLICKHOUSE_URL && outages.breaker('results', clickHouseProbe(CLICKHOUSE_URL), isClickHouseOutage);
  const results = resultsBreaker
    ? guarded(
        await resultsBreaker.opened(() =>
          openClickHouseResultStore({
            url: CLICKHOUSE_URL,
            database: CLUSTER_NAME,
            mayRetry: () => !resultsBreaker.outage,
          }),
        ),
        resultsBreaker,
        { files: ['stream'], free: ['close'] },
      )
    : guardedWrites(
        await openDuckDbResultStore({
          folder: path.join(config.DATA_DIR, 'results'),
          oldFile: path.join(config.DATA_DIR, 'results.duckdb'),
          memoryLimit: `${config.RESULTS_MEMORY_MB}MB`,
        }),
        outages.breaker('results', ALWAYS_THERE, isDiskFull),
        ['createBatch', 'append', 'copyRows'],
      );
  const modelsBreaker = MONGODB_URL && outages.breaker('readModels', mongoProbe(MONGODB_URL), isMongoOutage);
  const openKeys = modelsBreaker
    ? await modelsBreaker.opened(() => openPersonKeys(config))
    : await openPersonKeys(config);
  const personKeys = modelsBreaker
    ? guarded(openKeys, modelsBreaker, { streams: ['all'], free: ['close'] })
    : openKeys;
  const logBreaker =
    EVENTSTORE_URL &&
    outages.breaker(
      'eventStore',
      eventStoreDbProbe({ url: EVENTSTORE_URL, client: config.EVENTSTORE_CLIENT }),
      isEventStoreDbOutage,
    );
  const eventLog = logBreaker
    ? guarded(
        await logBreaker.opened(() =>
          openEventStoreDb({
            url: EVENTSTORE_URL,
            client: config.EVENTSTORE_CLIENT,
            mayRetry: () => !logBreaker.outage,
            onError: (error: unknown) => {
              // An outage is told by its breaker.
              if (!logBreaker.outage)
                log?.warn({ err: error }, 'a subscription to the event log keeps breaking');
            },
          }),
        ),
        logBreaker,
        { streams: ['readStream', 'readAll'], free: ['subscribe', 'close'], once: ['append'] },
      )
    : guardedWrites(
        openSqliteEventStore(database()),
        outages.breaker('eventStore', ALWAYS_THERE, isDiskFull),
        ['append'],
      );
  if (!EVENTSTORE_URL) {
    const sealed = await sealLog(database(), personKeys);
    if (sealed > 0) log?.info({ events: sealed }, 'what the log says about people is now under their keys');
  }
  const eventStore = openSealedEventStore(eventLog, personKeys);
  const security = kafkaSecurity(config);
  const kafka = KAFKA_BROKERS && (await loadKafkaClient(config.KAFKA_CLIENT));
  const busBreaker =
    kafka && outages.breaker('bus', kafkaProbe(KAFKA_BROKERS, security.ssl ?? null), kafka.isOutage);
  const named = busBreaker
    ? namedBus(
        guarded(
          await busBreaker.opened(() =>
            kafka.openMessageBus({
              brokers: KAFKA_BROKERS,
              clientId: `${CLUSTER_NAME}.${service}`,
              replicationFactor: config.KAFKA_REPLICATION,
              minInsyncReplicas: minInsyncReplicasOf(config),
              ...security,
              onError: (error: unknown) => {
                if (!busBreaker.outage) log?.warn({ err: error }, 'the message bus had an error');
              },
            }),
          ),
          busBreaker,
          { free: ['outside', 'close'], opening: ['ensureTopics', 'subscribe'] },
        ),
        CLUSTER_NAME,
      )
    : // The embedded product has its folder for itself: `lockDataFolder`.
      guardedWrites(
        openSqliteMessageBus(database(), { isAlone: service === 'embedded' }),
        outages.breaker('bus', ALWAYS_THERE, isDiskFull),
        ['publish'],
      );
  const bus = patientBus(sizedBus(named, config.JOB_PARTITIONS), outages, log);
  const readModels = modelsBreaker
    ? guarded(
        await modelsBreaker.opened(() =>
          openMongoReadModels({
            url: MONGODB_URL,
            database: CLUSTER_NAME,
            epoch: () => modelsBreaker.epoch,
          }),
        ),
        modelsBreaker,
        { free: ['close'], once: ['commit', 'swap', 'replace', 'drop'] },
      )
    : guardedWrites(
        openSqliteReadModels(database(), { onSearched: noteSearch }),
        outages.breaker('readModels', ALWAYS_THERE, isDiskFull),
        ['commit'],
      );
  const limits = modelsBreaker
    ? await modelsBreaker.opened(() => openMongoRateLimits({ url: MONGODB_URL, database: CLUSTER_NAME }))
    : { rateLimits: createSqliteRateLimits(database()), close: async () => {} };
  return {
    eventStore,
    bus,
    readModels,
    results,
    rateLimits: modelsBreaker ? guarded(limits.rateLimits, modelsBreaker) : limits.rateLimits,
    outages,
    personKeys,
    file: shared,
    close: async () => {
      await outages.close();
      await bus.close();
      await eventStore.close();
      await readModels.close();
      await results.close();
      await limits.close();
      await personKeys.close();
      shared?.close();
    },
  };
}
