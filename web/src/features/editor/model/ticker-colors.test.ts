import { expect, it } from 'vitest';
import { rankedTickers, tickerColors } from './ticker-colors.ts';

it('a ticker has one colour by how much was held of it, whatever order the result lists it in', () => {
  const held = { SPY: [10, 10], TLT: [60, 60], QQQ: [30, 30] };
  expect(rankedTickers(held)).toEqual(['TLT', 'QQQ', 'SPY']);
  const colors = ['strategy', 'benchmark', 'a', 'b', 'c'];
  expect(Object.fromEntries(tickerColors(held, colors))).toEqual({ TLT: 'a', QQQ: 'b', SPY: 'c' });
  const { SPY, TLT, QQQ } = held;
  expect(tickerColors({ QQQ, SPY, TLT }, colors).get('SPY')).toBe('c');
});
