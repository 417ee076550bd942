import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * Claims a file for this process until `release`, or until the process ends, however it ends; null where
 * another one has it.
 */
export function claimFile(path: string): { release(): void } | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
