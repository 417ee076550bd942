import { existsSync } from 'node:fs';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { CommandError } from '../commands/command-error.ts';
import type { Config } from '../config.ts';

/** What the tools of the log work on. */
export interface LogStores {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  /** Appends that the store commits in the order of the calls; see `importLog`. */
  readonly appendWindow: number;
  close(): Promise<void>;
}

/** The log and the read models of the data folder; nothing else is opened, so that a running product is not disturbed. */
export async function openLogStores(config: Config, options: { mayCreate: boolean }): Promise<LogStores> {
  if (config.EVENTSTORE_URL || config.MONGODB_URL)
    throw new CommandError(501, 'The log tools do not know EVENTSTORE_URL and MONGODB_URL yet');
  const file = path.join(config.DATA_DIR, 'quantloom.sqlite');
  if (!options.mayCreate && !existsSync(file))
    throw new CommandError(404, `There is no log in ${config.DATA_DIR} (set DATA_DIR)`);
  const database = openSqliteDatabase(file);
  const eventStore = openSqliteEventStore(database);
  const readModels = openSqliteReadModels(database);
  return {
    eventStore,
    readModels,
    appendWindow: 256,
    close: async () => {
      await eventStore.close();
      await readModels.close();
      database.close();
    },
  };
}
