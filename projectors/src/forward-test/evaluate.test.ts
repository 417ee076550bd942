import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { closeOn, decidedBy, restatedBetween, runFromOf, runUntil, weightsAt } from './evaluate.ts';

const FIRST = dayNumber('2024-01-01');
const series = (ticker: string, closes: readonly number[]): PriceSeries => ({
  ticker,
  days: Int32Array.from(closes, (_, i) => FIRST + 2 * i),
  closes: Float64Array.from(closes),
});
/** Day by day; the market data have every other one. */
const dayAt = (i: number) => new Date((FIRST + i) * 86_400_000).toISOString().slice(0, 10);

describe('the close of a day', () => {
  it.each([1, 2, 3, 4, 7])('is found in a series of %i days, and only on days that have one', (count) => {
    const one = series(
      'SPY',
      Array.from({ length: count }, (_, i) => 10 + i),
    );
    for (let i = 0; i < count; i++) {
      expect(closeOn(one, FIRST + 2 * i)).toBe(10 + i);
      expect(closeOn(one, FIRST + 2 * i + 1)).toBeNull();
    }
    expect(closeOn(one, FIRST - 1)).toBeNull();
  });

  it('is none where there are no days', () => {
    expect(closeOn(series('SPY', []), FIRST)).toBeNull();
  });
});

describe('closes that were restated', () => {
  const market = (versions: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>) => ({
    load: async (version: string) => {
      const of = versions[version];
      if (!of)
        throw Object.assign(new Error('gone'), { code: version === 'lost' ? 'unknown_version' : 'EIO' });
      return new Map(Object.entries(of).map(([ticker, closes]) => [ticker, series(ticker, closes)]));
    },
  });
  const between = (before: string, now: string, day: string, versions: Parameters<typeof market>[0]) =>
    restatedBetween(market(versions), [before, now], ['SPY', 'TLT'], day);

  it('are told up to the day itself, the newest first, then by ticker', async () => {
    const versions = {
      a: { SPY: [1, 2, 3, 4], TLT: [5, 6, 7, 8] },
      b: { SPY: [1, 2.5, 3, 9], TLT: [5.5, 6.5, 7, 8] },
    };
    expect(await between('a', 'b', dayAt(2), versions)).toEqual([
      { ticker: 'SPY', day: dayAt(2), was: 2, is: 2.5 },
      { ticker: 'TLT', day: dayAt(2), was: 6, is: 6.5 },
      { ticker: 'TLT', day: dayAt(0), was: 5, is: 5.5 },
    ]);
    expect(await between('a', 'b', dayAt(1), versions)).toHaveLength(1);
  });

  it('are none of a ticker whose closes are the earlier ones times a factor, as after a dividend', async () => {
    const closes = [10, 11, 12, 13];
    expect(
      await between('a', 'b', dayAt(6), { a: { SPY: closes }, b: { SPY: closes.map((one) => one * 0.9) } }),
    ).toEqual([]);
  });

  it('are none on days that the earlier prices did not have', async () => {
    const versions = { a: { SPY: [1, 2] }, b: { SPY: [1.5, 2, 3] } };
    expect(await between('a', 'b', dayAt(9), versions)).toEqual([
      { ticker: 'SPY', day: dayAt(0), was: 1, is: 1.5 },
    ]);
  });

  it('are the last twenty, of all tickers together', async () => {
    const closes = Array.from({ length: 30 }, (_, i) => 10 + ((i * 7) % 11));
    const changed = closes.map((one, i) => one + 0.5 + (i % 3));
    const both = { a: { SPY: closes, TLT: closes }, b: { SPY: changed, TLT: changed } };
    const found = await between('a', 'b', dayAt(58), both);
    expect(found).toHaveLength(20);
    expect(found.at(-1)).toMatchObject({ ticker: 'TLT', day: dayAt(40) });
    expect(await between('a', 'b', dayAt(58), { a: { SPY: closes }, b: { SPY: changed } })).toHaveLength(20);
  });

  it('are unknown where the earlier prices are not kept any more, and an error where they cannot be read', async () => {
    const versions = { b: { SPY: [1] } };
    expect(await between('lost', 'b', dayAt(0), versions)).toEqual([]);
    await expect(between('broken', 'b', dayAt(0), versions)).rejects.toThrow('gone');
  });
});

describe('a decision', () => {
  const answer = (more: object = {}) =>
    ({
      history: {
        timestamps: [FIRST, FIRST + 2].map((day) => day * 86_400),
        value: [1, 1],
        tickers: { SPY: [100, -25], TLT: [0, 0] },
        turnover: [1, 0.5],
      },
      explanation: {
        conditions: {
          known: { lhs: [1, 2], rhs: [3, 4], holds: [1, 0] },
          early: { lhs: [null, 2], rhs: [3, Number.NaN], holds: [0, 0] },
        },
        branches: { branch: [1, 0] },
      },
      flips: { known: { SPY: 12 } },
      provenance: { data_version: 'v1', engine_version: '4', is_simulated: false },
      ...more,
    }) as unknown as BacktestAnswer;
  const marketData = { load: async () => new Map([['SPY', series('SPY', [10, 11])]]) };
  const strategy = { strategyId: 's', revision: 3 };

  it('is that of the last day, with the prices at which its conditions flip', async () => {
    expect(await decidedBy(marketData, strategy, answer(), dayAt(0))).toMatchObject({
      day: dayAt(2),
      weights: { SPY: -25 },
      turnover: 0.5,
      conditions: [{ id: 'known', lhs: 2, rhs: 4, holds: false, flip: { SPY: 12 } }],
      branches: [{ id: 'branch', isThen: false }],
      closes: { SPY: 11 },
    });
  });

  it('of an earlier day has no such prices: they are those of the day after the last one', async () => {
    const decided = await decidedBy(marketData, strategy, answer(), dayAt(0), 0);
    expect(decided).toMatchObject({ day: dayAt(0), weights: { SPY: 100 }, closes: { SPY: 10 } });
    expect(decided.conditions).toEqual([{ id: 'known', lhs: 1, rhs: 3, holds: true }]);
  });

  it('keeps two hundred reasons', async () => {
    const conditions = Object.fromEntries(
      Array.from({ length: 201 }, (_, i) => [`c${i}`, { lhs: [1, 1], rhs: [2, 2], holds: [1, 1] }]),
    );
    const branches = Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`b${i}`, [1, 1]]));
    const decided = await decidedBy(
      marketData,
      strategy,
      answer({ explanation: { conditions, branches } }),
      dayAt(0),
    );
    expect(decided.conditions).toHaveLength(200);
    expect(decided.branches).toHaveLength(200);
  });

  it('holds what was sold short, and nothing that is not held', () => {
    expect(weightsAt(answer(), 1)).toEqual({ SPY: -25 });
  });
});

it('asks why a tree decided unless it is too large for that', async () => {
  const asked: BacktestRequest[] = [];
  const run = async (request: BacktestRequest) => {
    asked.push(request);
    return {} as BacktestAnswer;
  };
  const treeOf = (assets: number): Algorithm =>
    ({
      tickers: [],
      children: Array.from({ length: assets }, () => ({ ticker: 'SPY' })),
    }) as unknown as Algorithm;
  for (const assets of [2_000, 2_001])
    await runUntil(
      { run },
      { strategyId: 's', revision: 0, algorithm: treeOf(assets) },
      { runFrom: dayAt(0), end: dayAt(2), dataVersion: 'v', withReasons: true },
      new AbortController().signal,
    );
  expect(asked.map(({ include }) => include?.explanation)).toEqual([true, false]);
});

it('runs a record from a year before it began, on the prices given, for no longer than half a minute', async () => {
  expect(runFromOf('2024-06-03')).toBe('2023-06-03');
  const given: unknown[] = [];
  const run = async (request: BacktestRequest, options: unknown) => {
    given.push([request.start_date, request.end_date, options]);
    return {} as BacktestAnswer;
  };
  const { signal } = new AbortController();
  await runUntil(
    { run },
    { strategyId: 's', revision: 0, algorithm: { tickers: [] } as unknown as Algorithm },
    { runFrom: dayAt(0), end: dayAt(2), dataVersion: 'v' },
    signal,
  );
  // The days of closed exchanges are known, so that a missing close is told from a holiday.
  const options = { dataVersion: 'v', signal, owner: 'nightly', deadlineMs: 30_000, knowsHolidays: true };
  expect(given).toEqual([[dayAt(0), dayAt(2), options]]);
});
