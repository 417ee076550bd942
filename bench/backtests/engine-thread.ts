import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runBacktestInColumns } from '@quantloom/compute/engine/answers/backtest';
import { warmUp } from '@quantloom/compute/engine/batch/warm-up';
import { TODAY } from '../engine/engine-run.ts';
import { syntheticMarket } from '../engine/synthetic-market.ts';
import { strategies } from './strategies.ts';

export interface Size {
  readonly days: number;
  readonly tickers: number;
  readonly strategies: number;
}

/**
 * Milliseconds of each strategy's first backtest with history and of the same one repeated at once, in the
 * order they ran.
 */
export interface Timings {
  readonly first: readonly number[];
  readonly again: readonly number[];
}

/**
 * Runs strategies one after the other in a new thread that has warmed up as the product's do; prices are
 * there, nothing else is kept.
 */
export function timeInThread(size: Size): Promise<Timings> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { size } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

function measure({ days, tickers, strategies: count }: Size): Timings {
  const market = syntheticMarket(days, tickers);
  const dates = {
    start_date: dateOf(market.days[0] as number),
    end_date: dateOf(market.days[days - 1] as number),
  };
  for (const _ of warmUp());
  const first: number[] = [];
  const again: number[] = [];
  for (const trading_bot of strategies(market.tickers, count)) {
    const run = () => {
      const start = performance.now();
      runBacktestInColumns({ ...dates, include: { history: true }, trading_bot }, market.prices, {
        today: TODAY,
      });
      return performance.now() - start;
    };
    first.push(run());
    again.push(run());
  }
  return { first, again };
}

export function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

if (!isMainThread && 'size' in workerData) parentPort?.postMessage(measure(workerData.size));
