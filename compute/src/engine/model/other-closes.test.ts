import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { nameOnBasis } from '@quantloom/domain/market-data/price-basis';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import {
  asset,
  batchOf,
  condition,
  filter,
  group,
  ifThenElse,
  inverseVolatility,
  root,
} from '../../../testing/fixtures.ts';
import { awkwardPrices, dice, randomBatch } from '../../../testing/random-batch.ts';
import { withSecondPart } from '../../../testing/second-part.ts';
import { runBacktest } from '../answers/backtest.ts';
import { runBatchRange } from '../batch/batch-reference.ts';
import { planBatch } from '../batch/compile/batch-plan.ts';
import { compileFastBatch } from '../batch/fast-path.ts';
import { tickersOf } from './tickers.ts';

const TODAY = { today: '2030-01-01' };
const RUNS = Number(process.env.FC_RUNS ?? 60);
const FIRST = 18_000;

function series(ticker: string, closes: readonly number[], firstDay = FIRST): PriceSeries {
  return {
    ticker,
    days: Int32Array.from(closes, (_, i) => firstDay + i),
    closes: Float64Array.from(closes),
  };
}

function market(all: Readonly<Record<string, readonly number[]>>): Map<string, PriceSeries> {
  return new Map(Object.entries(all).map(([ticker, closes]) => [ticker, series(ticker, closes)]));
}

const request = (
  tree: BacktestRequest['trading_bot'],
  more: Partial<BacktestRequest> = {},
): BacktestRequest => ({
  start_date: '2019-01-01',
  end_date: '2029-01-01',
  slippage_bps: 0,
  starting_balance: 1,
  include: { history: true },
  trading_bot: tree,
  ...more,
});

/**
 * A dividend of half the price on the fourth day: the price falls from 100 to 50, whoever holds it has lost
 * nothing.
 */
const PAID = [100, 100, 100, 50, 50, 50];
const PRICES = market({
  SPY: [1, 1, 1, 1, 1, 1],
  AAA: [50, 50, 50, 50, 50, 50],
  'AAA|splits': PAID,
  BBB: [10, 11, 12, 13, 14, 15],
  'BBB|splits': [10, 11, 12, 13, 14, 15],
});
const isAbove = (value: number) =>
  condition({
    lhs_fn: 'current-price',
    lhs_val: 'AAA',
    comparator: 'gt',
    rhs_fixed_val: true,
    rhs_val: value,
  });

describe('decisions on closes adjusted for splits', () => {
  const tree = root(ifThenElse([isAbove(60)], [asset('AAA')], [asset('BBB')]));

  test('are read from these, and earn what the adjusted closes earn', () => {
    const { history } = runBacktest(request(tree, { indicator_prices: 'splits' }), PRICES, TODAY);
    expect(history?.tickers.AAA).toEqual([100, 100, 100, 0, 0, 0]);
    // Held over the day of the dividend, at no loss; then BBB's 14 / 13 and 15 / 14.
    const value = [1, 1, 1, 1, 14 / 13, 15 / 13].map((one) => expect.closeTo(one, 12));
    expect(history?.value).toEqual(value);
    expect(history?.indicators['AAA-current-price-10']).toEqual(PAID);
  });

  test('are the same as ever where nothing or adjusted closes are asked for', () => {
    const plain = runBacktest(request(tree), PRICES, TODAY);
    expect(plain.history?.tickers.BBB).toEqual([100, 100, 100, 100, 100, 100]);
    expect(runBacktest(request(tree, { indicator_prices: 'adjusted' }), PRICES, TODAY)).toEqual(plain);
    expect(runBacktest(request(tree, { indicator_prices: null }), PRICES, TODAY)).toEqual(plain);
  });

  test('rank the assets of a filter by them, and groups by what they earned', () => {
    const falling = (by: number) => Array.from(PAID, (_, i) => (1 - by) ** i);
    const prices = new Map([
      ...PRICES,
      ...market({
        CCC: falling(0.01),
        'CCC|splits': falling(0.01),
        DDD: falling(0.1),
        'DDD|splits': falling(0.1),
      }),
    ]);
    const of = (indicator_prices: 'adjusted' | 'splits', ...children: BlockNode[]) => {
      const sort = { fn: 'cumulative-return', window: 1 } as const;
      const tree = root(filter(sort, { fn: 'bottom', num: 1 }, ...children));
      return runBacktest(request(tree, { indicator_prices }), prices, TODAY).history?.tickers.AAA;
    };
    // By its closes AAA falls on the day of the dividend alone; adjusted it never moves.
    expect(of('adjusted', asset('AAA'), asset('CCC'))).toEqual([0, 0, 0, 0, 0]);
    expect(of('splits', asset('AAA'), asset('CCC'))).toEqual([0, 0, 100, 0, 0]);
    expect(of('splits', group(asset('AAA')), asset('CCC'))).toEqual([0, 0, 100, 0, 0]);
    // A group has earned the dividend: on no day it is worse than what falls by a tenth.
    expect(of('splits', group(asset('AAA'), asset('CCC')), asset('DDD'))).toEqual([0, 0, 0, 0, 0]);
  });

  test('weigh by their deviations', () => {
    const of = (indicator_prices: 'adjusted' | 'splits') =>
      runBacktest(
        request(root(inverseVolatility(2, asset('AAA'), asset('BBB'))), { indicator_prices }),
        PRICES,
        TODAY,
      ).history?.tickers.AAA;
    // Without a deviation it takes all.
    expect(of('adjusted')).toEqual([100, 100, 100, 100]);
    const [before, after] = of('splits') ?? [];
    expect(before).toBe(100);
    expect(after).toBeLessThan(20);
  });

  test('begin and end where these closes do', () => {
    const prices = new Map(PRICES).set('AAA|splits', series('AAA', [100, 100, 50], FIRST + 1));
    const { calculated_dates: dates } = runBacktest(
      request(tree, { indicator_prices: 'splits' }),
      prices,
      TODAY,
    );
    expect([dates.first_day, dates.last_day]).toEqual(['2019-04-15', '2019-04-17']);
    expect(dates.last_day_decided_by).toEqual(['AAA']);
  });

  test('are refused where a ticker that decides has none, and not for one that is only held', () => {
    const prices = new Map(PRICES);
    prices.delete('BBB|splits');
    expect(runBacktest(request(tree, { indicator_prices: 'splits' }), prices, TODAY).metrics.duration).toBe(
      5,
    );
    prices.delete('AAA|splits');
    const run = () => runBacktest(request(tree, { indicator_prices: 'splits' }), prices, TODAY);
    expect(run).toThrow(
      'Decisions are to be read from closes adjusted for splits only, and the market data have ' +
        'none of AAA. Choose adjusted closes, or have a file imported that holds both for it',
    );
    try {
      run();
    } catch (error) {
      expect((error as RefusalError).refusal).toMatchObject({ status: 400, code: 'no_such_closes' });
    }
  });

  test('are refused for a batch where a value of a variable has none', () => {
    const of = (values: string[]) =>
      planBatch(
        batchOf(
          root(ifThenElse([{ ...isAbove(60), lhs_val: '$T' }], [asset('BBB')], [asset('SPY')])),
          { $T: values },
          { indicator_prices: 'splits' },
        ),
        PRICES,
        TODAY,
      );
    // A ticker without any prices has a row of its own, which says so.
    expect(of(['AAA', 'BBB', 'NOPE', 'AAA/BBB']).combinations).toBe(4);
    const refused = () => of(['AAA', 'SPY', 'AAA/SPY']);
    expect(refused).toThrow('the market data have none of SPY');
    // Either side of a ratio is read.
    expect(() => of(['AAA', 'AAA/SPY'])).toThrow('the market data have none of SPY');
    expect(() => of(['AAA', 'SPY/AAA'])).toThrow('the market data have none of SPY');
    try {
      refused();
    } catch (error) {
      const [problem] = (error as RefusalError).refusal.problems ?? [];
      expect(problem?.path).toBe('/backtest_config/indicator_prices');
    }
  });

  test('cannot be held by their name', () => {
    expect(() =>
      runBacktest(request(root(asset('AAA|splits')), { indicator_prices: 'splits' }), PRICES, TODAY),
    ).toThrow('AAA|splits');
    expect(tickersOf(root(asset('AAA|splits')), {}, {})).toEqual(['SPY']);
  });
});

test('the closes that a run needs are named with its tickers', () => {
  const tree = root(ifThenElse([isAbove(60)], [asset('BBB')], [asset('$T')]));
  const variables = { $T: ['CCC/DDD'] };
  const settings = { indicator_prices: 'raw', cash: { ticker: 'BIL' } };
  expect(tickersOf(tree, variables, settings).sort()).toEqual(
    ['SPY', 'AAA', 'BBB', 'CCC', 'DDD']
      .flatMap((name) => [name, `${name}|raw`])
      .concat('BIL')
      .sort(),
  );
  expect(tickersOf(tree, variables, { indicator_prices: 'wrong' })).toHaveLength(5);
});

describe('random batches have the rows of the reference on the fast path', () => {
  const runnable = { count: 0, rows: 0 };

  test.each(Array.from({ length: RUNS }, (_, i) => i))('batch %i', (seed) => {
    const throwDice = dice(seed + 9000);
    const prices = withOtherCloses(awkwardPrices(260, throwDice), throwDice);
    const batch = randomBatch(260, throwDice);
    const more = seed % 2 === 0 ? batch : withSecondPart(batch, throwDice);
    const asked = {
      ...more,
      backtest_config: { ...more.backtest_config, indicator_prices: 'splits' as const },
    };
    let plan: ReturnType<typeof planBatch>;
    try {
      plan = planBatch(asked, prices, TODAY);
    } catch (error) {
      if (error instanceof RefusalError) return;
      throw error;
    }
    const fast = compileFastBatch(asked, prices, TODAY);
    if (fast === null) return;
    const count = Math.min(plan.combinations, 24);
    const actual = fast.run(0, count);
    expect(differences(actual, runBatchRange(plan, 0, count)).slice(0, 5)).toEqual([]);
    runnable.count++;
    runnable.rows += count - actual.failures.length;
    fast.dispose();
  });

  test('most of which can run', () => {
    expect(runnable.count).toBeGreaterThan(RUNS / 2);
    expect(runnable.rows).toBeGreaterThan(RUNS);
  });
});

/** Each ticker with closes that dividends drive away from the adjusted ones, some of fewer days. */
function withOtherCloses(
  prices: ReadonlyMap<string, PriceSeries>,
  throwDice: (n: number) => number,
): Map<string, PriceSeries> {
  const both = new Map(prices);
  for (const [ticker, { days, closes }] of prices) {
    const from = throwDice(3) === 0 ? throwDice(20) : 0;
    const to = days.length - (throwDice(3) === 0 ? throwDice(20) : 0);
    const every = 10 + throwDice(60);
    const other = closes.map((close, i) => close * 0.98 ** Math.floor(i / every));
    both.set(nameOnBasis(ticker, 'splits'), {
      ticker,
      days: days.slice(from, to),
      closes: other.slice(from, to),
    });
  }
  return both;
}
