import type { IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { expect, it } from 'vitest';
import { conditionWords } from './words.ts';

const words = (condition: string) => {
  const [block] = strategyOfText(`if ${condition} then SPY`).children;
  const [first] = (block as IfThenElseNode).conditions;
  return first && conditionWords(first);
};

it.each([
  ['CR(SPY, 60) > 5', '60-day return of SPY > 5%'],
  ['MD(SPY, 20) > 10', '20-day max drawdown of SPY > 10%'],
  ['StdDev Return(SPY, 10) > $V', '10-day volatility of SPY > $V%'],
  ['PPO(SPY, 12, 26) > 0', 'PPO(SPY, 12, 26) > 0%'],
  ['RSI(SPY, 10) > 79', 'RSI(SPY, 10) > 79'],
  ['Current Price(SPY) > MA Price(SPY, 200)', 'Current Price(SPY) > MA Price(SPY, 200)'],
  ['Correlation(SPY, TLT, 60) > 0.5', 'Correlation(SPY, TLT, 60) > 0.5'],
  [
    'CR(SPY/TLT, 60) 2 days ago >= 2 * CR(TLT, 60) 1 day ago - 1 for 3 days',
    '60-day return of SPY/TLT 2 days ago ≥ 2 × 60-day return of TLT 1 day ago − 1% for 3 days',
  ],
  ['RSI(SPY, 10) 2 days ago > 1', 'RSI(SPY, 10) of 2 days ago > 1'],
])('%s reads as %s', (condition, line) => {
  expect(words(condition)).toBe(line);
});
