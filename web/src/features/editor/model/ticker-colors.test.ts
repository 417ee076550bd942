import { expect, it } from 'vitest';
import { indicatorColors, rankedTickers, tickerColors } from './ticker-colors.ts';

it('a ticker has one colour by how much was held of it, whatever order the result lists it in', () => {
  const held = { SPY: [10, 10], TLT: [60, 60], QQQ: [30, 30] };
  expect(rankedTickers(held)).toEqual(['TLT', 'QQQ', 'SPY']);
  const colors = ['strategy', 'benchmark', 'a', 'b', 'c'];
  expect(Object.fromEntries(tickerColors(held, colors))).toEqual({ TLT: 'a', QQQ: 'b', SPY: 'c' });
  const { SPY, TLT, QQQ } = held;
  expect(tickerColors({ QQQ, SPY, TLT }, colors).get('SPY')).toBe('c');
});

it('an indicator has the colour of the ticker that it looks at, and no two have the same', () => {
  const colors = ['strategy', 'benchmark', 'a', 'b', 'c'];
  const lines = [
    { id: 'RSI of QQQ', ticker: 'QQQ' },
    { id: 'price of SPY', ticker: 'SPY' },
    { id: 'average of SPY', ticker: 'SPY' },
    { id: 'price of VIX', ticker: 'VIX' },
  ];
  const found = indicatorColors(lines, { SPY: [60], QQQ: [40] }, colors);
  expect(Object.fromEntries(found)).toEqual({
    'RSI of QQQ': 'b',
    'price of SPY': 'a',
    'average of SPY': 'strategy',
    'price of VIX': 'benchmark',
  });
});
