import { describe, expect, it } from 'vitest';
import { readTerms } from './backtest-terms.ts';
import { cashInWords, otherFill, readRunSettings } from './run-settings.ts';

const dates = { start_date: '2020-01-02', end_date: '2020-12-31' };
const read = (over: object = {}, at?: string) => readTerms({ ...dates, ...over }, '2026-01-01', at);

describe('the terms of a backtest', () => {
  it('have defaults', () => {
    const terms = {
      fill: 'close',
      cash: null,
      benchmarks: [],
      indicatorPrices: 'adjusted',
      startDay: 18_263,
      endDay: 18_627,
      startDate: '2020-01-02',
      endDate: '2020-12-31',
      startingBalance: 10_000,
      slippageBps: 10,
      benchmark: 'SPY',
    };
    expect(read()).toEqual(terms);
    expect(read({ slippage_bps: null, starting_balance: null, benchmark_ticker: null })).toEqual(terms);
  });

  it.each<[object, object]>([
    [{ end_date: '2020-01-02' }, { startDate: '2020-01-02', endDate: '2020-01-02' }],
    [{ slippage_bps: 0 }, { slippageBps: 0 }],
    [{ slippage_bps: -0 }, { slippageBps: 0 }],
    [{ slippage_bps: '25' }, { slippageBps: 25 }],
    [{ slippage_bps: 1_000 }, { slippageBps: 1_000 }],
    [{ starting_balance: '0.5' }, { startingBalance: 0.5 }],
    [{ benchmark_ticker: ' qqq ' }, { benchmark: 'qqq' }],
    [{ benchmark_ticker: ' ' }, { benchmark: 'SPY' }],
    [{ benchmark_ticker: 'x'.repeat(30) }, { benchmark: 'x'.repeat(30) }],
    // Tomorrow is somebody's own day already.
    [{ end_date: '2026-01-02' }, { endDate: '2026-01-02' }],
  ])('take %j', (over, terms) => expect(read(over)).toMatchObject(terms));

  it.each<[string, string, string, object]>([
    ['start_date', 'start_date_missing', 'Start date is required', { start_date: undefined }],
    ['start_date', 'start_date_missing', 'Start date is required', { start_date: '' }],
    ['end_date', 'end_date_missing', 'End date is required', { end_date: null }],
    [
      'start_date',
      'invalid_date',
      'start_date must be a date such as 2020-12-31, not "2020-02-30"',
      { start_date: '2020-02-30' },
    ],
    ['end_date', 'invalid_date', 'end_date must be a date such as 2020-12-31, not 2020', { end_date: 2020 }],
    [
      'end_date',
      'date_in_future',
      'end_date 2026-01-03 is in the future: today is 2026-01-01 at the exchange',
      { end_date: '2026-01-03' },
    ],
    [
      'start_date',
      'date_in_future',
      'start_date 2026-01-03 is in the future: today is 2026-01-01 at the exchange',
      { start_date: '2026-01-03' },
    ],
    [
      'start_date',
      'start_after_end',
      'Error: Start date must be before or equal to end date: 2021-01-01 is after 2020-12-31',
      { start_date: '2021-01-01' },
    ],
    ...[-1, 1_001, 1.5, 'x'].map((slippage_bps): [string, string, string, object] => [
      'slippage_bps',
      'invalid_slippage',
      `slippage_bps must be a whole number from 0 to 1000, not ${JSON.stringify(slippage_bps)}`,
      { slippage_bps },
    ]),
    ...[0, -5, 'x'].map((starting_balance): [string, string, string, object] => [
      'starting_balance',
      'invalid_starting_balance',
      `starting_balance must be a number above 0, not ${JSON.stringify(starting_balance)}`,
      { starting_balance },
    ]),
    ...[7, '@VIXCLS', 'x'.repeat(31)].map((benchmark_ticker): [string, string, string, object] => [
      'benchmark_ticker',
      'invalid_benchmark',
      `benchmark_ticker must be a ticker, not ${JSON.stringify(benchmark_ticker)}`,
      { benchmark_ticker },
    ]),
    ['fill', 'invalid_fill', 'fill must be close or next-close, not "open"', { fill: 'open' }],
  ])('name the field %s: %s', (field, code, detail, over) => {
    const refusal = { refusal: true, status: 400, code, detail };
    expect(read(over)).toEqual({ ...refusal, problems: [{ code, message: detail, path: `/${field}` }] });
    expect(read(over, '/config')).toMatchObject({ ...refusal, problems: [{ path: `/config/${field}` }] });
  });
});

describe('the settings of a run', () => {
  it.each<[object, object]>([
    [{}, { fill: 'close', cash: null, benchmarks: [], indicatorPrices: 'adjusted' }],
    [
      { fill: null, cash: null, benchmarks: null, indicator_prices: null },
      { fill: 'close', cash: null, benchmarks: [] },
    ],
    [
      { fill: 'next-close', indicator_prices: 'raw' },
      { fill: 'next-close', indicatorPrices: 'raw' },
    ],
    [{ cash: { rate: '4' } }, { cash: { rate: 4 } }],
    [{ cash: { rate: -0 } }, { cash: { rate: 0 } }],
    [{ cash: { rate: -50 } }, { cash: { rate: -50 } }],
    [{ cash: { rate: 100, ticker: null } }, { cash: { rate: 100 } }],
    [{ cash: { ticker: ' BIL ' } }, { cash: { ticker: 'BIL' } }],
    [{ benchmarks: ['A', ' B ', 'A'] }, { benchmarks: ['A', 'B'] }],
    [{ benchmarks: ['A', 'B', 'C', 'D', 'E', 'A'] }, { benchmarks: ['A', 'B', 'C', 'D', 'E'] }],
  ])('%j', (raw, settings) => expect(readRunSettings(raw)).toMatchObject(settings));

  it.each<[string, string, object]>([
    ['fill', 'fill must be close or next-close, not 1', { fill: 1 }],
    [
      'indicator_prices',
      'indicator_prices must be adjusted, splits or raw, not "none"',
      { indicator_prices: 'none' },
    ],
    ['cash', 'cash must be {"rate": 4} or {"ticker": "BIL"}, not 4', { cash: 4 }],
    ['cash', 'cash must hold either a rate or a ticker, not none of them', { cash: {} }],
    ['cash', 'cash must hold either a rate or a ticker, not both', { cash: { rate: 4, ticker: 'BIL' } }],
    ...[-50.1, 100.1, 'x'].map((rate): [string, string, object] => [
      'cash',
      `cash has the rate ${JSON.stringify(rate)}, expected percent per year from -50 to 100`,
      { cash: { rate } },
    ]),
    ...['A/B', '$X', '', '@VIXCLS', 7, 'x'.repeat(31)].flatMap((ticker): [string, string, object][] => [
      ['cash', `cash has the ticker ${JSON.stringify(ticker)}, expected a ticker`, { cash: { ticker } }],
      [
        'benchmarks',
        `benchmarks holds ${JSON.stringify(ticker)}, expected a ticker`,
        { benchmarks: ['SPY', ticker] },
      ],
    ]),
    ['benchmarks', 'benchmarks must be a list of tickers, not "SPY"', { benchmarks: 'SPY' }],
    [
      'benchmarks',
      'benchmarks names more than 5 tickers; at most 5 are compared',
      { benchmarks: ['A', 'B', 'C', 'D', 'E', 'F'] },
    ],
  ])('%s: %s', (field, detail, raw) => {
    expect(readRunSettings(raw)).toEqual({
      refusal: true,
      status: 400,
      code: `invalid_${field}`,
      detail,
      problems: [{ code: `invalid_${field}`, message: detail, path: `/${field}` }],
    });
  });

  it('are told in words', () => {
    expect([null, undefined, { rate: 4 }, { ticker: 'BIL' }].map(cashInWords)).toEqual([
      'nothing',
      'nothing',
      '4% a year',
      'what BIL returns',
    ]);
    expect([otherFill('close'), otherFill('next-close')]).toEqual(['next-close', 'close']);
  });
});
