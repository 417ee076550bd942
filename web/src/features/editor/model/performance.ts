/** Figures of the Metrics tab, all from one backtest answer. Values are by day; returns are fractions. */
import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
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
    sharpe[end] = deviation > 0 ? (mean / deviation) * Math.sqrt(DAYS_PER_YEAR) : Number.NaN;
  }
  return { volatility, sharpe };
}

function meanAndDeviation(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0 };
}

export interface Drawdown {
  /** Indexes into the values: the peak before, the lowest day, and the first day back at the peak (null: not yet). */
  readonly peak: number;
  readonly trough: number;
  readonly recovered: number | null;
  /** Negative fraction. */
  readonly depth: number;
}

/** The deepest drawdowns that do not overlap, deepest first. */
export function worstDrawdowns(values: readonly number[], limit = 10): Drawdown[] {
  const found: Drawdown[] = [];
  let peak = 0;
  let trough = 0;
  const close = (recovered: number | null) => {
    const depth = (values[trough] as number) / (values[peak] as number) - 1;
    if (depth < 0) found.push({ peak, trough, recovered, depth });
  };
  for (const [day, value] of values.entries()) {
    if (value >= (values[peak] as number)) {
      close(day);
      peak = day;
      trough = day;
    } else if (value < (values[trough] as number)) trough = day;
  }
  if (values.length > 0) close(null);
  return found.sort((a, b) => a.depth - b.depth).slice(0, limit);
}

export interface Distribution {
  readonly best: number;
  readonly worst: number;
  /** Share of days above zero, of the days that are not zero. */
  readonly winRate: number;
  readonly skewness: number;
  /** Excess kurtosis: 0 for a normal distribution. */
  readonly kurtosis: number;
  /** The 5 % quantile of daily returns (nearest rank). */
  readonly valueAtRisk: number;
}

/** Shape of the daily returns; null for fewer than two. */
export function distributionOf(returns: readonly number[]): Distribution | null {
  if (returns.length < 2) return null;
  const sorted = [...returns].sort((a, b) => a - b);
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length;
  const moment = (power: number) =>
    returns.reduce((sum, value) => sum + (value - mean) ** power, 0) / returns.length;
  const variance = moment(2);
  const moved = returns.filter((value) => value !== 0);
  return {
    best: sorted.at(-1) as number,
    worst: sorted[0] as number,
    winRate: moved.length === 0 ? Number.NaN : moved.filter((value) => value > 0).length / moved.length,
    skewness: variance > 0 ? moment(3) / variance ** 1.5 : Number.NaN,
    kurtosis: variance > 0 ? moment(4) / variance ** 2 - 3 : Number.NaN,
    valueAtRisk: sorted[Math.max(0, Math.ceil(0.05 * sorted.length) - 1)] as number,
  };
}

export interface Trading {
  /** Days on which anything was bought or sold. */
  readonly tradeDays: number;
  /** Days on which a target weight changed. */
  readonly targetDays: number;
  /** Half of all that was bought and sold, as a share of the portfolio, per year: 1 sells everything and buys something else once. */
  readonly turnoverPerYear: number;
  /** What slippage takes for all that was bought and sold, as a fraction per year. */
  readonly costPerYear: number;
  /** Mean share that is not in cash, 0..1. */
  readonly meanExposure: number;
  /** Share of days with anything but cash. */
  readonly investedDays: number;
  /** Mean number of tickers held on invested days. */
  readonly meanHoldings: number;
}

/** Less than this is not bought or sold but lost to rounding. */
const NOTHING = 1e-8;

/** Turnover and cost from what was traded day by day, drifted weights included; exposure from the target allocations in percent. */
export function tradingOf(
  { tickers, turnover }: Pick<BacktestHistory, 'tickers' | 'turnover'>,
  slippageBps: number,
): Trading | null {
  const dayCount = turnover.length;
  if (dayCount < 2) return null;
  const columns = Object.values(tickers);
  let targetDays = 0;
  let exposure = 0;
  let investedDays = 0;
  let holdings = 0;
  for (let day = 0; day < dayCount; day++) {
    let held = 0;
    let isChanged = false;
    for (const percents of columns) {
      const percent = percents[day] ?? 0;
      exposure += percent / 100;
      if (percent > NOTHING) held++;
      if (Math.abs(percent - (percents[day - 1] ?? 0)) > NOTHING) isChanged = true;
    }
    if (isChanged) targetDays++;
    if (held > 0) investedDays++;
    holdings += held;
  }
  const years = dayCount / DAYS_PER_YEAR;
  const traded = turnover.reduce((sum, share) => sum + share, 0);
  return {
    tradeDays: turnover.filter((share) => share > NOTHING).length,
    targetDays,
    turnoverPerYear: traded / 2 / years,
    costPerYear: (traded * slippageBps) / 10_000 / years,
    meanExposure: exposure / dayCount,
    investedDays: investedDays / dayCount,
    meanHoldings: investedDays === 0 ? 0 : holdings / investedDays,
  };
}
