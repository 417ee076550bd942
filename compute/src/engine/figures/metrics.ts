import type { Metrics } from '@quantloom/domain/contracts/backtest';
import { NO_DEVIATION } from '@quantloom/domain/statistics/rounding';

/** Trading days of a year, of a month and of three months, as `engine.md` section 5 counts them. */
const YEAR = 252;
const MONTH = 21;
const QUARTER = 63;

/**
 * Mean and sample standard deviation (n - 1; null below two values; exactly 0 when all values are the same
 * number, or apart by rounding only).
 */
export function momentsOf(values: Float64Array): { mean: number; deviation: number | null } {
  const n = values.length;
  if (n === 0) return { mean: Number.NaN, deviation: null };
  const shift = values[0] as number;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (values[i] as number) - shift;
  const offset = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) {
    const distance = (values[i] as number) - shift - offset;
    squares += distance * distance;
  }
  const deviation = n < 2 ? null : Math.sqrt(squares / (n - 1));
  return { mean: shift + offset, deviation: deviation !== null && deviation < NO_DEVIATION ? 0 : deviation };
}

/** `R_t = V_t / V_{t-1} - 1` for the days after the first. */
export function dailyReturns(value: Float64Array): Float64Array {
  const returns = new Float64Array(Math.max(value.length - 1, 0));
  for (let i = 0; i < returns.length; i++) returns[i] = (value[i + 1] as number) / (value[i] as number) - 1;
  return returns;
}

/** Largest fall from an earlier high, as a positive fraction. */
export function maxDrawdownOf(value: Float64Array): number {
  let high = 0;
  let drawdown = 0;
  for (let i = 0; i < value.length; i++) {
    const current = value[i] as number;
    if (current > high) high = current;
    const fall = 1 - current / high;
    if (fall > drawdown) drawdown = fall;
  }
  return drawdown;
}

/**
 * The metrics of `engine.md` section 5.
 * @param value portfolio value by day, from the first simulated day on
 * @param startingBalance what `value` began with before the costs of the first day
 * @param duration calendar days from the first to the last day
 */
export function metricsOf(value: Float64Array, startingBalance: number, duration: number): Metrics {
  const n = value.length - 1;
  const end = value[n] as number;
  const growth = end / startingBalance;
  const annualized = n > 0 ? growth ** (YEAR / n) - 1 : null;
  const { mean, deviation } = momentsOf(dailyReturns(value));
  const drawdown = maxDrawdownOf(value);
  const trailing = (days: number) => (n < days ? null : end / (value[n - days] as number) - 1);
  return {
    duration,
    cumulative_return: growth - 1,
    annualized_return: annualized,
    standard_deviation: deviation === null ? null : deviation * Math.sqrt(YEAR),
    max_drawdown: drawdown,
    calmer: drawdown === 0 || annualized === null ? null : annualized / drawdown,
    sharpe: deviation === null || deviation === 0 ? null : (mean / deviation) * Math.sqrt(YEAR),
    trailing_1_month: trailing(MONTH),
    trailing_3_month: trailing(QUARTER),
  };
}
