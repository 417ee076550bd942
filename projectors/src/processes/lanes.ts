/**
 * Work side by side that is in order where it has the same key: what one user's batches need takes its turn
 * behind his own work only, and not behind everybody else's.
 */
export class Lanes {
  readonly #width: number;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #open = 0;
  readonly #openOf = new Map<string, number>();
  #onIdle: (() => void)[] = [];

  /** @param width works that run at a time */
  constructor(width: number) {
    this.#width = width;
  }

  /** Works that run or wait. */
  get size(): number {
    return this.#open;
  }

  /** Does the work after everything that was begun with the same key; settles as the work does. */
  run(key: string, work: () => Promise<void>): Promise<void> {
    this.#count(key, 1);
    const done = (this.#tails.get(key) ?? Promise.resolve()).then(() => this.#inTurn(work));
    const tail = done
      .catch(() => undefined)
      .then(() => {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
        this.#count(key, -1);
        for (const look of this.#onIdle.splice(0)) look();
      });
    this.#tails.set(key, tail);
    return done;
  }

  /** Resolves when fewer than `limit` works run or wait. */
  async below(limit: number): Promise<void> {
    while (this.#open >= limit) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Resolves when one more work of this key may run or wait. */
  async room(key: string, most: { readonly ofKey: number; readonly ofAll: number }): Promise<void> {
    while (this.#open >= most.ofAll || (this.#openOf.get(key) ?? 0) >= most.ofKey)
      await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  #count(key: string, change: 1 | -1): void {
    this.#open += change;
    const ofKey = (this.#openOf.get(key) ?? 0) + change;
    if (ofKey > 0) this.#openOf.set(key, ofKey);
    else this.#openOf.delete(key);
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    if (this.#running >= this.#width) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      await work();
    } finally {
      // The place goes to the next one without being free in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
