import { describe, expect, it } from 'vitest';
import { rollingFigures } from './performance.ts';
import { percentReturns } from './series.ts';

describe('rolling figures', () => {
  it('has the annualised sample deviation and mean over deviation of the window', () => {
    const { volatility, sharpe } = rollingFigures([100, 101, 100, 102], 2);
    const mean = (0.01 + 100 / 101 - 1) / 2;
    const deviation = Math.abs(0.01 - (100 / 101 - 1)) / Math.SQRT2;
    expect(volatility.slice(0, 2)).toEqual([Number.NaN, Number.NaN]);
    expect(volatility[2]).toBeCloseTo(deviation * Math.sqrt(252), 12);
    expect(sharpe[2]).toBeCloseTo((mean / deviation) * Math.sqrt(252), 12);
    expect(volatility).toHaveLength(4);
  });
  it('has no Sharpe ratio where nothing moves', () => {
    expect(rollingFigures([1, 1, 1], 2).sharpe[2]).toBeNaN();
  });
  it('has none where cash earns a rate: what its returns are apart by is rounding', () => {
    const { sharpe, volatility } = rollingFigures(
      Array.from({ length: 300 }, (_, day) => 10_000 * 1.04 ** (day / 252)),
      252,
    );
    expect(volatility[299]).toBeGreaterThan(0);
    expect(volatility[299]).toBeLessThan(1e-12);
    expect(sharpe[299]).toBeNaN();
  });
});

it('computes chart returns relative to the first value that is there', () => {
  expect(percentReturns([Number.NaN, 50, 75])).toEqual([Number.NaN, 0, 50]);
});
