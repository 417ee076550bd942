import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { BatchEngine, BatchEngineOptions } from './batch-engine.ts';
import { ReferenceBatch } from './batch-reference.ts';
import { BothFills, otherFillOf } from './both-fills.ts';
import { type BatchPlan, planBatch } from './compile/batch-plan.ts';
import { compileFastPlan } from './fast-path.ts';

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
