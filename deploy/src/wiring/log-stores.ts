import { existsSync } from 'node:fs';
import path from 'node:path';
import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { formerHead, sealLog } from '@quantloom/adapters/event-store/sqlite/seal-log';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openMongoReadModels } from '@quantloom/adapters/read-models/mongodb/mongodb-read-models';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase, type SqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { CommandError } from '../commands/command-error.ts';
import type { Config } from '../config.ts';
import { openPersonKeys } from './person-keys.ts';

/** What the tools of the log work on. */
export interface LogStores {
  /** Reads and writes personal data under the keys. */
  readonly eventStore: EventStore;
  /** The log as it is written: what its chain is of. */
  readonly eventLog: EventStore;
  readonly personKeys: PersonKeys;
  readonly readModels: ReadModels;
  /** What a copy is appended with: the store commits in the order of the calls, so many of which may be under way. */
  readonly copies: Pick<EventStore, 'append'>;
  /** The link that a link is called now: that of the head from before personal data were sealed has changed. */
  presentLink(link: string): string;
  close(): Promise<void>;
}

/**
 * The log and the read models that the configuration names, else those of the data folder; nothing else is
 * opened, so that a running product is not disturbed.
 */
export async function openLogStores(
  config: Pick<Config, 'EVENTSTORE_URL' | 'EVENTSTORE_CLIENT' | 'MONGODB_URL' | 'CLUSTER_NAME' | 'DATA_DIR'>,
  options: { mayCreate: boolean },
): Promise<LogStores> {
  const { EVENTSTORE_URL, MONGODB_URL, CLUSTER_NAME, DATA_DIR } = config;
  let shared: SqliteDatabase | null = null;
  const database = () => {
    if (shared) return shared;
    const file = path.join(DATA_DIR, 'quantloom.sqlite');
    if (!options.mayCreate && !existsSync(file))
      throw new CommandError(404, `There is no log in ${DATA_DIR} (set DATA_DIR)`);
    shared = openSqliteDatabase(file);
    return shared;
  };
  const server = EVENTSTORE_URL
    ? await openEventStoreDb({ url: EVENTSTORE_URL, client: config.EVENTSTORE_CLIENT })
    : null;
  const ordered = server?.orderedAppends();
  const eventLog = server ?? openSqliteEventStore(database());
  const readModels = MONGODB_URL
    ? await openMongoReadModels({ url: MONGODB_URL, database: CLUSTER_NAME })
    : openSqliteReadModels(database());
  const personKeys = await openPersonKeys(config);
  // What comes into an empty log comes sealed: the first start need not look at all of it again.
  if (!EVENTSTORE_URL && options.mayCreate && (await eventLog.head()) < 0n)
    await sealLog(database(), personKeys);
  const eventStore = openSealedEventStore(eventLog, personKeys);
  return {
    eventStore,
    eventLog,
    personKeys,
    readModels,
    presentLink: (link) => {
      const head = EVENTSTORE_URL ? null : formerHead(database());
      return head?.former === link ? head.link : link;
    },
    copies: ordered ?? eventLog,
    close: async () => {
      ordered?.close();
      await eventStore.close();
      await readModels.close();
      await personKeys.close();
      shared?.close();
    },
  };
}
