import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { RunFigures, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import type { Asset, DataSetManifest, MarketData } from '@quantloom/domain/ports/market-data';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { asset, batchOf, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { createWorkerPool } from '../pool/worker-pool.ts';
import { createBacktestRunner } from './backtest-runner.ts';

const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 1000 },
  AAA: { seed: 2, firstDay: 12_000, bars: 1000 },
  BBB: { seed: 3, firstDay: 12_000, bars: 1000 },
});
const manifest = (version: string): DataSetManifest => ({
  version,
  createdAt: '2026-01-01T00:00:00Z',
  label: version,
  isSimulated: version === 'demo',
  lastDay: '2006-01-01',
  assetCount: prices.size,
});
const marketData: MarketData = {
  current: async () => manifest('v2'),
  versions: async () => [manifest('demo'), manifest('v2')],
  assets: async () => [],
  load: async (version, tickers) => {
    if (version === 'broken') throw new Error('disk gone');
    return new Map(
      tickers.flatMap((ticker) => (prices.has(ticker) ? [[ticker, prices.get(ticker) as never]] : [])),
    );
  },
};
const pool = createWorkerPool({ threads: 2, cacheBytes: 64 << 20 });
afterAll(() => pool.close());
const clock = { now: () => new Date('2026-11-21T10:00:00Z') };
const runner = createBacktestRunner({ pool, marketData, clock });
const request = { start_date: '2003-01-01', end_date: '2006-01-01', trading_bot: root(asset('AAA')) };
const tree = root(
  ifThenElse([condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })], [asset('$A')], [asset('BBB')]),
);

describe('backtest runner', () => {
  test('answers with what the answer was computed from', async () => {
    const answer = await runner.run(request);
    expect(answer.provenance).toEqual({
      data_version: 'v2',
      engine_version: expect.any(String),
      is_simulated: false,
      result_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await runner.run(request, { dataVersion: 'demo' })).provenance).toMatchObject({
      data_version: 'demo',
      is_simulated: true,
    });
    expect(answer.metrics.duration).toBeGreaterThan(1000);
  });

  test('has one hash for one result, whatever else is asked for, and tells its figures', async () => {
    const told: RunFigures[] = [];
    const hashOf = async (over: object, options: RunOptions = {}) => {
      const onFigures = (figures: RunFigures) => void told.push(figures);
      const { provenance } = await runner.run({ ...request, ...over }, { ...options, onFigures });
      return provenance?.result_hash;
    };
    const hash = await hashOf({});
    const include = { history: true, explanation: true, report: true, debug: true };
    expect(await hashOf({ include })).toBe(hash);
    expect(await hashOf({ benchmarks: ['BBB'], start_date: '2002-12-31' })).not.toBe(hash);
    expect(await hashOf({ starting_balance: 10_000, slippage_bps: 10, benchmark_ticker: 'SPY' })).toBe(hash);
    expect(await hashOf({ slippage_bps: 11 })).not.toBe(hash);
    expect(await hashOf({}, { dataVersion: 'demo' })).not.toBe(hash);
    // As another engine would have written it, of the same days and values.
    await hashOf({}, { madeBy: ENGINE_VERSION });
    expect(told.at(-1)?.hashAsMade).toBe(hash);
    expect(await hashOf({}, { madeBy: '0.1.0' })).toBe(hash);
    expect(told.at(-1)?.hashAsMade).toMatch(/^[0-9a-f]{64}$/);
    expect(told.at(-1)?.hashAsMade).not.toBe(hash);
    const [figures] = told;
    expect(figures).not.toHaveProperty('hashAsMade');
    const answer = await runner.run({ ...request, include: { history: true } });
    const values = answer.history?.value ?? [];
    expect(figures).toMatchObject({
      metrics: answer.metrics,
      firstDay: answer.calculated_dates.first_day,
      lastDay: answer.calculated_dates.last_day,
      provenance: { data_version: 'v2', result_hash: hash },
    });
    expect(figures?.line).toHaveLength(60);
    // The first day's trade has cost its slippage.
    expect(figures?.line[0]).toBe(0.999);
    expect(figures?.line.at(-1)).toBeCloseTo((values.at(-1) ?? 0) / 10_000, 3);
  });

  test('runs a small batch that is kept nowhere, row by row as single runs, and tells what it took', async () => {
    let spent = 0;
    const dates = { start_date: '2003-01-01', end_date: '2006-01-01' };
    const small = batchOf(tree, { $W: [10, 2, -1], $A: ['AAA'] }, dates);
    const run = () =>
      runner.rows(small, {
        onSpent: (milliseconds) => {
          spent += milliseconds;
        },
      });
    const { rows, dataVersion } = await run();
    expect(dataVersion).toBe('v2');
    expect(rows.map(({ values }) => values.$W)).toEqual([10, 2, -1]);
    // The clock of a thread counts in steps of some ms on some machines, of which one run may take none.
    for (let runs = 1; spent === 0 && runs < 1_000; runs += 1) await run();
    expect(spent).toBeGreaterThan(0);
    for (const { values, metrics, reason } of rows) {
      if (values.$W === -1) {
        expect(reason).toMatch(/window/i);
        continue;
      }
      const bound = root(
        ifThenElse(
          [condition({ lhs_val: 'SPY', lhs_fn_params: { window: values.$W ?? 0 } })],
          [asset('AAA')],
          [asset('BBB')],
        ),
      );
      const single = await runner.run({ ...dates, slippage_bps: 10, trading_bot: bound });
      expect(metrics.sharpe_ratio).toBeCloseTo(single.metrics.sharpe ?? Number.NaN, 9);
      expect(reason).toBeNull();
    }
  });

  test('names what its prices are adjusted for', async () => {
    const asset: Asset = {
      ticker: 'AAA',
      name: 'AAA',
      firstDay: '2000-01-03',
      lastDay: '2006-01-01',
      source: 'aaa.csv',
      adjustment: 'none',
      isSimulated: false,
    };
    const real = createBacktestRunner({
      pool,
      marketData: {
        ...marketData,
        assets: async () => [asset, { ...asset, ticker: 'BBB', adjustment: 'splits' }],
      },
      clock,
    });
    expect((await real.run(request)).provenance?.price_basis).toEqual(['none']);
  });

  test('refuses dates after the clock, unknown tickers by their block, versions that are gone', async () => {
    await expect(runner.run({ ...request, end_date: '2026-11-23' })).rejects.toMatchObject({
      refusal: { code: 'date_in_future' },
    });
    const unknown = root(asset('ZZZ'));
    await expect(runner.run({ ...request, trading_bot: unknown })).rejects.toMatchObject({
      refusal: {
        code: 'unknown_ticker',
        status: 400,
        detail: expect.stringContaining(unknown.children[0]?.id ?? '?'),
      },
    });
    await expect(runner.run(request, { dataVersion: 'gone' })).rejects.toMatchObject({
      code: 'unknown_version',
    });
  });

  test('estimates a batch from samples of it', async () => {
    const batch = batchOf(tree, {
      $W: Array.from({ length: 50 }, (_, i) => i + 2),
      $A: ['AAA', 'BBB', 'AAA'],
    });
    const estimate = await runner.estimate(batch);
    expect(estimate).toMatchObject({
      requestedCombinations: 150,
      combinations: 100,
      partitions: 1,
      dataVersion: 'v2',
    });
    expect(estimate.seconds).toBeGreaterThan(0);
    expect(estimate.seconds).toBeLessThan(30);
  });

  test('measures a batch once, whatever it costs to trade, and anew where its days come out otherwise', async () => {
    const values = { $W: Array.from({ length: 10 }, (_, i) => i + 2), $A: ['AAA', 'BBB'] };
    const spent = async (config: Parameters<typeof batchOf>[2]) =>
      (await runner.estimate(batchOf(tree, values, { end_date: '2005-12-30', ...config }))).spentMs;
    expect(await spent({})).toBeGreaterThan(0);
    expect(await spent({ slippage_bps: 77, starting_balance: 5 })).toBe(0);
    for (const config of [
      { start_date: '2003-06-02' },
      { end_date: '2005-12-29' },
      { benchmark_ticker: 'AAA' },
      { fill: 'next-close' },
      { both_fills: true },
      { cash: { rate: 4 } },
    ] as const) {
      expect(await spent(config as never), JSON.stringify(config)).toBeGreaterThan(0);
      expect(await spent(config as never)).toBe(0);
    }
    // Other prices may be of another length.
    const batch = batchOf(tree, values, { end_date: '2005-12-30' });
    expect((await runner.estimate(batch, { dataVersion: 'demo' })).spentMs).toBeGreaterThan(0);
  });

  test('holds the prices of large estimates one after the other where there is no room for two', async () => {
    const names = Array.from({ length: 120 }, (_, i) => `T${i}`);
    const batch = batchOf(tree, { $W: [5], $A: ['AAA', ...names] });
    const loads: (() => void)[] = [];
    const waiting: MarketData = {
      ...marketData,
      load: async (version, tickers) => {
        await new Promise<void>((resolve) => loads.push(resolve));
        return await marketData.load(version, tickers);
      },
    };
    const narrow = createBacktestRunner({ pool, marketData: waiting, clock, priceBytes: 1 });
    const estimates = ['ann', 'bob'].map((owner) => narrow.estimate(batch, { owner }));
    await vi.waitFor(() => expect(loads).toHaveLength(1));
    loads[0]?.();
    await estimates[0];
    await vi.waitFor(() => expect(loads).toHaveLength(2));
    loads[1]?.();
    await estimates[1];
  });

  test('refuses to estimate what cannot run', async () => {
    await expect(runner.estimate(batchOf(tree, { $W: [5], $A: [] }))).rejects.toMatchObject({
      refusal: { code: 'empty_variable' },
    });
    await expect(runner.estimate(batchOf(tree, { $W: [5] }))).rejects.toMatchObject({
      refusal: { code: 'unbound_variable', detail: expect.stringContaining('$A') },
    });
    await expect(runner.estimate({} as never)).rejects.toMatchObject({ refusal: { status: 400 } });
  });
});
