import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { batchExists } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { LogFileError } from '@quantloom/projectors/log/log-lines';
import { Command } from 'commander';
import pino from 'pino';
import { type Config, readConfig } from '../config.ts';
import { copyKeys, copyLog, MigrationError } from '../migrate/copy-log.ts';
import { copyBatch } from '../migrate/copy-results.ts';
import { lockDataFolder } from '../wiring/data-folder.ts';
import { openLogStores } from '../wiring/log-stores.ts';
import { openPersonKeys } from '../wiring/person-keys.ts';
import { openStores } from '../wiring/stores.ts';
import { CommandError } from './command-error.ts';

const PREFIX = 'batch-';

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** The same configuration without servers: what is in the data folder. */
function embeddedOf(config: Config): Config {
  const { EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL, ...embedded } = config;
  return embedded;
}

/** Copies the rows of every batch that the log has; those of deleted batches stay behind. */
export async function copyResults(
  log: EventStore,
  source: ResultStore,
  target: ResultStore,
): Promise<{ readonly batches: number; readonly rows: number; readonly missing: readonly string[] }> {
  let batches = 0;
  let rows = 0;
  const missing: string[] = [];
  const filter = { streamPrefixes: [PREFIX], eventTypes: ['BatchBacktestCreated'] };
  for await (const { stream } of log.readAll(BEFORE_FIRST, { filter })) {
    const batchId = stream.slice(PREFIX.length);
    const { state } = await loadState(log, BATCH_STREAM, batchId);
    if (!batchExists(state)) continue;
    const copied = await copyBatch(source, target, batchId, state.created.variables);
    if (copied === null) {
      if (state.status === 'Finished') missing.push(batchId);
      continue;
    }
    batches += 1;
    rows += copied;
  }
  return { batches, rows, missing };
}

async function migrate(): Promise<void> {
  const config = readConfig();
  const { CLICKHOUSE_URL, MONGODB_URL, EVENTSTORE_URL, CLUSTER_NAME, DATA_DIR } = config;
  if (!CLICKHOUSE_URL || !MONGODB_URL)
    throw new CommandError(
      400,
      'Set MONGODB_URL and CLICKHOUSE_URL (and EVENTSTORE_URL, for a log that is not to stay in DATA_DIR) ' +
        'to the servers of the cluster',
    );
  const embedded = embeddedOf(config);
  const lock = lockDataFolder(DATA_DIR);
  try {
    const here = await openLogStores(embedded, { mayCreate: false });
    // Opened as the product opens it, which brings the folder of an earlier version up to date.
    const stores = await openStores(embedded, 'embedded', pino({ level: 'silent' }));
    try {
      const keys = await openPersonKeys(config);
      try {
        say(`${await copyKeys(here.personKeys, keys)} keys of personal data are in MONGODB_URL`);
      } finally {
        await keys.close();
      }
      if (EVENTSTORE_URL) {
        const log = await openEventStoreDb({ url: EVENTSTORE_URL, client: config.EVENTSTORE_CLIENT });
        const appends = log.orderedAppends();
        try {
          const { events, head } = await copyLog(here.eventLog, log, appends, (count) =>
            say(`${count} events`),
          );
          console.log(`Log: ${events} events, hash ${head?.hash ?? 'none'}, the same on both sides`);
        } finally {
          appends.close();
          await log.close();
        }
      } else console.log('Log: stays in DATA_DIR, since EVENTSTORE_URL is not set');
      const results = await openClickHouseResultStore({ url: CLICKHOUSE_URL, database: CLUSTER_NAME });
      try {
        const { batches, rows, missing } = await copyResults(here.eventStore, stores.results, results);
        console.log(`Results: ${rows} rows of ${batches} batches, number and hash the same on both sides`);
        for (const id of missing)
          console.log(
            `Batch ${id} has no rows here either: "quantloom results recompute ${id}" on the cluster`,
          );
      } finally {
        await results.close();
      }
    } finally {
      await stores.close();
      await here.close();
    }
    console.log(
      'Accounts, prices and the secret stay in DATA_DIR, which every service of the cluster needs.',
    );
    console.log('Read models are built by the cluster at its start. Then: quantloom log verify');
  } catch (error) {
    if (error instanceof MigrationError || error instanceof LogFileError)
      throw new CommandError(422, error.message, { cause: error });
    throw error;
  } finally {
    lock.release();
  }
}

/** `quantloom migrate`: what an installation of one machine has, into the servers of a cluster. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description(
      'copy log, keys and results of DATA_DIR into the servers that the settings name; ' +
        'the product must be stopped; may be repeated',
    )
    .action(migrate);
}
