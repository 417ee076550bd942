import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthlyReturns } from './calendar-returns.ts';
import { distributionOf, rollingFigures, tradingOf, worstDrawdowns } from './performance.ts';
import { drawdowns, percentReturns } from './series.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000;

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
});

describe('worst drawdowns', () => {
  it('finds peak, trough and recovery, deepest first, and one that lasts', () => {
    expect(worstDrawdowns([100, 90, 100, 80, 110, 105])).toEqual([
      { peak: 2, trough: 3, recovered: 4, depth: 80 / 100 - 1 },
      { peak: 0, trough: 1, recovered: 2, depth: 90 / 100 - 1 },
      { peak: 4, trough: 5, recovered: null, depth: 105 / 110 - 1 },
    ]);
    expect(worstDrawdowns([])).toEqual([]);
  });
  it('has the deepest day of all days first', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 1 }), (values) => {
        const deepest = Math.min(...drawdowns(values)) / 100;
        expect(worstDrawdowns(values)[0]?.depth ?? 0).toBeCloseTo(deepest, 9);
      }),
    );
  });
});

describe('distribution', () => {
  it('has extremes, win rate without still days, and no skew where it is symmetric', () => {
    const shape = distributionOf([-0.02, 0, 0.02, 0.01, -0.01]);
    expect(shape).toMatchObject({ best: 0.02, worst: -0.02, winRate: 0.5, valueAtRisk: -0.02 });
    expect(shape?.skewness).toBeCloseTo(0, 12);
    expect(distributionOf([0.1])).toBeNull();
  });
});

describe('trading', () => {
  it('counts what was traded, drift included, and what slippage takes of it', () => {
    // Half and half, drifted and brought back on the second day; half of it sold on the third, nothing on the fourth.
    const tickers = { SPY: [50, 50, 25, 25], TLT: [50, 50, 25, 25] };
    const trading = tradingOf({ tickers, turnover: [1, 0.02, 0.5, 0] }, 10);
    const years = 4 / 252;
    expect(trading?.tradeDays).toBe(3);
    expect(trading?.targetDays).toBe(2);
    expect(trading?.turnoverPerYear).toBeCloseTo(0.76 / years, 9);
    expect(trading?.costPerYear).toBeCloseTo((1.52 * 0.001) / years, 9);
    expect(trading?.meanExposure).toBeCloseTo(3 / 4, 12);
    expect(trading?.meanHoldings).toBe(2);
    expect(tradingOf({ tickers: {}, turnover: [0] }, 10)).toBeNull();
  });
});

describe('returns by calendar', () => {
  it('compounds months to years and years to the whole', () => {
    const history = {
      timestamps: ['2020-01-02', '2020-01-31', '2020-12-31', '2021-01-04'].map(day),
      value: [100, 110, 121, 60.5],
    };
    const years = monthlyReturns(history);
    expect(years.map(({ year }) => year)).toEqual([2020, 2021]);
    expect(years[0]?.months[0]).toBeCloseTo(0.1, 12);
    expect(years[0]?.total).toBeCloseTo(0.21, 12);
    expect(years[1]?.total).toBeCloseTo(-0.5, 12);
  });
  it('computes chart returns relative to the first value that is there', () => {
    expect(percentReturns([Number.NaN, 50, 75])).toEqual([Number.NaN, 0, 50]);
  });
});
