import path from 'node:path';
import { openMongoPersonKeys } from '@quantloom/adapters/person-keys/mongodb/mongodb-person-keys';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { Config } from '../config.ts';

/** File in the data folder. */
export const KEYS_FILE = 'keys.sqlite';

/** The keys of people: in MongoDB where several processes share them, else in a file of the data folder. */
export async function openPersonKeys({
  MONGODB_URL,
  CLUSTER_NAME,
  DATA_DIR,
}: Pick<Config, 'MONGODB_URL' | 'CLUSTER_NAME' | 'DATA_DIR'>): Promise<PersonKeys> {
  // Not the database of the read models, which somebody may drop and build anew.
  if (MONGODB_URL) return await openMongoPersonKeys({ url: MONGODB_URL, database: `${CLUSTER_NAME}-keys` });
  return openSqlitePersonKeys(path.join(DATA_DIR, KEYS_FILE));
}
