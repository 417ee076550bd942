import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { debugDataOfFailure } from '../answers/debug-data.ts';
import {
  allocateColumns,
  blockView,
  columnViews,
  type ResultColumns,
  rowFormOf,
} from '../figures/result-columns.ts';
import { writeRow } from '../figures/result-row.ts';
import { calendarOf } from '../model/calendar.ts';
import { EngineDefectError } from '../model/engine-defect.ts';
import { BlockMarket } from '../reference/own-series.ts';
import { rebalancingOf } from '../reference/rebalancing.ts';
import { checkedBlock, marketFor, type Run, runBlock } from '../reference/run.ts';
import type { Market } from '../series/market.ts';
import type { BatchEngine, Failure } from './batch-engine.ts';
import { type BatchPlan, bindCombination } from './compile/batch-plan.ts';

/**
 * The readable way to run a batch: each combination bound, checked and simulated like a single backtest, on
 * one market whose columns all combinations share. What the fast path is tested against, and what runs where
 * it does not apply.
 */
export class ReferenceBatch implements BatchEngine {
  readonly path = 'reference';
  readonly plan: BatchPlan;
  private readonly cacheBytes: number | undefined;
  /** Null where the benchmark has no data: the calendar is then each combination's own. */
  private readonly market: Market | null;

  constructor(plan: BatchPlan, cacheBytes?: number) {
    this.plan = plan;
    this.cacheBytes = cacheBytes;
    const benchmark = plan.prices.get(plan.terms.benchmark);
    const hasCalendar = (benchmark?.days.length ?? 0) > 0;
    this.market = hasCalendar
      ? new BlockMarket(calendarOf(benchmark, [], plan.prices), plan.prices, {
          cacheBytes,
          indicatorPrices: plan.terms.indicatorPrices,
        })
      : null;
  }

  run(
    columns: ResultColumns,
    from: number,
    count: number,
    isCancelled: () => boolean = () => false,
    isWanted: (combination: number) => boolean = () => true,
  ): Failure[] {
    const views = columnViews(columns);
    const failures: Failure[] = [];
    for (let combination = from; combination < from + count && !isCancelled(); combination++) {
      if (!isWanted(combination)) continue;
      const reason = this.combination(combination, views, combination - columns.from);
      if (reason !== null) failures.push({ combination, reason });
    }
    return failures;
  }

  /** Fills one row; answers why it stays empty, or null. */
  private combination(
    combination: number,
    views: ReturnType<typeof columnViews>,
    row: number,
  ): string | null {
    try {
      writeRow(views, row, this.simulated(combination), this.plan.outOfSampleDay);
      return null;
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal.detail;
      throw error;
    }
  }

  /**
   * Simulates one combination.
   * @throws RefusalError for one that cannot be simulated, naming the block; EngineDefectError
   */
  simulated(combination: number): Run {
    const { plan } = this;
    const algorithm = bindCombination(plan, combination);
    try {
      const block = checkedBlock(algorithm, plan.prices);
      const market = this.market ?? marketFor(block, plan.terms, plan.prices, this.cacheBytes);
      const rebalancing = rebalancingOf(algorithm);
      return runBlock(block, market, plan.terms, { rebalancing, wantsTurnover: true });
    } catch (error) {
      if (error instanceof RefusalError) throw error;
      throw EngineDefectError.from(error, { ...debugDataOfFailure(algorithm, plan.prices), combination });
    }
  }
}

/** Runs the combinations `from .. from + count - 1` of a batch by the reference engine. */
export function runBatchRange(plan: BatchPlan, from: number, count: number, batchId = ''): ResultBlock {
  const columns = allocateColumns(from, count, rowFormOf(plan));
  const failures = new ReferenceBatch(plan).run(columns, from, count);
  return blockView(columns, batchId, plan.space, failures);
}
