import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Pulse } from '../concurrency/pulse.ts';
import { CheckpointThread } from './checkpoints.ts';

/** Pages in the write-ahead log from which on a commit moves them into the file by itself: SQLite's own number. */
const OWN = 1_000;
/** 100 MB. */
const BEHIND = 25_000;
/**
 * In `schema_versions`: everything was deleted by connections that overwrite. Earlier programs did not, and
 * do not know the mark.
 */
const OVERWRITTEN = 'overwritten-when-deleted';

export interface SqliteOptions {
  /**
   * How often changes of other processes on the same file are looked for, in ms (default 25). Changes of this
   * object are seen at once.
   */
  readonly pollMs?: number;
  /** How long a write waits for another process's write, in ms (default 10,000). */
  readonly busyTimeoutMs?: number;
  /**
   * Whether a thread of its own moves what is committed into the file: for a process that answers requests
   * (default false).
   */
  readonly checkpointThread?: boolean;
}

/**
 * One SQLite file in WAL mode that event store, bus and read models share.
 *
 * Two connections: `durable` (synchronous=FULL: an acknowledged commit survives a power cut) carries the log, `relaxed`
 * (synchronous=NORMAL: survives the death of the process, a power cut may take the last commits) carries what
 * follows from the log. Both write the same WAL, of which a cut can only take a suffix, so checkpoints and
 * messages can't get ahead of each other; see `docs/decisions/0040-one-sqlite-file.md`.
 */
export class SqliteDatabase {
  readonly path: string;
  readonly durable: DatabaseSync;
  readonly relaxed: DatabaseSync;
  /** New events in the log. */
  readonly events = new Pulse();
  /** New messages, or a change of a consumer group. */
  readonly bus = new Pulse();
  readonly #timer: NodeJS.Timeout;
  readonly #checkpoints: CheckpointThread | null;
  #dataVersion = -1;
  #isClosed = false;

  constructor(path: string, options: SqliteOptions = {}) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isNew = !existsSync(path);
    forOwnerOnly(path);
    this.path = path;
    const timeout = options.busyTimeoutMs ?? 10_000;
    this.durable = connect(path, timeout, 'FULL');
    this.relaxed = connect(path, timeout, 'NORMAL');
    this.durable.exec(
      'CREATE TABLE IF NOT EXISTS schema_versions (component TEXT PRIMARY KEY, version INTEGER NOT NULL)',
    );
    if (isNew) this.markOverwritten();
    this.#checkpoints = options.checkpointThread
      ? new CheckpointThread(path, () => this.#checkpointAt(OWN))
      : null;
    // Where the thread does it, a connection does so only if the thread has fallen behind by far.
    if (this.#checkpoints) this.#checkpointAt(BEHIND);
    const dataVersion = this.relaxed.prepare('PRAGMA data_version');
    this.#timer = setInterval(() => {
      if (!this.events.hasWaiters && !this.bus.hasWaiters) return;
      const version = Number(dataVersion.get()?.data_version);
      if (version === this.#dataVersion) return;
      this.#dataVersion = version;
      this.events.notify();
      this.bus.notify();
    }, options.pollMs ?? 25);
    this.#timer.unref();
  }

  #checkpointAt(pages: number): void {
    if (this.#isClosed) return;
    for (const connection of [this.durable, this.relaxed])
      connection.exec(`PRAGMA wal_autocheckpoint = ${pages}`);
  }

  /** Whether nothing that was ever deleted is left in the file. */
  get isOverwritten(): boolean {
    return (
      this.durable.prepare('SELECT 1 FROM schema_versions WHERE component = ?').get(OVERWRITTEN) !== undefined
    );
  }

  /** Said of a file that has just been made, or written anew: from then on what is deleted is overwritten. */
  markOverwritten(): void {
    this.durable.prepare('INSERT OR REPLACE INTO schema_versions VALUES (?, 1)').run(OVERWRITTEN);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Runs the steps that this file has not seen yet, in one transaction. Throws where a newer program has
   * written the file.
   */
  migrate(component: string, steps: readonly string[]): void {
    transaction(this.durable, () => {
      const row = this.durable
        .prepare('SELECT version FROM schema_versions WHERE component = ?')
        .get(component);
      const version = Number(row?.version ?? 0);
      if (version > steps.length) {
        throw new Error(
          `${this.path}: ${component} is at schema version ${version}, this program knows ` +
            `${steps.length}; use a newer program`,
        );
      }
      for (const step of steps.slice(version)) this.durable.exec(step);
      this.durable
        .prepare(
          'INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT (component) DO UPDATE SET version = excluded.version',
        )
        .run(component, steps.length);
    });
  }

  /** Wakes every waiter and closes the file. Repeating it does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.events.notify();
    this.bus.notify();
    this.#checkpoints?.stop();
    this.durable.close();
    this.relaxed.close();
  }
}

/** Opens (and creates, folders included) the file. */
export function openSqliteDatabase(path: string, options?: SqliteOptions): SqliteDatabase {
  return new SqliteDatabase(path, options);
}

/** All of `work` or nothing, with the write lock from the beginning. `work` must not await. */
export function transaction<T>(connection: DatabaseSync, work: () => T): T {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    connection.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk rolls back by itself.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/**
 * The log, sign-ins and secrets: the files beside it (-wal, -shm) take its rights. Makes the file where there
 * is none.
 */
function forOwnerOnly(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (!existsSync(file)) continue;
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // It belongs to somebody else, who decides about it.
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    }
  }
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

function connect(path: string, timeout: number, synchronous: 'FULL' | 'NORMAL'): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout });
  connection.exec('PRAGMA journal_mode = WAL');
  connection.exec(`PRAGMA synchronous = ${synchronous}`);
  connection.exec('PRAGMA cache_size = -32768');
  connection.exec('PRAGMA temp_store = MEMORY');
  // Erased accounts must be gone from the disk, and a file of gigabytes can't be written anew for each.
  connection.exec('PRAGMA secure_delete = ON');
  return connection;
}
