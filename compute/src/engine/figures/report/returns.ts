import { momentsOf } from '../metrics.ts';

/** Trading days of a year. */
export const YEAR = 252;
/** Returns and depths that differ by less are equal, and a return this close to 0 is 0: rounding must not decide. */
export const RESOLUTION = 1e-12;

/** The deviation of returns, 0 where it is no more than rounding; null below two. */
export function deviationOf(returns: Float64Array): number | null {
  return momentsOf(returns).deviation;
}

/** `mean / deviation` of daily returns for a year; null where they do not vary. */
export function ratioOfYear(returns: Float64Array): number | null {
  const { mean, deviation } = momentsOf(returns);
  return deviation === null || deviation === 0 ? null : (mean / deviation) * Math.sqrt(YEAR);
}

/** Mean over the downside deviation, for a year; null where no return is below 0. */
export function sortinoOf(returns: Float64Array): number | null {
  let squares = 0;
  for (const r of returns) if (r < -RESOLUTION) squares += r * r;
  if (squares === 0) return null;
  return (momentsOf(returns).mean / Math.sqrt(squares / returns.length)) * Math.sqrt(YEAR);
}

/** Population skewness and excess kurtosis; null where the returns do not vary. */
export function shapeOf(returns: Float64Array): {
  skewness: number | null;
  excess_kurtosis: number | null;
} {
  const { mean, deviation } = momentsOf(returns);
  if (deviation === null || deviation === 0) return { skewness: null, excess_kurtosis: null };
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (const r of returns) {
    const square = (r - mean) ** 2;
    m2 += square;
    m3 += square * (r - mean);
    m4 += square * square;
  }
  const n = returns.length;
  return { skewness: m3 / n / (m2 / n) ** 1.5, excess_kurtosis: m4 / n / (m2 / n) ** 2 - 3 };
}

/** The loss that 5% of the days reach or exceed, and the mean of those days, as positive fractions. */
export function tailOf(returns: Float64Array): {
  value_at_risk_95: number | null;
  expected_shortfall_95: number | null;
} {
  const count = Math.ceil(returns.length / 20);
  if (count === 0) return { value_at_risk_95: null, expected_shortfall_95: null };
  const worst = returns.slice().sort().subarray(0, count);
  return {
    value_at_risk_95: 0 - (worst[count - 1] as number),
    expected_shortfall_95: 0 - momentsOf(worst).mean,
  };
}

/** Sample covariance; null below two. */
export function covarianceOf(a: Float64Array, b: Float64Array): number | null {
  const n = a.length;
  if (n < 2) return null;
  const [meanA, meanB] = [momentsOf(a).mean, momentsOf(b).mean];
  let products = 0;
  for (let i = 0; i < n; i++) products += ((a[i] as number) - meanA) * ((b[i] as number) - meanB);
  return products / (n - 1);
}

/** The share of returns above 0; null of none. */
export function shareAboveZero(returns: ArrayLike<number>): number | null {
  let count = 0;
  for (let i = 0; i < returns.length; i++) if ((returns[i] as number) > RESOLUTION) count++;
  return returns.length === 0 ? null : count / returns.length;
}

/** The largest (sign 1) or smallest (sign -1) of a list by its return, the earlier one of equal ones; null of none. */
export function extremeOf<Item extends { readonly return: number }>(
  items: readonly Item[],
  sign: 1 | -1,
): Item | null {
  let best: Item | null = null;
  for (const item of items) if (best === null || sign * (item.return - best.return) > RESOLUTION) best = item;
  return best;
}
