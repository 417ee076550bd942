/** Figures of the Metrics tab, all from one backtest answer. Values are by day; returns are fractions. */
import { NO_DEVIATION } from '@quantloom/domain/statistics/rounding';
import { dailyReturns } from './series.ts';

const DAYS_PER_YEAR = 252;

export interface RollingFigures {
  /** Annualised standard deviation of the last `window` daily returns; NaN on the days before there are so many. */
  readonly volatility: readonly number[];
  /** Mean over standard deviation of the same returns, annualised; no risk-free rate. */
  readonly sharpe: readonly number[];
}

/** Rolling volatility and Sharpe ratio by day, as long as `values`; in one pass with sample deviations (n − 1). */
export function rollingFigures(values: readonly number[], window: number): RollingFigures {
  const returns = dailyReturns(values);
  const volatility = values.map(() => Number.NaN);
  const sharpe = values.map(() => Number.NaN);
  for (let end = window; end <= returns.length; end++) {
    const slice = returns.slice(end - window, end);
    const { mean, deviation } = meanAndDeviation(slice);
    volatility[end] = deviation * Math.sqrt(DAYS_PER_YEAR);
    sharpe[end] = deviation >= NO_DEVIATION ? (mean / deviation) * Math.sqrt(DAYS_PER_YEAR) : Number.NaN;
  }
  return { volatility, sharpe };
}

function meanAndDeviation(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}
