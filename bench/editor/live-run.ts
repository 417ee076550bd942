import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { COLUMNS_TYPE, decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { numbersOf } from '@quantloom/domain/strategy/sensitivity';
import { type Api, machineApi } from '@quantloom/e2e/harness/api.ts';
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
    include: { history: true, explanation: true, attribution: true },
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
  /** Milliseconds from the request to the answer as the page works with it, every run another strategy. */
  readonly times: readonly number[];
  readonly days: number;
  /** Bytes of the answer before it is compressed. */
  readonly bytes: number;
}

/** How the answer is asked for: as the editor does, or as programs do that know nothing but the documented form. */
export type Form = 'columns' | 'json';

/** Changes a window of a saved strategy again and again, and waits for each answer. */
export async function timeLiveRuns(url: string, form: Form): Promise<LiveRuns> {
  const api = await machineApi(url);
  const today = new Date().toISOString().slice(0, 10);
  const first = requestOf(10, today);
  const { body: saved } = await api.post('/api/v1/trading-bots', {
    name: 'Live',
    algorithm: first.trading_bot,
  });
  const times: number[] = [];
  let days = 0;
  let bytes = 0;
  for (let run = -5; run < RUNS; run++) {
    const request = { ...requestOf(10 + run, today), strategy_id: saved.id };
    const begin = performance.now();
    const { answer, length } = await answerOf(api, request, form);
    if (run >= 0) times.push(performance.now() - begin);
    days = answer.history?.timestamps.length ?? 0;
    bytes = length;
  }
  return { times, days, bytes };
}

async function answerOf(
  api: Api,
  request: BacktestRequest,
  form: Form,
): Promise<{ answer: BacktestAnswer; length: number }> {
  const response = await api.open('POST', '/api/v1/backtests', request, {
    accept: form === 'columns' ? COLUMNS_TYPE : 'application/json',
    'accept-encoding': ENCODINGS,
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  if (form === 'json') {
    const text = await response.text();
    return { answer: JSON.parse(text) as BacktestAnswer, length: text.length };
  }
  if (response.headers.get('content-type') !== COLUMNS_TYPE) throw new Error('The answer is not in columns');
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { answer: decodeColumns(bytes), length: bytes.length };
}

/**
 * Asks again and again how much depends on a number of a saved strategy, every time on another number or
 * another strategy.
 */
export async function timeStrips(
  url: string,
): Promise<{ readonly times: readonly number[]; readonly rows: number }> {
  const api = await machineApi(url);
  const today = new Date().toISOString().slice(0, 10);
  const { body: saved } = await api.post('/api/v1/trading-bots', {
    name: 'Strips',
    algorithm: requestOf(10, today).trading_bot,
  });
  const times: number[] = [];
  let rows = 0;
  for (let run = -5; run < RUNS; run++) {
    const { include: _include, ...request } = requestOf(40 + run, today);
    const numbers = numbersOf(request.trading_bot);
    const number = numbers[Math.abs(run) % numbers.length];
    if (!number) throw new Error('The strategy has no number');
    const body = {
      ...request,
      place: { node_id: number.nodeId, index: number.index },
      strategy_id: saved.id,
    };
    const begin = performance.now();
    const response = await api.open('POST', '/api/v1/backtests/sensitivity', body);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    if (run >= 0) times.push(performance.now() - begin);
    rows = Math.max(rows, (JSON.parse(text) as { rows: unknown[] }).rows.length);
  }
  return { times, rows };
}
