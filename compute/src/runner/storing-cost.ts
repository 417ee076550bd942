import type { ResultStore } from '@quantloom/domain/ports/result-store';

/** Until something was stored: processor time of a row in the embedded store, measured by `bench/estimates` and `bench/adapters`. */
const SECONDS_PER_ROW = 6e-6;
/** Smaller blocks say what a transaction costs, not what a row does. */
const ROWS_THAT_TELL = 2_048;
/** Blocks that are looked back on; the quickest of them was held up the least. */
const REMEMBERED = 32;

/** What storing rows takes, learned from the blocks that this process stores. */
export class StoringCost {
  private readonly recent: number[] = [];

  /** Seconds that storing one row takes, by itself. */
  get secondsPerRow(): number {
    return this.recent.length === 0 ? SECONDS_PER_ROW : Math.min(...this.recent);
  }

  /** Counts a block that was stored in so many seconds. */
  observe(rows: number, seconds: number): void {
    if (rows < ROWS_THAT_TELL) return;
    this.recent.push(seconds / rows);
    if (this.recent.length > REMEMBERED) this.recent.shift();
  }

  /** The store, with what its appends take counted here. */
  observed(results: ResultStore): ResultStore {
    return new Proxy(results, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'append') return value.bind(target) as unknown;
        return async (block: Parameters<ResultStore['append']>[0]) => {
          const started = performance.now();
          await target.append(block);
          this.observe(block.count, (performance.now() - started) / 1000);
        };
      },
    });
  }

  /**
   * Seconds on the clock for computing and storing rows side by side: together they need the processors, and storing is one row after the other.
   *
   * @param cpuSeconds processor seconds of computing all of them
   * @param processors that there are for both
   * @param share part of a processor that one thread gets
   */
  secondsWith(rows: number, cpuSeconds: number, processors: number, share: number): number {
    const storing = rows * this.secondsPerRow;
    return Math.max((cpuSeconds + storing) / processors, storing / share);
  }
}
