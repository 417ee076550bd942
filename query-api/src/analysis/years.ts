import { momentsOf } from '@quantloom/domain/statistics/describe';

const TRADING_DAYS = 252;

/**
 * Annualised Sharpe ratio of the returns of each calendar year that has some; NaN where they do not vary.
 * Days are epoch seconds.
 */
export function sharpesOfYears(returns: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  const byYear = new Map<number, number[]>();
  for (const [day, value] of returns) {
    const year = new Date(day * 1_000).getUTCFullYear();
    const own = byYear.get(year);
    if (own) own.push(value);
    else byYear.set(year, [value]);
  }
  return new Map(Array.from(byYear, ([year, own]) => [year, sharpeOf(own)]));
}

function sharpeOf(returns: readonly number[]): number {
  const { mean, deviation } = momentsOf(returns);
  return deviation > 1e-12 ? (mean / deviation) * Math.sqrt(TRADING_DAYS) : Number.NaN;
}
