import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { type CheckpointTask, CLOSED, STOP } from './checkpoints.ts';

/**
 * Moves what was committed from the write-ahead log into the database file, with its own connection: the
 * flushes that this takes would hold whoever answers requests. SQLite's readers and writers go on meanwhile.
 */
const { path, signals, everyMs, restartAtPages } = workerData as CheckpointTask;
// Waits for others only so long: whoever writes may have to wait for this thread as well.
const connection = new DatabaseSync(path, { timeout: 20 });

/** Of the write-ahead log; null where there is none. */
function lastWrite(): number | null {
  try {
    return statSync(`${path}-wal`).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

let seen: number | null = null;
function checkpoint(): void {
  const written = lastWrite();
  if (written === seen) return;
  seen = written;
  const { log } = connection.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as { log: number };
  // What is left is little now: the writers wait for a moment, and the log begins again at its front instead
  // of growing.
  if (log > restartAtPages) connection.prepare('PRAGMA wal_checkpoint(RESTART)').get();
}

while (Atomics.wait(signals, STOP, 0, everyMs) === 'timed-out') {
  try {
    checkpoint();
  } catch (error) {
    // A full disk, or everybody busy: the next write says the former, the next turn mends the latter.
    if ((error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') throw error;
    seen = null;
  }
}
connection.close();
Atomics.store(signals, CLOSED, 1);
Atomics.notify(signals, CLOSED);
