import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { warmUp } from '@quantloom/compute/engine/batch/warm-up';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { TODAY } from './engine-run.ts';
import { type Market, syntheticMarket } from './synthetic-market.ts';
import { best } from './timing.ts';
import { asset, condition, either, equal, filter, inverse, root } from './trees.ts';
import { tickers } from './workloads.ts';

/** Milliseconds of one backtest with its history: all days of the market, ten assets. */
export interface SingleTiming {
  /** The first in a thread that has done nothing before. */
  readonly first: number;
  /** The first in a thread that has warmed up, as the threads of the product do when they start. */
  readonly afterWarmUp: number;
  /** The best of many. */
  readonly warm: number;
}

interface Task {
  readonly single: { readonly days: number; readonly first: number; readonly isWarmedUp: boolean };
}

/**
 * Times a backtest from day `first` on in threads of its own. Prices are there; nothing else of a run is kept
 * from one to the next.
 */
export async function singleBacktest(days: number, first: number): Promise<SingleTiming> {
  const fresh = await run({ single: { days, first, isWarmedUp: false } });
  const warmedUp = await run({ single: { days, first, isWarmedUp: true } });
  return { first: fresh.first, afterWarmUp: warmedUp.first, warm: Math.min(fresh.warm, warmedUp.warm) };
}

function run(workerData: Task): Promise<{ first: number; warm: number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function measure({ single: { days, first, isWarmedUp } }: Task): { first: number; warm: number } {
  const market = syntheticMarket(days, 10);
  if (isWarmedUp) for (const _ of warmUp());
  return time(market, { start: dateAt(market, first), end: dateAt(market, days - 1) });
}

function dateAt(market: Market, day: number): string {
  return new Date((market.days[day] as number) * 86_400_000).toISOString().slice(0, 10);
}

function time(market: Market, dates: { start: string; end: string }): { first: number; warm: number } {
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

// Other measuring threads load this file too.
if (!isMainThread && 'single' in workerData) parentPort?.postMessage(measure(workerData as Task));
