import { runBacktest } from '@quantloom/compute/engine/backtest';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { TODAY } from './engine-run.ts';
import type { Market } from './synthetic-market.ts';
import { best } from './timing.ts';
import { asset, condition, either, equal, filter, inverse, root } from './trees.ts';
import { tickers } from './workloads.ts';

/** Milliseconds of one backtest with its history: all days of the market, ten assets. */
export function singleBacktest(
  market: Market,
  dates: { start: string; end: string },
): { first: number; warm: number } {
  const leaves = tickers(0, 10).map(asset);
  const trading_bot = root(
    either(
      condition(['relative-strength-index', 10, 'SPY'], 'gt', 60),
      equal(...leaves.slice(0, 4)),
      equal(
        filter('cumulative-return', 60, 'top', 2, ...leaves.slice(4, 7)),
        inverse(20, ...leaves.slice(7)),
      ),
    ),
  );
  const request: BacktestRequest = {
    start_date: dates.start,
    end_date: dates.end,
    include: { history: true },
    trading_bot,
  };
  const run = () => void runBacktest(request, market.prices, { today: TODAY });
  const start = performance.now();
  run();
  return { first: performance.now() - start, warm: best(run) };
}
