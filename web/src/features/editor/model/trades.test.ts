import { TRADED } from '@quantloom/domain/statistics/rounding';
import { expect, it } from 'vitest';
import { daysWithTrade, tradesOf } from './trades.ts';

it('has the first day and those with a trade, however little; drift and rounding are none', () => {
  expect(daysWithTrade([1, 0, 0.004, 1e-13, 0, 2e-9])).toEqual([0, 2, 5]);
  // Filled at the next close, the first day only orders.
  expect(daysWithTrade([0, 1, 0])).toEqual([0, 1]);
  expect(daysWithTrade([])).toEqual([]);
});

it('has no trade of what is rounding to its end, and shows what shows in percent with one decimal', () => {
  const history = { tickers: { SPY: [50, 50, 50.05] }, turnover: [TRADED, 0, 0.01], value: [1, 1, 1] };
  expect(tradesOf(history, 10).map(({ day, ticker }) => [day, ticker])).toEqual([[2, null]]);
  const shown = { tickers: { SPY: [0.05] }, turnover: [1], value: [1] };
  expect(tradesOf(shown, 10).map(({ day, ticker }) => [day, ticker])).toEqual([[0, 'SPY']]);
});

it('says of a trade on the second day what was held on the first', () => {
  const history = { tickers: { SPY: [60, 0], TLT: [40, 100] }, turnover: [1, 1.2], value: [1, 1] };
  expect(tradesOf(history, 0).map(({ day, ticker, from, to }) => [day, ticker, from, to])).toEqual([
    [1, 'SPY', 60, 0],
    [1, 'TLT', 40, 100],
    [0, 'TLT', 0, 40],
    [0, 'SPY', 0, 60],
  ]);
});

it('lists what each trade did to each ticker, with its cost in money', () => {
  const history = {
    // Bought on the first day, left to drift, changed, and brought back by less than is shown.
    tickers: { SPY: [60, 61, 0, 0.01], TLT: [40, 39, 100, 99.99] },
    turnover: [1, 0, 1.22, 0.0004],
    value: [9_990, 10_100, 10_000, 10_050],
  };
  const lines = tradesOf(history, 10);
  expect(lines.map(({ day, ticker, from, to }) => [day, ticker, from, to])).toEqual([
    [3, null, null, null],
    [2, 'SPY', 61, 0],
    [2, 'TLT', 39, 100],
    [0, 'TLT', 0, 40],
    [0, 'SPY', 0, 60],
  ]);
  expect(lines.map(({ whole }) => whole?.traded ?? null)).toEqual([0.0004, 1.22, null, 1, null]);
  // 10,000 were there before a tenth of a percent of all of it was spent on the first purchase.
  expect(lines[3]?.whole?.cost).toBeCloseTo(10, 10);
  expect(lines[1]?.whole?.cost).toBeCloseTo((10_000 / (1 - 0.00122)) * 0.00122, 10);
  expect(tradesOf(history, 0).map(({ whole }) => whole?.cost ?? 0)).toEqual([0, 0, 0, 0, 0]);
});

it('puts first on a day what was sold most, and last what was bought most', () => {
  const history = {
    tickers: { GLD: [20, 50], QQQ: [10, 0], SPY: [50, 30], TLT: [20, 20] },
    turnover: [0, 0.6],
    value: [1, 1],
  };
  expect(tradesOf(history, 0).map(({ ticker, from, to }) => [ticker, from, to])).toEqual([
    ['SPY', 50, 30],
    ['QQQ', 10, 0],
    ['GLD', 20, 50],
  ]);
});
