import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import type { SqliteDatabase } from './database.ts';

/** What has to stay free beside the copy that SQLite writes of the file. */
const SPARE_BYTES = 64 * 1024 ** 2;

/**
 * Takes what was deleted off the disk. Deleted rows and tables are overwritten at once (`secure_delete`), so
 * that only the write-ahead log has to go; a file of an earlier version of the product, which left them where
 * they were, is written anew once.
 *
 * @throws where there is no room for that: whoever asked tries again another time
 */
export async function removeDeleted(database: SqliteDatabase): Promise<void> {
  if (!database.isOverwritten) {
    await writeAnew(database);
    database.markOverwritten();
  }
  database.durable.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/**
 * Writes a small file anew, which holds up whoever writes to it: about a second for each 100 MB. The copy
 * needs disk, not memory.
 */
export async function writeAnew(database: SqliteDatabase): Promise<void> {
  const { bavail, bsize } = await statfs(path.dirname(database.path));
  const needed = 2 * statSync(database.path).size + SPARE_BYTES;
  if (bavail * bsize < needed)
    throw new Error(
      `${database.path} cannot be written anew without what was deleted: that needs ` +
        `${Math.ceil(needed / 1024 ** 2)} MB of free disk`,
    );
  database.durable.exec('PRAGMA temp_store = FILE');
  try {
    database.durable.exec('VACUUM');
  } finally {
    database.durable.exec('PRAGMA temp_store = MEMORY');
  }
  database.durable.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
