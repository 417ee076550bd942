import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { BlockMarket } from '../reference/own-series.ts';
import { requirementsOf } from '../reference/requirements.ts';
import { checkedBlock } from '../reference/run.ts';
import { simulatedDays } from '../reference/simulated-days.ts';
import type { Market } from '../series/market.ts';
import { type BatchPlan, bindCombination } from './compile/batch-plan.ts';

/** Says why combinations cannot be simulated, in the words of a single backtest. */
export class FailureReasons {
  private readonly plan: BatchPlan;
  private readonly market: Market;

  constructor(plan: BatchPlan, calendar: Int32Array) {
    this.plan = plan;
    this.market = new BlockMarket(calendar, plan.prices, {
      cacheBytes: CACHE_BYTES,
      indicatorPrices: plan.terms.indicatorPrices,
    });
  }

  /** Throws where the combination could be simulated after all: that would be a defect of the fast path. */
  of(combination: number): string {
    const { plan, market } = this;
    try {
      const block = checkedBlock(bindCombination(plan, combination), plan.prices);
      simulatedDays(requirementsOf(block, market), market, plan.terms);
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal.detail;
      throw error;
    }
    throw new Error(`The fast path refuses combination ${combination}, which can run`);
  }
}

/** Enough for the columns that failing combinations have in common. */
const CACHE_BYTES = 16 * 1024 * 1024;
