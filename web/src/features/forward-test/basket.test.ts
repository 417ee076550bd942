import { expect, test } from 'vitest';
import { basketCsv, totalsOf } from './basket.ts';
import type { Order, TomorrowRow } from './follows.ts';

const AMOUNT = 10_000;
const order = (ticker: string, from: number, to: number, close: number | null = 300): Order => ({
  ticker,
  side: to > from ? 'buy' : to < from ? 'sell' : 'hold',
  from_percent: from,
  to_percent: to,
  close,
  money: (AMOUNT * to) / 100,
  shares: close === null ? null : Math.floor((AMOUNT * to) / 100 / close),
});
const row = (name: string, orders: readonly Order[], day = '2026-11-20'): TomorrowRow => ({
  strategy_id: name,
  name,
  day,
  is_late: false,
  is_current: true,
  failure: null,
  is_simulated: false,
  orders: [...orders],
  conditions: [],
});

test('what one strategy sells and another one buys is netted, in whole shares of each', () => {
  const rows = [
    row('A', [order('SPY', 100, 0), order('TLT', 0, 100, 90)]),
    row('B', [order('SPY', 0, 50), order('GLD', 50, 50)]),
  ];
  const totals = totalsOf(rows, AMOUNT);
  expect(totals.rows.map(({ ticker, side, trade, shares }) => [ticker, side, trade, shares])).toEqual([
    ['SPY', 'sell', 16 - 33, 16],
    ['TLT', 'buy', 111, 111],
    ['GLD', 'hold', 0, 16],
  ]);
  expect(totals.rows[0]).toMatchObject({ from_percent: 50, to_percent: 25, money: 5000 });
  expect(basketCsv(totals)).toBe('ticker,side,quantity\r\nSPY,sell,17\r\nTLT,buy,111\r\n');
});

test('shares of the money are of all strategies, also of those that do not hold the ticker', () => {
  const rows = [row('A', [order('SPY', 0, 100)]), row('B', [order('TLT', 40, 20)]), row('C', [])];
  const percents = totalsOf(rows, AMOUNT).rows.map((one) => [one.ticker, one.from_percent, one.to_percent]);
  expect(percents).toEqual([
    ['TLT', 40 / 3, 20 / 3],
    ['SPY', 0, 100 / 3],
  ]);
});

test('what has drifted is held, and no order', () => {
  const drifted = { ...order('SPY', 60, 70), side: 'hold' } as const;
  const bought = order('SPY', 0, 30);
  const held = totalsOf([row('A', [drifted])], AMOUNT);
  expect(held.rows).toMatchObject([{ side: 'hold', trade: 0, shares: 23, from_percent: 60, to_percent: 70 }]);
  expect(totalsOf([row('A', [drifted])], null).rows).toMatchObject([{ side: 'hold' }]);
  expect(basketCsv(held)).toBe('ticker,side,quantity\r\n');
  const mixed = totalsOf([row('A', [drifted]), row('B', [bought])], AMOUNT);
  expect(mixed.rows).toMatchObject([{ side: 'buy', trade: 10, shares: 33 }]);
});

test('a whole number of shares stays whole, where the division comes to a hair less', () => {
  const sold = { ...order('SPY', 11, 0, 1.1), shares: 0 };
  expect(totalsOf([row('A', [sold])], 1_000).rows).toMatchObject([{ side: 'sell', trade: -100 }]);
});

test('a decision of an earlier day is named and left out', () => {
  const rows = [row('New', [order('SPY', 0, 100)]), row('Old', [order('SPY', 100, 0)], '2026-11-19')];
  expect(totalsOf(rows, AMOUNT)).toMatchObject({ day: '2026-11-20', older: ['Old'], rows: [{ trade: 33 }] });
});

test('a ticker without a close is no order, and a ticker that a spreadsheet would run is text', () => {
  const totals = totalsOf([row('A', [order('X', 100, 0, null), order('=1+1', 0, 100)])], AMOUNT);
  expect(totals.rows[0]).toMatchObject({ ticker: 'X', side: 'sell', trade: null, shares: null });
  expect(basketCsv(totals)).toBe("ticker,side,quantity\r\n'=1+1,buy,33\r\n");
});

test('nothing decided is nothing to trade', () => {
  expect(totalsOf([], AMOUNT)).toEqual({ day: null, older: [], isSimulated: false, rows: [] });
});
