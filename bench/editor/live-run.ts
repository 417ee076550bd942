import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { machineApi } from '@quantloom/e2e/harness/api.ts';
import { syntheticMarket } from '../engine/synthetic-market.ts';
import { asset, condition, either, equal, filter, inverse, root } from '../engine/trees.ts';
import { tickers } from '../engine/workloads.ts';

const DAYS = 9294;
const TICKERS = 10;
const RUNS = 60;
/** What Chromium says that it understands. */
const ENCODINGS = 'gzip, deflate, br, zstd';

/** Writes 36 years of SPY and ten assets as a file to import. */
export async function writePrices(file: string): Promise<void> {
  const { prices } = syntheticMarket(DAYS, TICKERS);
  const stream = createWriteStream(file);
  stream.write('date,ticker,adj_close\n');
  for (const { ticker, days, closes } of prices.values())
    for (const [i, day] of days.entries())
      stream.write(`${new Date(day * 86_400_000).toISOString().slice(0, 10)},${ticker},${closes[i]}\n`);
  stream.end();
  await once(stream, 'finish');
}

/** The request that the editor sends on a change: `window` stands for the number that was just typed. */
function requestOf(window: number, endDate: string): BacktestRequest {
  const leaves = tickers(0, TICKERS).map(asset);
  return {
    start_date: '1990-01-01',
    end_date: endDate,
    starting_balance: 10_000,
    slippage_bps: 10,
    include: { history: true, explanation: true },
    trading_bot: root(
      either(
        condition(['relative-strength-index', window, 'SPY'], 'gt', 60),
        equal(...leaves.slice(0, 4)),
        equal(
          filter('cumulative-return', 60, 'top', 2, ...leaves.slice(4, 7)),
          inverse(20, ...leaves.slice(7)),
        ),
      ),
    ),
  };
}

export interface LiveRuns {
  /** Milliseconds from the request to the last byte of the answer, every run another strategy. */
  readonly times: readonly number[];
  readonly days: number;
  /** Bytes of the answer as JSON. */
  readonly bytes: number;
}

/** Changes a window again and again, and waits for each answer. */
export async function timeLiveRuns(url: string): Promise<LiveRuns> {
  const api = await machineApi(url);
  const today = new Date().toISOString().slice(0, 10);
  const times: number[] = [];
  let days = 0;
  let bytes = 0;
  for (let run = -5; run < RUNS; run++) {
    const begin = performance.now();
    const { status, body } = await api.send('POST', '/api/v1/backtests', requestOf(10 + run, today), {
      'accept-encoding': ENCODINGS,
    });
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    if (run >= 0) times.push(performance.now() - begin);
    days = body.history.timestamps.length;
    bytes = JSON.stringify(body).length;
  }
  return { times, days, bytes };
}
