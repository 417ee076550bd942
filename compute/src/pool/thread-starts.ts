import type { Log } from '@quantloom/domain/ports/log';

/** A place whose threads have died at their start this often in a row is out of order. */
const MOST_FAILED_STARTS = 3;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
/** Each pause is so many times as long as the one before. */
const PAUSE_GROWTH = 4;

/** How often the threads of each place of a pool have failed to start in a row. */
export class ThreadStarts {
  readonly #failures: number[];
  readonly #log: Log;

  constructor(places: number, log: Log) {
    this.#failures = new Array<number>(places).fill(0);
    this.#log = log;
  }

  /**
   * A thread has died before it was given anything. Answers for how long, in milliseconds, its place stays
   * empty: what was wrong may still be so, and starting a thread takes a processor from those that work.
   */
  failed(place: number, error: unknown): number {
    const failures = this.#failuresOf(place) + 1;
    this.#failures[place] = failures;
    if (failures === MOST_FAILED_STARTS)
      this.#log.error({ err: error, thread: place }, 'a computing thread does not start and is tried again');
    return Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (failures - 1), LONGEST_PAUSE_MS);
  }

  /** A thread is given something to do. */
  works(place: number): void {
    if (this.isOut(place)) this.#log.info({ thread: place }, 'a computing thread works again');
    this.#failures[place] = 0;
  }

  isOut(place: number): boolean {
    return this.#failuresOf(place) >= MOST_FAILED_STARTS;
  }

  /** Whether every place but the one named is out of order. */
  areOut(except?: number): boolean {
    return this.#failures.every((_, place) => place === except || this.isOut(place));
  }

  #failuresOf(place: number): number {
    return this.#failures[place] ?? 0;
  }
}
