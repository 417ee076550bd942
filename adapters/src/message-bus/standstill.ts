/**
 * Time that a process was given no turn: it was frozen, or the machine had too much to do. What a watch on
 * others counts against them should not hold that time, in which they could not do anything either.
 */
export class Standstill {
  readonly #everyMs: number;
  #lookedAt = Date.now();

  /** @param everyMs how often `lost` is called at least, as long as the process has its turns */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Milliseconds by which this call comes too late. */
  lost(): number {
    const now = Date.now();
    const lost = Math.max(0, now - this.#lookedAt - this.#everyMs);
    this.#lookedAt = now;
    return lost;
  }
}
