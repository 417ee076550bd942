import type { EngineOptions } from '../answers/backtest.ts';
import type { ResultColumns } from '../figures/result-columns.ts';
import type { BatchPlan } from './compile/batch-plan.ts';

export interface Failure {
  readonly combination: number;
  /** Why the combination cannot be simulated, naming the block. */
  readonly reason: string;
}

/** A planned batch that runs any range of its combinations, in any order, any number of times, with the same rows. */
export interface BatchEngine {
  readonly plan: BatchPlan;
  readonly path: 'fast' | 'reference';
  /**
   * Fills the rows of `from .. from + count - 1` in `columns`, which must cover them, and answers the
   * combinations whose rows stay empty. Stops early, with rows missing, once `isCancelled` says so; it is
   * asked at least every few milliseconds of work. Of the range only what `isWanted` says is computed
   * (default: all); it is asked in any order. A row is the same to the bit whatever is asked for with it.
   * @throws EngineDefectError
   */
  run(
    columns: ResultColumns,
    from: number,
    count: number,
    isCancelled?: () => boolean,
    isWanted?: (combination: number) => boolean,
  ): Failure[];
  /** Gives back what the engine holds outside the heap, where it holds anything. */
  dispose?(): void;
}

export interface BatchEngineOptions extends EngineOptions {
  /** Bound of the columns the engine keeps. */
  readonly cacheBytes?: number;
  /** Overrides the choice of the path, for tests and measurements. */
  readonly force?: 'fast' | 'reference';
}
