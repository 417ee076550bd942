import { expect, it } from 'vitest';
import { ordersOf } from './orders.ts';

const now = { weights: { SPY: 60, GLD: 25, BIL: 15 }, closes: { SPY: 610, GLD: 400, TLT: 90 } };

it('names what is sold, bought and held from one decision to the next', () => {
  const before = { weights: { TLT: 40, SPY: 35, GLD: 25 } };
  const brief = ordersOf(now, before, null).map((order) => [
    order.ticker,
    order.side,
    order.from_percent,
    order.to_percent,
  ]);
  expect(brief).toEqual([
    ['TLT', 'sell', 40, 0],
    ['BIL', 'buy', 0, 15],
    ['SPY', 'buy', 35, 60],
    ['GLD', 'hold', 25, 25],
  ]);
});

it('counts money and whole shares where an amount is given and the close is known', () => {
  const orders = ordersOf(now, null, 10_000);
  expect(orders.find(({ ticker }) => ticker === 'SPY')).toMatchObject({
    money: 6_000,
    shares: 9,
    close: 610,
  });
  expect(orders.find(({ ticker }) => ticker === 'BIL')).toMatchObject({
    money: 1_500,
    shares: null,
    close: null,
  });
  expect(ordersOf(now, null, null).every(({ money, shares }) => money === null && shares === null)).toBe(
    true,
  );
});
