import { writeAnew } from '../../sqlite/compact.ts';
import type { SqliteDatabase } from '../../sqlite/database.ts';

/** Accounts that leave one after the other share one writing. */
const AFTER_MS = 10_000;
/** Writing the file anew holds up sign-ins: not more often than this, however many leave. */
const EVERY_MS = 10 * 60_000;

/**
 * What removed accounts leave in the issuer's file until it is written anew, some seconds later. The file
 * remembers that it is to be, so that a process that dies meanwhile leaves it to the next one.
 */
export class Remains {
  readonly #database: SqliteDatabase;
  readonly #report: (error: unknown) => void;
  #timer: NodeJS.Timeout | null = null;
  #working: Promise<void> | null = null;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(database: SqliteDatabase, report: (error: unknown) => void) {
    this.#database = database;
    this.#report = report;
    if (this.#areLeft()) this.#plan();
  }

  /** An account was removed. */
  left(): void {
    this.#database.durable.exec('PRAGMA user_version = 1');
    this.#plan();
  }

  async close(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#working;
    if (this.#areLeft()) await this.#remove();
  }

  #areLeft(): boolean {
    return this.#database.durable.prepare('PRAGMA user_version').get()?.user_version === 1;
  }

  #plan(): void {
    if (this.#timer) return;
    const untilNext = this.#lastAt + EVERY_MS - performance.now();
    this.#timer = setTimeout(
      () => {
        this.#timer = null;
        this.#working = this.#remove();
      },
      Math.max(AFTER_MS, untilNext),
    ).unref();
  }

  /** Never rejects: whoever waits for it is a timer. What fails is told, and tried again. */
  async #remove(): Promise<void> {
    this.#lastAt = performance.now();
    try {
      // Before, not after: somebody may leave meanwhile. It fails itself where the disk is full.
      this.#database.durable.exec('PRAGMA user_version = 0');
      await writeAnew(this.#database);
    } catch (error) {
      this.#report(error);
      this.#leaveToNext();
      if (!this.#database.isClosed) this.#plan();
    }
  }

  #leaveToNext(): void {
    try {
      if (!this.#areLeft()) this.#database.durable.exec('PRAGMA user_version = 1');
    } catch (error) {
      this.#report(error);
    }
  }
}
