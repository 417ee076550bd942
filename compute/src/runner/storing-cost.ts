import type { ResultStore } from '@quantloom/domain/ports/result-store';

/**
 * Until something was stored: processor time of a row in the embedded store, measured by `bench/estimates`
 * and `bench/adapters`.
 */
const SECONDS_PER_ROW = 6e-6;
/** Until results were summed up and judged: processor time by row, measured by `bench/results`. */
const SECONDS_PER_COMPILED_ROW = 8e-6;
/**
 * From the first event to the last of a batch that computes next to nothing, and what the first one of a
 * process takes more: `bench/estimates`.
 */
const SECONDS_PER_BATCH = 0.11;
const SECONDS_OF_FIRST_BATCH = 0.2;
/** After so many batches a process is as quick as it gets. */
const WARM_AFTER = 16;
/** Smaller blocks say what a transaction costs, not what a row does. */
const ROWS_THAT_TELL = 2_048;
/** Smaller batches say what starting a thread costs. */
const COMPILED_ROWS_THAT_TELL = 50_000;
/** Blocks, and batches, that are looked back on; the quickest of them was held up the least. */
const REMEMBERED = 32;

/**
 * What storing rows and summing them up takes, learned from the blocks that this process stores and the
 * batches it compiles.
 */
export class StoringCost {
  private readonly recent: number[] = [];
  private readonly compiled: number[] = [];
  private readonly batches = new Set<string>();
  private readonly isHere: boolean;

  /**
   * @param isHere whether it is this process that stores; of another one nothing is learned, and it is taken
   * to be warm
   */
  constructor(isHere = true) {
    this.isHere = isHere;
  }

  /** Seconds that a batch takes whatever its size: the first ones of a process take longer. */
  get secondsPerBatch(): number {
    const isWarm = !this.isHere || this.batches.size >= WARM_AFTER;
    return SECONDS_PER_BATCH + (isWarm ? 0 : SECONDS_OF_FIRST_BATCH / (1 + this.batches.size));
  }

  /** Seconds that storing one row takes, by itself. */
  get secondsPerRow(): number {
    return this.recent.length === 0 ? SECONDS_PER_ROW : Math.min(...this.recent);
  }

  /** Seconds on the clock that summing up and judging one row takes. */
  get secondsPerCompiledRow(): number {
    return this.compiled.length === 0 ? SECONDS_PER_COMPILED_ROW : Math.min(...this.compiled);
  }

  /** Counts a block that was stored in so many seconds. */
  observe(rows: number, seconds: number): void {
    if (rows >= ROWS_THAT_TELL) remember(this.recent, seconds / rows);
  }

  /** Compiles the results of a batch, and counts what that takes. */
  async compiling(rows: number, compile: () => Promise<void>): Promise<void> {
    const started = performance.now();
    await compile();
    const seconds = (performance.now() - started) / 1000;
    if (rows >= COMPILED_ROWS_THAT_TELL) remember(this.compiled, seconds / rows);
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
          if (this.batches.size < WARM_AFTER) this.batches.add(block.batchId);
          this.observe(block.count, (performance.now() - started) / 1000);
        };
      },
    });
  }

  /**
   * Seconds for computing and storing rows side by side with nothing else in the way.
   *
   * @param cpuSeconds processor seconds of computing all of them
   */
  workSeconds(rows: number, cpuSeconds: number, threads: number): number {
    return this.sideBySide(rows, cpuSeconds, threads, 1);
  }

  /**
   * Seconds on the clock for computing and storing rows side by side, then summing them up: together
   * computing and storing need the processors, and storing is one row after the other.
   *
   * @param cpuSeconds processor seconds of computing all of them
   * @param processors that there are for both
   * @param share part of a processor that one thread gets when the others have nothing to do
   */
  secondsWith(rows: number, cpuSeconds: number, processors: number, share: number): number {
    // What was learned holds waiting for the processor already.
    const compiling = (rows * this.secondsPerCompiledRow) / (this.compiled.length === 0 ? share : 1);
    return this.sideBySide(rows, cpuSeconds, processors, share) + compiling;
  }

  private sideBySide(rows: number, cpuSeconds: number, processors: number, share: number): number {
    const storing = rows * this.secondsPerRow;
    return Math.max((cpuSeconds + storing) / processors, storing / share);
  }
}

function remember(recent: number[], value: number): void {
  recent.push(value);
  if (recent.length > REMEMBERED) recent.shift();
}
