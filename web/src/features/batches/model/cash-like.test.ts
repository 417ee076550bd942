import { expect, test } from 'vitest';
import { cashLikeTop } from './cash-like.ts';

const row = (deviation: number | null, annualizedReturn: number | null) => ({ deviation, annualizedReturn });

test('rows that hardly move are counted among the highest Sharpe ratios', () => {
  expect(cashLikeTop([row(0.004, 0.011), row(0.02, 0.019), row(0.021, 0.08), row(null, null)])).toEqual({
    count: 2,
    of: 4,
    bestReturn: 0.019,
  });
});

test('where every one of them moves, there is nothing to say', () => {
  expect(cashLikeTop([row(0.1, 0.08), row(null, null)])).toBeNull();
  expect(cashLikeTop([])).toBeNull();
});
