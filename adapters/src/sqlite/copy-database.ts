import { DatabaseSync } from 'node:sqlite';

/** Copies a database as it is at one moment, whoever writes to it; false where there is none. */
export function copyDatabase(from: string, to: string): boolean {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  } catch {
    return false;
  }
  try {
    database.prepare('VACUUM INTO ?').run(to);
    return true;
  } finally {
    database.close();
  }
}
