import { NO_DEVIATION } from '@quantloom/domain/statistics/rounding';
import { dailyReturns } from './series.ts';

const DAYS_PER_YEAR = 252;

export interface RangeFigures {
  readonly cumulativeReturn: number;
  readonly annualizedReturn: number;
  readonly standardDeviation: number;
  readonly maxDrawdown: number;
  readonly sharpe: number;
}

/**
 * The figures of a part of a backtest, from its values by day; returns are fractions, the drawdown is
 * positive. The formulas are those of the whole (`engine.md`, section 6): 252 days a year, sample deviation,
 * no risk-free rate. Null for fewer than three days.
 */
export function rangeFigures(values: readonly number[]): RangeFigures | null {
  const returns = dailyReturns(values);
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || returns.length < 2) return null;
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const squares = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (returns.length - 1));
  let peak = first;
  let deepest = 0;
  for (const value of values) {
    peak = Math.max(peak, value);
    deepest = Math.max(deepest, 1 - value / peak);
  }
  return {
    cumulativeReturn: last / first - 1,
    annualizedReturn: (last / first) ** (DAYS_PER_YEAR / returns.length) - 1,
    standardDeviation: deviation * Math.sqrt(DAYS_PER_YEAR),
    maxDrawdown: deepest,
    sharpe: deviation >= NO_DEVIATION ? (mean / deviation) * Math.sqrt(DAYS_PER_YEAR) : Number.NaN,
  };
}
