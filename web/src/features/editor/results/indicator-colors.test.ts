import { expect, it } from 'vitest';
import { indicatorColors } from './indicator-colors.ts';

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
