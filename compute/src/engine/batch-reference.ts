import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { checkedBlock, marketFor, runBlock } from './backtest.ts';
import { type BatchPlan, bindCombination } from './batch-plan.ts';
import { calendarOf } from './calendar.ts';
import { Market } from './market.ts';
import { ResultBlockBuilder } from './result-block-builder.ts';

/**
 * The readable way to run a batch: each combination bound, checked and simulated like a single backtest, on one market whose columns
 * all combinations share. What the fast path is tested against, and what runs where it does not apply.
 */
export class ReferenceBatch {
  private readonly plan: BatchPlan;
  private readonly cacheBytes: number | undefined;
  /** Null where the benchmark has no data: the calendar is then each combination's own. */
  private readonly market: Market | null;

  constructor(plan: BatchPlan, cacheBytes?: number) {
    this.plan = plan;
    this.cacheBytes = cacheBytes;
    const benchmark = plan.prices.get(plan.terms.benchmark);
    const hasCalendar = (benchmark?.days.length ?? 0) > 0;
    this.market = hasCalendar
      ? new Market(calendarOf(benchmark, [], plan.prices), plan.prices, cacheBytes)
      : null;
  }

  /** Simulates one combination into its row. A combination that cannot run keeps an empty row with its reason. */
  runInto(builder: ResultBlockBuilder, combination: number): void {
    const { plan } = this;
    try {
      const block = checkedBlock(bindCombination(plan, combination), plan.prices);
      const market = this.market ?? marketFor(block, plan.terms, plan.prices, this.cacheBytes);
      builder.add(combination, runBlock(block, market, plan.terms));
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      builder.fail(combination, error.refusal.detail);
    }
  }
}

/** Runs the combinations `from .. from + count - 1` of a batch. */
export function runBatchRange(plan: BatchPlan, from: number, count: number, batchId = ''): ResultBlock {
  const batch = new ReferenceBatch(plan);
  const builder = new ResultBlockBuilder(plan, batchId, from, count);
  for (let k = from; k < from + count; k++) batch.runInto(builder, k);
  return builder.block;
}
