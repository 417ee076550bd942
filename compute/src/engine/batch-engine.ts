import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { EngineOptions } from './backtest.ts';
import { type BatchPlan, planBatch } from './batch-plan.ts';
import { ReferenceBatch } from './batch-reference.ts';
import { BothFills, otherFillOf } from './both-fills.ts';
import { compileFastPlan } from './fast/index.ts';
import type { ResultColumns } from './result-columns.ts';

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
   * Fills the rows of `from .. from + count - 1` in `columns`, which must cover them, and answers the combinations whose rows stay
   * empty. Stops early, with rows missing, once `isCancelled` says so; it is asked at least every few milliseconds of work. Of the range
   * only what `isWanted` says is computed (default: all); it is asked in any order. A row is the same to the bit whatever is asked for with it.
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

/**
 * Plans a batch and picks the path that runs it.
 * @throws RefusalError of status 400 for a batch that cannot run
 */
export function createBatchEngine(
  request: BatchRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  options: BatchEngineOptions,
): BatchEngine {
  const plan = planBatch(request, prices, options);
  if (!plan.hasBothFills) return engineOf(plan, options);
  const { cacheBytes } = options;
  // One after the other on the same thread: each has half of what the batch may keep.
  const half = cacheBytes === undefined ? options : { ...options, cacheBytes: Math.floor(cacheBytes / 2) };
  const other = planBatch(otherFillOf(request, plan), prices, options);
  return new BothFills(engineOf(plan, half), engineOf(other, half));
}

function engineOf(plan: BatchPlan, { force, cacheBytes }: BatchEngineOptions): BatchEngine {
  if (force !== 'reference') {
    const fast = compileFastPlan(plan, cacheBytes === undefined ? {} : { cacheBytes });
    if (fast !== null) return fast;
    if (force === 'fast') throw new Error('The fast path does not take this batch');
  }
  return new ReferenceBatch(plan, cacheBytes);
}
