/**
 * Spaces out work that holds the event loop for a few milliseconds at a time, so that what answers people
 * gets its turn after every single piece of it and not after one piece of everybody who has something to do.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves in a round of the event loop that it shares with no other turn. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}

/** A piece of work should hold the event loop for about so long, in milliseconds. */
const GOAL_MS = 6;

/**
 * Finds how many events make a piece of work: more where they cost little, or where the time is spent waiting
 * for a server.
 */
export class PieceSize {
  readonly #most: number;
  #size: number;

  constructor(most: number) {
    this.#most = most;
    this.#size = Math.min(most, 50);
  }

  get events(): number {
    return this.#size;
  }

  /** @param ms how long the event loop was busy with a piece of `events` */
  took(ms: number, events: number): void {
    const fitting = (events * GOAL_MS) / Math.max(ms, 0.1);
    // Half the way at a time: one slow piece says little. A short one that was quick says nothing.
    if (events >= this.#size || ms > GOAL_MS) this.#size = Math.round((this.#size + fitting) / 2);
    this.#size = Math.max(1, Math.min(this.#most, this.#size));
  }
}
