import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, test, vi } from 'vitest';
import {
  asset,
  condition,
  equal,
  filter,
  group,
  ifThenElse,
  inverseVolatility,
  marketOf,
  root,
} from '../../../testing/fixtures.ts';
import { EngineDefectError } from '../model/engine-defect.ts';
import { tickersOf } from '../model/tickers.ts';
import { Market } from '../series/market.ts';
import { runBacktest } from './backtest.ts';

const OPTIONS = { today: '2026-11-21' };
const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 300 },
  AAA: { seed: 2, firstDay: 12_000, bars: 300 },
  LATE: { seed: 3, firstDay: 12_200, bars: 150 },
  GONE: { seed: 4, firstDay: 12_000, bars: 100 },
  NEW: { seed: 6, firstDay: 12_070, bars: 200 },
  ELSE: { seed: 5, firstDay: 15_000, bars: 100 },
});
const dates = { start_date: '2002-11-01', end_date: '2003-12-31' };

function run(...children: BlockNode[]) {
  return runBacktest(
    { ...dates, include: { history: true }, trading_bot: root(...children) },
    prices,
    OPTIONS,
  );
}

function refusal(request: object) {
  try {
    runBacktest({ ...dates, trading_bot: root(asset('AAA')), ...request }, prices, OPTIONS);
  } catch (error) {
    if (error instanceof RefusalError) return { code: error.refusal.code, detail: error.refusal.detail };
    throw error;
  }
  throw new Error('Nothing was refused');
}

describe('a request that cannot run', () => {
  test.each([
    ['a date that does not exist', { start_date: '2003-02-30' }, 'invalid_date', '2003-02-30'],
    ['a date that is missing', { end_date: null }, 'end_date_missing', 'End date'],
    ['a date that is none', { end_date: 20031231 }, 'invalid_date', 'end_date'],
    ['start after end', { start_date: '2004-01-02' }, 'start_after_end', '2004-01-02'],
    [
      'a start in the future',
      { start_date: '2030-01-01', end_date: '2030-01-02' },
      'date_in_future',
      '2030-01-01',
    ],
    ['no money', { starting_balance: 0 }, 'invalid_starting_balance', '0'],
    ['money as words', { starting_balance: 'ten' }, 'invalid_starting_balance', 'ten'],
    ['half a basis point', { slippage_bps: 0.5 }, 'invalid_slippage', '0.5'],
    ['slippage above 1000', { slippage_bps: 1001 }, 'invalid_slippage', '1001'],
    ['slippage above 1000 as text', { slippage_bps: '1001' }, 'invalid_slippage', '1001'],
    [
      'a fault of the tree before a ticker, as who checks it without prices',
      { trading_bot: root(asset('NOSUCH'), asset('$A')) },
      'unbound_variable',
      '$A',
    ],
    ['a benchmark that is none', { benchmark_ticker: 5 }, 'invalid_benchmark', '5'],
    ['no tree', { trading_bot: undefined }, 'invalid_algorithm', 'nothing'],
    [
      'a range without trading days',
      { start_date: '2002-11-09', end_date: '2002-11-10' },
      'no_trading_days',
      '2002-11-09',
    ],
    [
      'one trading day',
      { start_date: '2002-11-11', end_date: '2002-11-11' },
      'fewer_than_two_days',
      '2002-11-11',
    ],
    [
      'a range after a ticker',
      { trading_bot: root(asset('GONE')), start_date: '2003-11-03' },
      'no_common_dates',
      'GONE',
    ],
    [
      'a range before a ticker',
      { trading_bot: root(asset('LATE')), end_date: '2002-12-31' },
      'no_common_dates',
      'LATE',
    ],
    [
      'tickers that never meet',
      { trading_bot: root(asset('GONE'), asset('LATE')) },
      'no_common_dates',
      'GONE',
    ],
    ['a ticker off the calendar', { trading_bot: root(asset('ELSE')) }, 'no_common_dates', 'ELSE'],
    [
      'a window no series fills',
      {
        trading_bot: root(
          filter({ fn: 'max-drawdown', window: 290 }, { fn: 'top', num: 1 }, group(asset('LATE'))),
        ),
      },
      'no_common_dates',
      '-max-drawdown-290',
    ],
  ])('names %s', (_, request, code, mention) => {
    expect(refusal(request)).toMatchObject({ code, detail: expect.stringContaining(mention) });
  });

  test('with its reasons says how many blocks times days it may have, before a day is worked out', () => {
    const years = marketOf({
      SPY: { seed: 1, firstDay: 0, bars: 10_001 },
      AAA: { seed: 2, firstDay: 0, bars: 10_001 },
    });
    const asked = (blocks: number, include: object) => () =>
      runBacktest(
        {
          start_date: '1970-01-01',
          end_date: '2026-11-20',
          include,
          trading_bot: root(...Array.from({ length: blocks }, () => asset('AAA'))),
        },
        years,
        OPTIONS,
      );
    for (const include of [{ explanation: true }, { attribution: true }])
      expect(asked(2_001, include)).toThrow(
        expect.objectContaining({
          refusal: expect.objectContaining({
            status: 422,
            code: 'too_many_reasons',
            detail: expect.stringMatching(/20,000,000 .* 2,001 times 10,00\d\./),
          }),
        }),
      );
    expect(asked(2_001, { history: true })).not.toThrow();
  });

  test('takes numbers stored as text, and a benchmark between spaces', () => {
    const trading_bot = root(asset('AAA'));
    const terms = { starting_balance: 5000, slippage_bps: 25, benchmark_ticker: 'SPY' };
    const spelled = { starting_balance: '5000', slippage_bps: '25', benchmark_ticker: ' SPY ' };
    const answers = [terms, spelled].map((one) =>
      runBacktest({ ...dates, ...(one as typeof terms), trading_bot }, prices, OPTIONS),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.metrics).not.toEqual(runBacktest({ ...dates, trading_bot }, prices, OPTIONS).metrics);
  });

  test('names both tickers that never meet', () => {
    const { detail } = refusal({ trading_bot: root(asset('GONE'), asset('LATE'), asset('AAA')) });
    expect(detail).toMatch(/GONE ends on \d{4}-\d\d-\d\d, but LATE begins on \d{4}-\d\d-\d\d$/);
  });

  test('a fault of the engine itself is told apart, with its debug data', () => {
    const broken = new Map(prices).set('AAA', {
      ticker: 'AAA',
      days: Int32Array.of(1),
      closes: null as never,
    });
    const run = () =>
      runBacktest({ ...dates, benchmark_ticker: 'AAA', trading_bot: root(asset('AAA')) }, broken, OPTIONS);
    expect(run).toThrow(EngineDefectError);
    try {
      run();
    } catch (error) {
      expect((error as EngineDefectError).debugData).toMatchObject({
        bar_counts: { AAA: 1, SPY: 300 },
        error: { message: expect.any(String), stack: expect.any(Array) },
      });
    }
  });
});

describe('an answer', () => {
  test('has no history, explanation or debug data unless asked for', () => {
    const answer = runBacktest({ ...dates, trading_bot: root(asset('AAA')) }, prices, OPTIONS);
    expect(Object.keys(answer).sort()).toEqual(['benchmark_metrics', 'calculated_dates', 'metrics']);
  });

  test('names what decided the first and the last day', () => {
    const block = group(asset('LATE'), asset('AAA'));
    const { calculated_dates: late } = run(
      filter({ fn: 'cumulative-return', window: 5 }, { fn: 'top', num: 1 }, block),
    );
    expect(late.first_day_decided_by).toEqual([`${block.id}-cumulative-return-5`]);
    const { calculated_dates: gone } = run(inverseVolatility(10, asset('GONE')), asset('SPY'));
    expect(gone.first_day_decided_by).toEqual(['GONE-standard-deviation-return-10']);
    expect(gone.last_day_decided_by).toEqual(['GONE']);
    // Not the one that began last, but the one that ended first.
    const { calculated_dates: both } = run(asset('NEW'), asset('GONE'), asset('AAA'));
    expect(both).toMatchObject({ first_day_decided_by: ['NEW'], last_day_decided_by: ['GONE'] });
    expect(run(asset('AAA')).calculated_dates).toMatchObject({
      first_day_decided_by: [],
      last_day_decided_by: [],
    });
  });

  test('survives tickers and ids named like members of an object', () => {
    const named = new Map(prices);
    for (const ticker of ['__proto__', 'constructor', 'toString'])
      named.set(ticker, prices.get('AAA') as never);
    const tree = root(
      { ...asset('__proto__'), id: '__proto__' },
      { ...group(asset('constructor')), id: 'constructor' },
      asset('toString'),
    );
    const include = { history: true, explanation: true, debug: true };
    const { history, explanation } = runBacktest({ ...dates, include, trading_bot: tree }, named, OPTIONS);
    expect(Object.keys(history?.tickers ?? {})).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.keys(explanation?.shares ?? {})).toContain('__proto__');
  });
});

describe('an explanation', () => {
  const rule = condition({ lhs_val: 'SPY', rhs_val: 50 });
  const chooser = filter(
    { fn: 'cumulative-return', window: 10 },
    { fn: 'top', num: 1 },
    asset('AAA'),
    asset('LATE'),
  );
  const switching = ifThenElse([rule], [chooser], [equal(asset('SPY'), asset('AAA'))]);
  const include = { history: true, explanation: true };
  const { explanation, history } = runBacktest(
    { ...dates, include, trading_bot: root(switching) },
    prices,
    OPTIONS,
  );
  if (explanation === undefined || history === undefined) throw new Error('Nothing is explained');
  const days = history.timestamps.length;

  test('gives both sides of each condition and whether it holds', () => {
    const { lhs, rhs, holds } = explanation.conditions[rule.id] as (typeof explanation.conditions)[string];
    expect([lhs.length, rhs.length, holds.length]).toEqual([days, days, days]);
    expect(lhs).toEqual(history.indicators['SPY-relative-strength-index-10']);
    holds.forEach((isHeld, t) => {
      expect(isHeld).toBe((lhs[t] as number) > (rhs[t] as number));
    });
    expect(new Set(holds)).toEqual(new Set([true, false]));
    expect(explanation.branches[switching.id]).toEqual(holds);
  });

  test('gives the chosen children and the shares that reach each block', () => {
    const { from, ids } = explanation.selections[chooser.id] ?? { from: [], ids: [] };
    expect(from[0]).toBe(0);
    expect(from.length).toBeLessThan(days);
    const selections = Array.from({ length: days }, (_, t) => ids[from.findLastIndex((day) => day <= t)]);
    const shares = explanation.shares;
    for (let t = 0; t < days; t++) {
      const isThen = explanation.branches[switching.id]?.[t] === true;
      expect(selections[t]).toHaveLength(1);
      expect(shares[chooser.id]?.[t]).toBe(isThen ? 1 : 0);
      const leaves = 'children' in chooser ? chooser.children : [];
      const chosen = leaves.filter(({ id }) => shares[id]?.[t] === 1).map(({ id }) => id);
      expect(chosen).toEqual(isThen ? selections[t] : []);
      expect(history.tickers.SPY?.[t]).toBe(isThen ? 0 : 50);
    }
  });
});

test('an explanation names the chosen of three again whenever one of them changes', () => {
  const children = ['AAA', 'SPY', 'NEW'].map(asset);
  const chooser = filter({ fn: 'cumulative-return', window: 5 }, { fn: 'top', num: 1 }, ...children);
  const include = { history: true, explanation: true };
  const { explanation, history } = runBacktest(
    { ...dates, include, trading_bot: root(chooser) },
    prices,
    OPTIONS,
  );
  const { from = [], ids = [] } = explanation?.selections[chooser.id] ?? {};
  const told = history?.timestamps.map((_, t) => ids[from.findLastIndex((day) => day <= t)]);
  // With three children a change of the choice leaves the third one as it was.
  const held = history?.timestamps.map((_, t) =>
    children.filter(({ id }) => explanation?.shares[id]?.[t] === 1).map(({ id }) => id),
  );
  expect(told).toEqual(held);
  expect(new Set(told?.flat()).size).toBe(3);
});

test('turnover is what slippage is paid for: drift, new targets, and the first day', () => {
  const tree = root(
    ifThenElse([condition({ lhs_val: 'SPY', rhs_val: 50 })], [equal(asset('SPY'), asset('AAA'))], []),
  );
  const run = (slippage_bps: number) =>
    runBacktest({ ...dates, slippage_bps, include: { history: true }, trading_bot: tree }, prices, OPTIONS)
      .history as BacktestHistory;
  const [free, paid] = [run(0), run(100)];
  expect(free.turnover).toEqual(paid.turnover);
  const cost = paid.value.map((value, t) => 1 - value / (free.value[t] as number));
  free.turnover.forEach((traded, t) => {
    const kept = (1 - (cost[t] as number)) / (1 - (cost[t - 1] ?? 0));
    expect(1 - kept).toBeCloseTo(0.01 * traded, 9);
  });
  const held = (t: number) => (free.tickers.SPY?.[t] ?? 0) > 0;
  const drifts = free.turnover.filter((_, t) => t > 0 && held(t) && held(t - 1));
  expect(Math.max(...drifts)).toBeGreaterThan(0);
  expect(Math.max(...drifts)).toBeLessThan(0.1);
  const still = free.turnover.filter((_, t) => t > 0 && !held(t) && !held(t - 1));
  expect(new Set(still)).toEqual(new Set([0]));
});

test('debug data has a row per day for prices, indicators and the portfolio', () => {
  const include = { history: true, debug: true };
  const tree = root(ifThenElse([condition({ lhs_val: 'LATE/SPY' })], [asset('AAA')], []));
  const answer = runBacktest({ ...dates, include, trading_bot: tree }, prices, OPTIONS);
  const debug = answer.debug_data as Record<string, Record<string, unknown>[]>;
  const days = answer.history?.timestamps.length as number;
  expect(debug.bar_counts).toMatchObject({
    AAA: 300,
    LATE: expect.any(Number),
    'LATE/SPY': expect.any(Number),
  });
  expect(debug.indicator_bar_counts).toHaveProperty(['LATE/SPY-relative-strength-index-10']);
  expect(debug.precalc_cache).toHaveLength(days);
  expect(debug.precalc_cache?.[0]).toMatchObject({
    date: answer.calculated_dates.first_day,
    value: answer.history?.value[0],
  });
  // Weights are percent, as in the history.
  expect(debug.precalc_cache?.map(({ AAA }) => AAA)).toEqual(Array.from(answer.history?.tickers.AAA ?? []));
  expect(answer.history?.tickers.AAA).toContain(100);
  expect(debug.indicator_cache?.[0]).toMatchObject({ 'LATE/SPY-relative-strength-index-10': null });
  expect(debug.indicator_cache).toHaveLength(days + 10);
  expect(JSON.parse(JSON.stringify(debug))).toEqual(debug);
});

test('a defect in the middle of a run keeps what was worked out before it', () => {
  const returns = vi.spyOn(Market.prototype, 'returns').mockImplementation(() => {
    throw new Error('no returns');
  });
  const tree = root(ifThenElse([condition({ lhs_val: 'SPY' })], [asset('AAA')], []));
  try {
    runBacktest({ ...dates, trading_bot: tree }, prices, OPTIONS);
    expect.unreachable();
  } catch (error) {
    const debug = (error as EngineDefectError).debugData as Record<string, Record<string, unknown>[]>;
    const { first_day } = debug.calculated_dates as unknown as { first_day: string };
    expect(debug.error).toMatchObject({ message: 'no returns' });
    expect(first_day).toMatch(/^2002-/);
    expect(debug.indicator_bar_counts).toHaveProperty(['SPY-relative-strength-index-10']);
    expect(debug.ohlc_cache?.at(-1)).toMatchObject({ SPY: expect.any(Number), AAA: expect.any(Number) });
    expect(debug.indicator_cache?.length).toBe(debug.ohlc_cache?.length);
    expect(debug.precalc_cache?.[0]).toMatchObject({ date: first_day });
    expect(debug.precalc_cache?.[0]).not.toHaveProperty('value');
  } finally {
    returns.mockRestore();
  }
});

test('the values of further benchmarks come with the history, and not without it', () => {
  const request = { ...dates, benchmarks: ['AAA', 'GONE'], trading_bot: root(asset('AAA')) };
  const benchmarksOf = (history: boolean) =>
    runBacktest({ ...request, include: { history } }, prices, OPTIONS).benchmarks;
  const metrics = expect.objectContaining({ cumulative_return: expect.any(Number) });
  expect(benchmarksOf(false)).toEqual({ AAA: { metrics }, GONE: null });
  expect(benchmarksOf(true)).toEqual({ AAA: { metrics, value: expect.anything() }, GONE: null });
});

describe('tickers to load', () => {
  test('are those of assets, conditions, ratios, variables and the benchmark', () => {
    const tree = root(
      ifThenElse(
        [condition({ lhs_val: '$X/SPY', rhs_fixed_val: false, rhs_val: '$R' })],
        [asset('$A')],
        [asset('TLT')],
      ),
      ifThenElse([condition({ lhs_val: 'GLD', rhs_val: '$L' })], [], []),
    );
    const variables = { $X: ['QQQ'], $A: ['AAA', 700], $R: ['B/C'], $L: ['55'], $W: ['20'] };
    expect(tickersOf(tree, variables, { benchmark_ticker: 'IWM' }).sort()).toEqual([
      '700',
      'AAA',
      'B',
      'C',
      'GLD',
      'IWM',
      'QQQ',
      'SPY',
      'TLT',
    ]);
  });

  test.each([null, 5, [], 'x', { node_type: 'asset' }, { children: [null, { conditions: 'x' }] }])(
    'of %j are those of the benchmark alone',
    (tree) => {
      expect(tickersOf(tree)).toEqual(['SPY']);
    },
  );
});
