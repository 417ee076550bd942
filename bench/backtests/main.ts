import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { COLUMNS_TYPE, decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { type Api, machineApi } from '@quantloom/e2e/harness/api.ts';
import { quantloom, type RunningServer, removeDataDir, startServer } from '@quantloom/e2e/harness/server.ts';
import { syntheticMarket } from '../engine/synthetic-market.ts';
import { table } from '../engine/timing.ts';
import { asset, equal, root } from '../engine/trees.ts';
import { percentile } from '../results/percentile.ts';
import { dateOf, type Timings, timeInThread } from './engine-thread.ts';
import { strategies } from './strategies.ts';

/**
 * One backtest with its history over 36 years and ten assets: the first of a strategy that nobody has run
 * before against the same one repeated, in a computing thread and over HTTP, as JSON and in columns, compressed
 * and not, until the client has read the answer. Prices are in memory; nothing else is kept from one backtest
 * to the next.
 *
 * More than 30 strategies a row run into the rate limit of the plan.
 *
 *     node bench/backtests/main.ts [--strategies 30] [--days 9270]
 */
const { values: options } = parseArgs({
  options: {
    strategies: { type: 'string', default: '30' },
    days: { type: 'string', default: '9270' },
  },
});
const SIZE = { days: Number(options.days), tickers: 20, strategies: Number(options.strategies) };
const MARKET = syntheticMarket(SIZE.days, SIZE.tickers);
const DATES = {
  start_date: dateOf(MARKET.days[0] as number),
  end_date: dateOf(MARKET.days[SIZE.days - 1] as number),
};
const body = (trading_bot: unknown) => ({ ...DATES, include: { history: true }, trading_bot });

/** A running product with the made-up market, its threads warmed up and every price read once. */
async function warmServer(): Promise<{ server: RunningServer; firstMs: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-bench-'));
  let server = await startServer();
  const { dataDir } = server;
  try {
    const file = path.join(folder, 'prices.csv');
    const lines = [...MARKET.prices.values()].flatMap(({ ticker, days, closes }) =>
      Array.from(days, (day, t) => `${dateOf(day)},${ticker},${closes[t]}`),
    );
    await writeFile(file, `date,ticker,adj_close\n${lines.join('\n')}\n`);
    const { code, stdout } = await quantloom(dataDir, 'data', 'import', file, '--replace');
    if (code !== 0) throw new Error(stdout);
    await server.stop();
    server = await startServer({ dataDir });
    const api = await machineApi(server.url);
    const [one] = strategies(MARKET.tickers, 1, 5);
    const firstMs = await timed(api, body(one), 'application/json');
    await timed(api, body(root(equal(...MARKET.tickers.map(asset)))), 'application/json');
    return { server, firstMs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(api: Api, request: object, accept: string, encoding = 'br'): Promise<number> {
  const start = performance.now();
  const headers = { accept, 'accept-encoding': encoding };
  const response = await api.request('POST', '/api/v1/backtests', request, headers);
  if (!response.ok) throw new Error(await response.text());
  if (accept === COLUMNS_TYPE) decodeColumns(await response.bytes());
  else await response.json();
  return performance.now() - start;
}

async function timeOverHttp(api: Api, accept: string, encoding: string, seed: number): Promise<Timings> {
  const first: number[] = [];
  const again: number[] = [];
  for (const tree of strategies(MARKET.tickers, SIZE.strategies, seed)) {
    first.push(await timed(api, body(tree), accept, encoding));
    again.push(await timed(api, body(tree), accept, encoding));
  }
  return { first, again };
}

const figures = (name: string, { first, again }: Timings): string[] => {
  const cell = (value: number) => value.toFixed(1);
  const [p50, repeated] = [percentile(first, 0.5), percentile(again, 0.5)];
  return [
    name,
    cell(first[0] ?? Number.NaN),
    cell(p50),
    cell(percentile(first, 0.9)),
    cell(Math.max(...first)),
    cell(repeated),
    (p50 / repeated).toFixed(2),
  ];
};
const HEADER = ['ms', 'the very first', 'first p50', 'first p90', 'first max', 'again p50', 'ratio of p50'];

const rows = [figures('in a thread', await timeInThread(SIZE))];
const { server, firstMs } = await warmServer();
try {
  const api = await machineApi(server.url);
  let seed = 20;
  for (const [name, accept] of [
    ['JSON', 'application/json'],
    ['columns', COLUMNS_TYPE],
  ] as const)
    for (const encoding of ['br', 'identity'])
      rows.push(figures(`HTTP, ${name}, ${encoding}`, await timeOverHttp(api, accept, encoding, seed++)));
} finally {
  await server.stop();
  await removeDataDir(server.dataDir);
}
process.stdout.write(`${table(HEADER, rows)}\n`);
process.stdout.write(`The first request of a process, prices not read yet: ${firstMs.toFixed(0)} ms\n`);
