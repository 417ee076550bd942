/**
 * Nights with many followed strategies: seconds, runs and memory of a night, of a look that finds nothing to
 * do, and of a strategy that many follow.
 *
 *   node bench/forward-test/main.ts [--strategies 10000] [--followers 1000] [--nights 2] [--threads 1]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import { openProvider } from '@quantloom/adapters/market-data/providers/open-provider';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { FakeProviderServer } from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import { createWorkerPool } from '@quantloom/compute/pool/worker-pool';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { derivedId } from '@quantloom/domain/kernel/ids';
import type { RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { strategyOf, TICKERS } from '@quantloom/e2e/forward-test/strategies.ts';
import { HookReceiver, nightOf, openLog, realPrices, writeLog } from '@quantloom/e2e/forward-test/world.ts';
import { startNightlyEvaluation } from '@quantloom/projectors/forward-test/nightly';
import { createProjectors } from '@quantloom/projectors/projectors';
import { evaluatorsHere } from '@quantloom/projectors/testing/evaluators';

const { values } = parseArgs({
  options: {
    strategies: { type: 'string', default: '10000' },
    followers: { type: 'string', default: '1000' },
    nights: { type: 'string', default: '2' },
    threads: { type: 'string', default: '1' },
  },
});
const [count, nights] = [Number(values.strategies), Number(values.nights)];
const silent = {
  info: () => {},
  warn: () => {},
  error: (facts: object, text: string) => console.error(text, facts),
};
const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};
const megabytes = () => Math.round(process.memoryUsage().rss / 1024 / 1024);

const real = realPrices();
const days = (real.get(TICKERS[0]) ?? []).map(({ date }) => date);
const first = days.length - nights;
const dataDir = await mkdtemp(path.join(tmpdir(), 'many-followed-'));
const provider = await FakeProviderServer.start();
const hooks = await new HookReceiver().start();
const source = () => openProvider('tiingo', { TIINGO_API_KEY: provider.key, TIINGO_URL: provider.url });
for (const [ticker, bars] of real) provider.prices.set(ticker, [...bars.slice(0, first)]);
let now = new Date(nightOf(days[first - 1] ?? ''));
const clock = { now: () => now };
await fetchPrices({ dataDir, provider: source(), tickers: [...TICKERS], now });
const strategies = new Map(
  Array.from({ length: count }, (_, index) => [
    derivedId(1e12, 'strategy', String(index)),
    strategyOf(index),
  ]),
);
const world = { dataDir, provider, hooks, real, days, strategies, first };
console.log(`written in ${(await seconds(() => writeLog(world, Number(values.followers)))).toFixed(0)} s`);

const { eventStore, close } = await openLog(dataDir);
const database = openSqliteDatabase(path.join(dataDir, 'quantloom.sqlite'), { checkpointThread: true });
const readModels = openSqliteReadModels(database);
const projectors = createProjectors({
  eventStore,
  readModels,
  projections: PROJECTIONS,
  catalogue: EVENT_CATALOGUE,
  clock,
});
await projectors.start();
const caughtUp = async () => {
  if (!(await projectors.whenReached(await eventStore.head(), { timeoutMs: 1_200_000 })))
    throw new Error('The read models are behind');
};
console.log(`read models in ${(await seconds(caughtUp)).toFixed(0)} s, ${megabytes()} MB`);

const marketData = await openMarketDataFiles({ dataDir });
const pool = createWorkerPool({ threads: Number(values.threads), cacheBytes: 128 * 1024 * 1024 });
const runner = createBacktestRunner({ pool, marketData, clock: { now: () => new Date() } });
let runs = 0;
let inRuns = 0;
const backtestRunner = {
  run: async (request: BacktestRequest, options?: RunOptions) => {
    runs += 1;
    const began = performance.now();
    try {
      return await runner.run(request, options);
    } finally {
      inRuns += performance.now() - began;
    }
  },
};
// It begins with the first night at once.
const deps = { eventStore, readModels, marketData, backtestRunner, clock, log: silent, lookEveryMs: 1e9 };
const evaluation = await startNightlyEvaluation({ ...deps, evaluators: evaluatorsHere(deps) });
let highest = 0;
const watch = setInterval(() => {
  highest = Math.max(highest, megabytes());
}, 200);
const measured = async (what: string) => {
  [runs, inRuns, highest] = [0, 0, megabytes()];
  const before = process.cpuUsage();
  const took = await seconds(() => evaluation.pass());
  const { user, system } = process.cpuUsage(before);
  console.log(
    `${what}: ${took.toFixed(1)} s, ${((took * 1000) / count).toFixed(2)} ms a strategy, ${runs} runs of ` +
      (`${(inRuns / Math.max(1, runs)).toFixed(2)} ms, ${((user + system) / 1e6).toFixed(0)} ` +
        `processor seconds, up to ${highest} MB, `) +
      `load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`  the read models are there ${(await seconds(caughtUp)).toFixed(1)} s later`);
};
await measured('the first night');
await measured('a look that finds nothing to do');
for (let i = 0; i < nights; i++) {
  for (const [ticker, bars] of real) {
    const bar = bars[first + i];
    if (bar) provider.prices.get(ticker)?.push({ ...bar });
  }
  now = new Date(nightOf(days[first + i] ?? ''));
  await fetchPrices({ dataDir, provider: source(), tickers: 'known', now });
  await measured(`night ${i + 2}`);
}
await measured('a look that finds nothing to do');
clearInterval(watch);
await evaluation.close();
await projectors.stop();
await pool.close();
await marketData.close();
await readModels.close();
await close();
database.close();
hooks.stop();
await provider.stop();
await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
