import {
  compileFastBatch,
  type FastBatch,
  type FastOptions,
} from '@quantloom/compute/engine/batch/fast-path';
import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { best } from './timing.ts';

export const TODAY = '2030-01-01';

type Prices = ReadonlyMap<string, PriceSeries>;

/** Plans a batch for the fast path; throws where only the reference could run it. */
export function planFast(request: BatchRequest, prices: Prices, options: FastOptions = {}): FastBatch {
  const batch = compileFastBatch(request, prices, { today: TODAY, ...options });
  if (batch === null) throw new Error('The fast path does not take this template');
  return batch;
}

export interface Timing {
  readonly combinations: number;
  /** Milliseconds of planning and running the whole batch where other batches on the same prices have run before. */
  readonly fresh: number;
  /**
   * Milliseconds of running a planned batch again: nothing but its rows is computed anew where caches hold
   * the rest.
   */
  readonly again: number;
  readonly block: ResultBlock;
}

/** Times a batch in this thread. */
export function timeBatch(
  request: BatchRequest,
  prices: Prices,
  options: FastOptions = {},
  budget = 400,
): Timing {
  const batch = planFast(request, prices, options);
  const { combinations } = batch.engine.plan;
  const block = batch.run(0, combinations);
  const again = best(() => batch.run(0, combinations), budget);
  const fresh = best(() => {
    const other = planFast(request, prices, options);
    other.run(0, combinations);
    other.dispose();
  }, budget);
  batch.dispose();
  return { combinations, fresh, again, block };
}
