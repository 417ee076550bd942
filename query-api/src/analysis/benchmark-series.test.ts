import type { BacktestRequest, Metrics } from '@quantloom/domain/contracts/backtest';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { ulid } from 'ulid';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AnalysedBatch } from './analysed-batch.ts';
import { benchmarkFigures, benchmarkSeries, returnsBetween } from './benchmark-series.ts';
import { CashOfBatches } from './cash-of-batches.ts';

const { signal } = new AbortController();
const DAY = 86_400;
const METRICS: Partial<Metrics> = {
  cumulative_return: 1,
  annualized_return: 2,
  standard_deviation: 3,
  max_drawdown: 4,
  calmer: 5,
  sharpe: 6,
  trailing_1_month: 7,
  trailing_3_month: Number.NaN,
};
const NO_PRICES = new RefusalError(refuse(422, 'unknown_tickers', 'There are no prices of it'));
const AWAY = new Error('the pool is gone');

let asked: { readonly ticker: string; readonly end: string }[];
/** Why the engine answers nothing. */
let fault: Error | null;
beforeEach(() => {
  [asked, fault] = [[], null];
});
const runner = {
  run: async (request: BacktestRequest) => {
    const [, ticker = ''] = /"ticker":"([^"]+)"/.exec(JSON.stringify(request.trading_bot)) ?? [];
    asked.push({ ticker, end: request.end_date });
    if (fault) throw fault;
    return { metrics: METRICS, history: { timestamps: [0, DAY, 2 * DAY], value: [100, 101, 101] } };
  },
} as unknown as BacktestRunner;

const batchOf = (config: object = {}, id = 'b1') =>
  ({
    batch: { id, dataVersion: 'v1' },
    definition: {
      templateBot: { algorithm: STARTERS[0]?.build(ulid) },
      backtestConfig: { start_date: '2020-01-01', end_date: '2020-12-31', ...config },
    },
    variables: [],
  }) as unknown as AnalysedBatch;

describe('the benchmark of a batch', () => {
  it('is run over the whole period, the batch’s own one where it names one', async () => {
    const series = await benchmarkSeries(runner, batchOf({ out_of_sample_date: '2020-07-01' }), signal);
    expect([...(series?.returns ?? [])]).toEqual([expect.closeTo(0.01, 12), 0]);
    await benchmarkSeries(runner, batchOf({ benchmark_ticker: 'QQQ' }), signal);
    expect(asked).toEqual([
      { ticker: 'SPY', end: '2020-12-31' },
      { ticker: 'QQQ', end: '2020-12-31' },
    ]);
    fault = NO_PRICES;
    expect(await benchmarkSeries(runner, batchOf(), signal)).toBeNull();
  });

  it('has its figures on the days that rows are ranked on, by the columns of rows', async () => {
    const found = await benchmarkFigures(
      runner,
      batchOf({ benchmark_ticker: 'QQQ', out_of_sample_date: '2020-07-01' }),
      signal,
    );
    expect(asked).toEqual([{ ticker: 'QQQ', end: '2020-06-30' }]);
    expect(found).toEqual({
      ticker: 'QQQ',
      metrics: {
        cumulative_return: 1,
        annualized_return: 2,
        standard_deviation: 3,
        max_drawdown: 4,
        calmer_ratio: 5,
        sharpe_ratio: 6,
        trailing_1_month: 7,
        trailing_3_month: null,
      },
    });
  });

  it('has none where the data lack it, and is told to be away where it could not be run just now', async () => {
    fault = NO_PRICES;
    expect(await benchmarkFigures(runner, batchOf(), signal)).toBeNull();
    fault = AWAY;
    await expect(benchmarkFigures(runner, batchOf(), signal)).rejects.toThrow(
      'could not be run again just now',
    );
  });
});

describe('a part of a series', () => {
  const day = (of: string) => Date.parse(of) / 1_000;
  const series = {
    days: Float64Array.of(day('2020-01-02'), day('2020-01-03'), day('2020-01-06')),
    returns: Float64Array.of(0.1, 0.2, 0.3),
  };

  it.each([
    ['2020-01-02', '2020-01-06', [0.1, 0.2, 0.3]],
    ['2020-01-03', '2020-01-03', [0.2]],
    ['2020-01-04', '2020-01-05', []],
    ['2020-01-01', '2020-01-04', [0.1, 0.2]],
    ['2020-01-07', '2020-01-31', []],
    ['2019-01-01', '2019-12-31', []],
  ])('has the days from %s to %s, both included', (from, to, returns) => {
    expect([...returnsBetween(series, from, to)]).toEqual(returns);
  });
});

describe('what cash earned in a batch that is looked at', () => {
  const rate = (percent: number) => ({ cash: { rate: percent } });

  it('is run once for each batch', async () => {
    const cash = new CashOfBatches(runner, signal);
    for (let i = 0; i < 2; i += 1) {
      expect((await cash.of(batchOf(rate(5))))?.name).toBe('cash at 5% a year');
      expect((await cash.of(batchOf({}, 'b2')))?.name).toBe('Treasury bills (SIM:BIL)');
    }
    expect(asked).toHaveLength(1);
  });

  it('is nothing while it cannot be run, and is tried again at the next look', async () => {
    const cash = new CashOfBatches(runner, signal);
    fault = AWAY;
    expect(await cash.of(batchOf())).toBeNull();
    fault = null;
    expect((await cash.of(batchOf()))?.name).toBe('Treasury bills (SIM:BIL)');
  });

  it('tells a fault that is none of the engine', async () => {
    const broken = { ...batchOf(), definition: { templateBot: {}, backtestConfig: null } } as never;
    await expect(new CashOfBatches(runner, signal).of(broken)).rejects.toThrow();
  });
});
