import type { PriceSeries } from '@quantloom/domain/ports/market-data';

/** The trading days of a backtest, ascending, as days since 1970-01-01. */
export type Calendar = Int32Array;

/**
 * The dates on which the benchmark has a bar; where it has no data, the union of the dates of all tickers
 * named in the tree (`engine.md` section 1).
 */
export function calendarOf(
  benchmark: PriceSeries | undefined,
  tickers: Iterable<string>,
  prices: ReadonlyMap<string, PriceSeries>,
): Calendar {
  if (benchmark !== undefined && benchmark.days.length > 0) return benchmark.days;
  const days = new Set<number>();
  for (const ticker of tickers) for (const day of prices.get(ticker)?.days ?? []) days.add(day);
  return Int32Array.from(days).sort();
}

/** Index of the first day that is not before `day`; the length where there is none. */
export function firstIndexFrom(calendar: Calendar, day: number): number {
  let low = 0;
  let high = calendar.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((calendar[middle] as number) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the last day that is not after `day`; -1 where there is none. */
export function lastIndexUntil(calendar: Calendar, day: number): number {
  return firstIndexFrom(calendar, day + 1) - 1;
}
