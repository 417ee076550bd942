import { expect, it } from 'vitest';
import { rangeFigures } from './range-figures.ts';

it('the figures of a part of a backtest', () => {
  const figures = rangeFigures([100, 110, 99, 108.9]);
  expect(figures?.cumulativeReturn).toBeCloseTo(0.089, 10);
  expect(figures?.annualizedReturn).toBeCloseTo(1.089 ** 84 - 1, 6);
  expect(figures?.maxDrawdown).toBeCloseTo(0.1, 10);
  // Returns +10%, -10%, +10%: mean 1/30, sample deviation 0.11547.
  expect(figures?.standardDeviation).toBeCloseTo(0.1154700538 * Math.sqrt(252), 8);
  expect(figures?.sharpe).toBeCloseTo((1 / 30 / 0.1154700538) * Math.sqrt(252), 6);
  expect(rangeFigures([100, 101])).toBeNull();
});

it('a part in which only cash earned has no Sharpe ratio, as the whole has none', () => {
  const cash = Array.from({ length: 300 }, (_, day) => 10_000 * 1.04 ** (day / 252));
  expect(rangeFigures(cash)?.standardDeviation).toBeGreaterThan(0);
  expect(rangeFigures(cash)?.sharpe).toBeNaN();
});
