import { expect, it } from 'vitest';
import { daysWithTrade } from './trades.ts';

it('has the first day and those with a trade, however little; drift and rounding are none', () => {
  expect(daysWithTrade([1, 0, 0.004, 1e-13, 0, 2e-9])).toEqual([0, 2, 5]);
  // Filled at the next close, the first day only orders.
  expect(daysWithTrade([0, 1, 0])).toEqual([0, 1]);
  expect(daysWithTrade([])).toEqual([]);
});
