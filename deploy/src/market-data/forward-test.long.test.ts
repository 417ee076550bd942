import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  type MarketDataFiles,
  openMarketDataFiles,
} from '@quantloom/adapters/market-data/files/market-data-files';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import { openProvider } from '@quantloom/adapters/market-data/providers/open-provider';
import {
  type FakeBar,
  FakeProviderServer,
} from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import { createWorkerPool, type WorkerPool } from '@quantloom/compute/pool/worker-pool';
import { createBacktestRunner } from '@quantloom/compute/runner/backtest-runner';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { DecisionCorrected, DecisionMade } from '@quantloom/domain/forward-test/decision';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { livedRecord } from '@quantloom/domain/forward-test/lived';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { DEMO_VERSION } from '@quantloom/domain/market-data/demo/demo-data-set';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { type NightlyEvaluation, startNightlyEvaluation } from '@quantloom/projectors/forward-test/nightly';
import { createProjectors, type Projectors } from '@quantloom/projectors/projectors';
import { openStores, type Stores } from '@quantloom/projectors/testing/batch-stack';
import { evaluatorsHere } from '@quantloom/projectors/testing/evaluators';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startMovingDemo } from './moving-demo.ts';
import { startMarketDataRefresh } from './refresh.ts';

const TICKERS = ['AAPL', 'IBM', 'MSFT'];
/** Real closes, by ticker. */
const REAL = new Map<string, FakeBar[]>();
const PRICES = join(import.meta.dirname, '../../../docs/examples/public_domain.csv.gz');
for (const line of gunzipSync(readFileSync(PRICES)).toString().split('\n').slice(1)) {
  const [date = '', ticker = '', close] = line.split(',');
  if (!TICKERS.includes(ticker)) continue;
  REAL.set(ticker, [...(REAL.get(ticker) ?? []), { date, close: Number(close) }]);
}
const DAYS = (REAL.get('AAPL') ?? []).map(({ date }) => date);
/** Days that are known when the following begins. */
const KNOWN = 1500;

const block = (id: string, fields: object) => ({
  id,
  weight: { num: 100, den: 100 },
  is_collapsed: false,
  ...fields,
});
const asset = (ticker: string) => block(`node_${ticker}`, { node_type: 'asset', ticker, name: ticker });
/** AAPL while its relative strength is high, otherwise the two others by inverse volatility. */
const algorithm = block('node_root', {
  node_type: 'root',
  name: 'Test',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [
    block('node_if', {
      node_type: 'if-then-else',
      condition_type: 'allOf',
      conditions: [
        block('node_condition', {
          node_type: 'condition',
          lhs_fn: 'relative-strength-index',
          lhs_fn_params: { window: 2 },
          lhs_val: 'AAPL',
          comparator: 'gt',
          rhs_fn: null,
          rhs_fn_params: {},
          rhs_val: 50,
          rhs_fixed_val: true,
        }),
      ],
      then_children: [asset('AAPL')],
      else_children: [
        block('node_volatility', {
          node_type: 'wt-inverse-volatility',
          params: { window: 10 },
          children: [asset('IBM'), asset('MSFT')],
        }),
      ],
      is_conditions_collapsed: false,
      is_then_collapsed: false,
      is_else_collapsed: false,
    }),
  ],
});

let server: FakeProviderServer;
let dataDir: string;
let marketData: MarketDataFiles;
let stores: Stores;
let projectors: Projectors;
let pool: WorkerPool;
let runner: BacktestRunner;
let runs = 0;
/** Ends the evaluation after so many further runs, as a process that dies would. */
let dieAfter: number;
let now: Date;
const clock = { now: () => now };
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const provider = () =>
  openProvider('tiingo', { TIINGO_API_KEY: server.key, TIINGO_URL: server.url }, { wait: async () => {} });

beforeEach(async () => {
  runs = 0;
  dieAfter = Number.POSITIVE_INFINITY;
  server = await FakeProviderServer.start();
  dataDir = await mkdtemp(join(tmpdir(), 'forward-'));
  marketData = await openMarketDataFiles({ dataDir });
  stores = await openStores();
  projectors = createProjectors({ ...stores, projections: PROJECTIONS, catalogue: EVENT_CATALOGUE, clock });
  now = new Date(`${DAYS[KNOWN - 1]}T23:30:00Z`);
  await projectors.start();
  pool = createWorkerPool({ threads: 1, cacheBytes: 16 * 1024 * 1024 });
  runner = createBacktestRunner({ pool, marketData, clock: { now: () => new Date() } });
  for (const ticker of TICKERS) server.prices.set(ticker, (REAL.get(ticker) ?? []).slice(0, KNOWN));
  await fetchPrices({ dataDir, provider: provider(), tickers: TICKERS, now });
});
afterEach(async () => {
  await projectors.stop();
  await pool.close();
  await stores.close();
  stores.remove();
  await marketData.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const context = () => ({
  commandId: ulid(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
  now: now.toISOString(),
});

async function createStrategy(name: string): Promise<string> {
  const strategyId = ulid();
  const created = await handleCommand(
    stores.eventStore,
    strategyStream,
    strategyId,
    {
      type: 'CreateStrategy',
      strategyId,
      caller: { userId: 'owner', features: [] },
      name,
      isPublic: true,
      status: 'draft',
      algorithm,
    },
    context(),
  );
  if (isRefusal(created)) throw new Error(created.detail);
  return strategyId;
}

async function follow(strategyId: string, userId: string): Promise<void> {
  const { lastDay: startDay } = await marketData.current();
  const data = { userId, strategyId, revision: 0, startDay, registration: null };
  await handleCommand(
    stores.eventStore,
    followStream,
    followId(data),
    { type: 'FollowStrategy', follow: data },
    context(),
  );
}

const caughtUp = async () =>
  expect(await projectors.whenReached(await stores.eventStore.head(), { timeoutMs: 60_000 })).toBe(true);

/** The next trading day: its closes come by the refresh of every night. */
async function nextDay(index: number): Promise<void> {
  for (const ticker of TICKERS) {
    const bar = REAL.get(ticker)?.[index];
    if (bar) server.prices.get(ticker)?.push({ ...bar });
  }
  now = new Date(`${DAYS[index]}T23:30:00Z`);
  const refresh = startMarketDataRefresh({
    dataDir,
    marketData,
    provider: provider(),
    at: '23:30',
    clock,
    log: silent,
    keep: 100,
    versionsInUse: async () => [],
  });
  expect((await refresh.run())?.failed).toEqual([]);
  await refresh.stop();
}

/** One look at what is new, by processes that may die on the way. */
async function night(processes = 1): Promise<void> {
  await caughtUp();
  const backtestRunner = {
    run: async (request: BacktestRequest, options?: RunOptions) => {
      runs += 1;
      if (runs > dieAfter) throw new Error('This process has died');
      return await runner.run(request, options);
    },
  };
  const deps = { ...stores, marketData, backtestRunner, clock, log: silent, lookEveryMs: 1e9 };
  const evaluations: NightlyEvaluation[] = [];
  for (let i = 0; i < processes; i++)
    evaluations.push(await startNightlyEvaluation({ ...deps, evaluators: evaluatorsHere(deps) }));
  await Promise.all(evaluations.map((evaluation) => evaluation.pass()));
  await Promise.all(evaluations.map((evaluation) => evaluation.close()));
  await caughtUp();
}

async function eventsOf<Event extends DecisionMade | DecisionCorrected>(
  type: Event['type'],
): Promise<Event['data'][]> {
  const found: Event['data'][] = [];
  for await (const { data } of stores.eventStore.readAll(-1n, { filter: { eventTypes: [type] } }))
    found.push(data as Event['data']);
  return found;
}
const decisions = () => eventsOf<DecisionMade>('DecisionMade');

/** What a backtest that ends on the day holds on it, with the prices of today. */
async function heldOn({ day, runFrom }: DecisionMade['data']): Promise<Record<string, number>> {
  const answer = await runner.run(
    {
      start_date: runFrom,
      end_date: day,
      include: { history: true },
      trading_bot: algorithm as unknown as BacktestRequest['trading_bot'],
    },
    { knowsHolidays: true },
  );
  const columns = Object.entries(answer.history?.tickers ?? {});
  return Object.fromEntries(
    columns.map(([ticker, held]) => [ticker, held.at(-1) ?? 0] as const).filter(([, held]) => held !== 0),
  );
}

/** The record of decisions and the backtest of the same days, both 1 on the first day, with the prices of today. */
async function recordAndBacktest(made: readonly DecisionMade['data'][]) {
  const documents = made.map((decision) => ({
    day: decision.day,
    decidedAt: '2026-01-01T00:00:00Z',
    decision,
    correction: null,
  }));
  const closes = new Map(
    [...REAL].map(([ticker, bars]) => [ticker, new Map(bars.map(({ date, close }) => [date, close]))]),
  );
  const closeOn = (ticker: string, day: string) => {
    const close = closes.get(ticker)?.get(day);
    return close === undefined ? undefined : { day, close };
  };
  const { values: lived, missing } = livedRecord(documents, closeOn, 0.001);
  expect(missing).toEqual([]);
  const { history } = await runner.run(
    {
      start_date: made[0]?.runFrom ?? '',
      end_date: made.at(-1)?.day ?? '',
      include: { history: true },
      trading_bot: algorithm as unknown as BacktestRequest['trading_bot'],
    },
    { knowsHolidays: true },
  );
  const last = history?.value.slice(-made.length) ?? [];
  return { lived, backtest: last.map((value) => value / (last[0] ?? 1)) };
}

describe('a forward test on real prices', { timeout: 120_000 }, () => {
  it('decides each day once, as the backtest cut at that day, however many follow', async () => {
    const strategies = [await createStrategy('One'), await createStrategy('Two')];
    for (const strategyId of strategies)
      for (const userId of ['ada', 'ben', 'cleo']) await follow(strategyId, userId);
    await night();
    for (let i = KNOWN; i < KNOWN + 6; i++) {
      await nextDay(i);
      await night();
      // Whoever looks again finds nothing to do.
      await night();
    }
    const made = await decisions();
    const days = DAYS.slice(KNOWN - 1, KNOWN + 6);
    for (const strategyId of strategies)
      expect(made.filter((one) => one.strategyId === strategyId).map(({ day }) => day)).toEqual(days);
    expect(made.every(({ isLate }) => !isLate)).toBe(true);
    // One run decides the new day and compares the earlier ones with the new prices, whatever the number of followers.
    expect(runs).toBe(strategies.length * days.length);
    // With the prices of all later days at hand nothing before has changed.
    for (const one of made) expect(one.weights).toEqual(await heldOn(one));
    expect(new Set(made.map(({ weights }) => Object.keys(weights).join())).size).toBeGreaterThan(1);
    expect(made[0]?.conditions).toHaveLength(1);
    expect(made[0]?.closes.AAPL).toBe(REAL.get('AAPL')?.[KNOWN - 1]?.close);
    expect(await eventsOf<DecisionCorrected>('DecisionCorrected')).toEqual([]);
    // What was lived is what the backtest says, as long as nothing was restated, changed or late.
    const own = made.filter(({ strategyId }) => strategyId === strategies[0]);
    // The price that was named the day before says what the close of each day came to.
    for (const [t, before] of own.slice(0, -1).entries()) {
      const [condition, next] = [before.conditions[0], own[t + 1]];
      if (!condition?.flip || !next) throw new Error('A condition without the price at which it flips');
      const { ticker, price, side } = condition.flip;
      const close = next.closes[ticker] ?? Number.NaN;
      const isFlipped = side === 'below' ? close < price : close > price;
      expect(next.conditions[0]?.holds !== condition.holds).toBe(isFlipped);
    }
    const { lived, backtest } = await recordAndBacktest(own);
    expect(lived.length).toBe(days.length);
    for (const [t, value] of lived.entries()) expect(value).toBeCloseTo(backtest[t] ?? 0, 12);
  });

  it('tries again what took too long, a few times, and ends there with what is refused', async () => {
    await follow(await createStrategy('One'), 'ada');
    await caughtUp();
    let code = 'took_too_long';
    let asked = 0;
    let answersFrom = 3;
    const backtestRunner = {
      run: async (request: BacktestRequest, options?: RunOptions) => {
        asked += 1;
        if (asked < answersFrom) throw new RefusalError(refuse(422, code, 'It is refused.'));
        return await runner.run(request, options);
      },
    };
    const deps = { ...stores, marketData, backtestRunner, clock, log: silent, lookEveryMs: 1e9 };
    const started = () =>
      startNightlyEvaluation({ ...deps, evaluators: evaluatorsHere(deps), askAgainMs: 0 });
    const evaluation = await started();
    for (let i = 0; i < 4; i++) await evaluation.pass();
    await caughtUp();
    expect((await decisions()).map(({ day }) => day)).toEqual([DAYS[KNOWN - 1]]);
    await nextDay(KNOWN);
    for (code of ['took_too_long', 'unknown_ticker']) {
      asked = 0;
      answersFrom = Number.POSITIVE_INFINITY;
      const other = await started();
      for (let i = 0; i < 6; i++) await other.pass();
      await other.close();
      expect(asked).toBe(code === 'took_too_long' ? 3 : 1);
    }
    await evaluation.close();
    // What was refused is not taken for done: whoever comes next decides it.
    await night();
    expect((await decisions()).map(({ day }) => day)).toEqual(DAYS.slice(KNOWN - 1, KNOWN + 1));
  });

  it('catches up 30 missed nights in order and marks them, also where it dies on the way', async () => {
    await follow(await createStrategy('One'), 'ada');
    await night();
    for (let i = KNOWN; i < KNOWN + 30; i++) await nextDay(i);
    for (const more of [1, 4, 11]) {
      dieAfter = runs + more;
      await night();
    }
    expect((await decisions()).length).toBeLessThan(31);
    dieAfter = Number.POSITIVE_INFINITY;
    // Two at a time, neither of which knows of the other.
    await night(2);
    const made = await decisions();
    expect(made.map(({ day }) => day)).toEqual(DAYS.slice(KNOWN - 1, KNOWN + 30));
    expect(made.map(({ isLate }) => isLate)).toEqual([false, ...Array(29).fill(true), false]);
    for (const one of made) expect(one.weights).toEqual(await heldOn(one));
  });

  it('lets decisions stand where prices are restated, and names the closes that differ', async () => {
    await follow(await createStrategy('One'), 'ada');
    await night();
    for (let i = KNOWN; i < KNOWN + 8; i++) {
      await nextDay(i);
      await night();
    }
    const before = await decisions();
    const changed = DAYS[KNOWN + 4] ?? '';
    // From that day on everything of AAPL is half of what it was said to be.
    for (const bar of server.prices.get('AAPL') ?? []) if (bar.date >= changed) bar.close /= 2;
    await nextDay(KNOWN + 8);
    await night();
    await night();
    const made = await decisions();
    expect(made.slice(0, before.length)).toEqual(before);
    expect(made).toHaveLength(before.length + 1);
    const corrections = await eventsOf<DecisionCorrected>('DecisionCorrected');
    expect(corrections.length).toBeGreaterThan(0);
    for (const correction of corrections) {
      expect(correction.day >= changed).toBe(true);
      // Prices at which conditions flip are known for the next day only.
      if (correction.day < (DAYS[KNOWN + 8] ?? ''))
        expect(correction.conditions.every(({ flip }) => !flip)).toBe(true);
      expect(correction.weights).toEqual(await heldOn({ ...correction, isLate: false }));
      expect(correction.restated.every(({ ticker, day }) => ticker === 'AAPL' && day >= changed)).toBe(true);
      expect(correction.restated.at(-1)).toMatchObject({ ticker: 'AAPL', day: changed });
    }
    expect(new Set(corrections.map(({ day }) => day)).size).toBe(corrections.length);
  });

  it('goes on night by night on simulated prices too, and makes up for what was missed', async () => {
    await marketData.use(DEMO_VERSION);
    await follow(await createStrategy('Momentum'), 'user-1');
    const moveTo = async (day: string) => {
      now = new Date(`${day}T21:05:00Z`);
      const demo = startMovingDemo({ marketData, clock, log: silent });
      await demo.run();
      await demo.stop();
      await night();
    };
    await night();
    await moveTo('2026-11-23');
    await moveTo('2026-11-25');
    const made = await decisions();
    expect(made.map(({ day, isLate }) => [day, isLate])).toEqual([
      ['2026-11-20', false],
      ['2026-11-23', false],
      ['2026-11-24', true],
      ['2026-11-25', false],
    ]);
    expect(made.every(({ isSimulated }) => isSimulated)).toBe(true);
    expect(new Set(made.map(({ dataVersion }) => dataVersion)).size).toBe(3);
    // The past of each version is the one before: nothing that was decided is corrected.
    expect(await eventsOf<DecisionCorrected>('DecisionCorrected')).toEqual([]);
    for (const decision of made) expect(await heldOn(decision)).toEqual(decision.weights);
  });
});
