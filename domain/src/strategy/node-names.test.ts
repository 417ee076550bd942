import { expect, test } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { conditionText } from './node-names.ts';
import type { IfThenElseNode } from './tree.ts';

const text = (condition: string) => {
  const [first] = (strategyOfText(`if ${condition} then SPY`).children[0] as IfThenElseNode).conditions;
  return first && conditionText(first);
};

test.each([
  ['RSI(SPY, 10) > 2 * RSI(TLT, 10) - 2.5', 'RSI(10) of SPY > 2 × RSI(10) of TLT − 2.5'],
  ['RSI(SPY, 10) 1 day ago > RSI(TLT, 10) + $O', 'RSI(10) of SPY 1 day ago > RSI(10) of TLT + $O'],
  ['RSI(SPY, 10) 3 days ago > 79 for 2 days', 'RSI(10) of SPY 3 days ago > 79 for 2 days'],
])('%s reads as one would say it', (condition, words) => {
  expect(text(condition)).toBe(words);
});
