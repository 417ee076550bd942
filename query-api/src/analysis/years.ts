import { momentsOf } from '@quantloom/domain/statistics/describe';

const TRADING_DAYS = 252;

/** Annualised Sharpe ratio of the returns of one calendar year; NaN where they do not vary. Days are epoch seconds. */
export function sharpeOfYear(returns: ReadonlyMap<number, number>, year: number): number {
  const [from, to] = [Date.UTC(year) / 1_000, Date.UTC(year + 1) / 1_000];
  const own = [...returns].flatMap(([day, value]) => (day >= from && day < to ? [value] : []));
  const { mean, deviation } = momentsOf(own);
  return deviation > 1e-12 ? (mean / deviation) * Math.sqrt(TRADING_DAYS) : Number.NaN;
}
