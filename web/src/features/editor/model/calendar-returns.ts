import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';

export interface YearOfReturns {
  readonly year: number;
  /** January to December as fractions; null where the run has no day. */
  readonly months: readonly (number | null)[];
  readonly total: number;
}

/** Returns by calendar month and year: last value of the period over the last value before it (or the first day's). */
export function monthlyReturns({
  timestamps,
  value,
}: Pick<BacktestHistory, 'timestamps' | 'value'>): YearOfReturns[] {
  const years = new Map<number, { months: (number | null)[]; start: number; end: number }>();
  let before = value[0] ?? Number.NaN;
  for (const [index, timestamp] of timestamps.entries()) {
    const day = new Date(timestamp * 1000);
    const next = timestamps[index + 1];
    const nextDay = next === undefined ? null : new Date(next * 1000);
    const isMonthEnd =
      !nextDay ||
      nextDay.getUTCMonth() !== day.getUTCMonth() ||
      nextDay.getUTCFullYear() !== day.getUTCFullYear();
    if (!isMonthEnd) continue;
    const end = value[index] ?? Number.NaN;
    const year = years.get(day.getUTCFullYear()) ?? {
      months: Array<number | null>(12).fill(null),
      start: before,
      end,
    };
    year.months[day.getUTCMonth()] = end / before - 1;
    year.end = end;
    years.set(day.getUTCFullYear(), year);
    before = end;
  }
  return [...years].map(([year, { months, start, end }]) => ({ year, months, total: end / start - 1 }));
}
