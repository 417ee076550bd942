import { expect, test } from 'vitest';
import { cashLikeTop, isLikeCash } from './cash-like.ts';

const row = (sharpeRatio: number | null, deviation: number | null, annualizedReturn: number | null) => ({
  sharpeRatio,
  deviation,
  annualizedReturn,
});

test('rows that hardly move are counted among the highest Sharpe ratios', () => {
  expect(
    cashLikeTop([
      row(2.5, 0.004, 0.011),
      row(1, 0.02, 0.019),
      row(0.9, 0.021, 0.08),
      // A loss leads no ranking, and a row that has failed has none.
      row(-3, 0.008, -0.02),
      row(null, null, null),
    ]),
  ).toEqual({ count: 2, of: 3, bestReturn: 0.019 });
});

test('where every one of them moves, there is nothing to say', () => {
  expect(cashLikeTop([row(0.8, 0.1, 0.08), row(null, null, null), row(-3, 0.008, -0.02)])).toBeNull();
  expect(cashLikeTop([])).toBeNull();
});

test('a Sharpe ratio of next to no risk is that of cash, one of few good days is not', () => {
  const part = (sharpe: number | null, annualized_return: number | null) =>
    isLikeCash({ sharpe, annualized_return });
  // Bills: 2% a year with a deviation of 0.05%.
  expect(part(40, 0.02)).toBe(true);
  expect(part(-8, -0.005)).toBe(true);
  expect(part(4.5, 0.7)).toBe(false);
  // Nothing was earned in spite of much risk: what is left of the return says little about the deviation.
  expect(part(0.08, 0.0001)).toBe(false);
  expect(part(null, 0.02)).toBe(false);
  expect(part(40, null)).toBe(false);
});
