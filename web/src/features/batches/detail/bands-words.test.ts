import { expect, it } from 'vitest';
import { bandsInWords } from './bands-words.ts';

const band = (low: number | null) => ({ low, middle: 0.8, high: 1.4 });
const row = (low: number | null, best_share: number | null = null) => ({
  values: { $A: 'SPY' },
  best_share,
  bands: {
    sharpe: band(low),
    annualized_return: band(0),
    max_drawdown: band(0),
    shuffled_drawdown: band(0),
  },
});

it('reads the low end of a band as what one draw in twenty is below', () => {
  expect(bandsInWords([row(0.01)])).toMatch(
    /^In at least nineteen of twenty draws the Sharpe ratio is above 0/,
  );
  expect(bandsInWords([row(-0.01)])).toMatch(/^In at least one of twenty draws nothing was earned/);
  expect(bandsInWords([row(null)])).toBe('These days give this row no Sharpe ratio.');
});

it('names the row that leads most often, and whether that is nearly always', () => {
  expect(bandsInWords([row(0.1, 0.2), { ...row(0.1, 0.8), values: { $A: 'QQQ' } }])).toMatch(
    /^QQQ leads most often, in 80\.00% of the draws/,
  );
  expect(bandsInWords([row(0.1, 0.95), row(0.1, 0.05)])).toMatch(/^SPY has the best Sharpe ratio in 95\.00%/);
});
