import { day as dayNumber, formatDay } from '../market-data/day.ts';
import type { PriceSeries } from '../ports/market-data.ts';

/** Place of the last day up to and including `day`; -1 before the first one. */
function placeOf(days: Int32Array, day: number): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle] as number) <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The close of exactly that day (`YYYY-MM-DD`). */
export function closeOn(series: PriceSeries | undefined, day: string): number | undefined {
  if (!series) return undefined;
  const wanted = dayNumber(day);
  const place = placeOf(series.days, wanted);
  return series.days[place] === wanted ? series.closes[place] : undefined;
}

/** The last close up to and including a day, and its day. */
export function lastCloseOn(
  series: PriceSeries | undefined,
  day: string,
): { readonly day: string; readonly close: number } | undefined {
  const place = series ? placeOf(series.days, dayNumber(day)) : -1;
  const [found, close] = [series?.days[place], series?.closes[place]];
  return found === undefined || close === undefined ? undefined : { day: formatDay(found), close };
}

/** The first day after `day` on which any of the series has a close; null: none has. */
export function nextDayOf(series: Iterable<PriceSeries>, day: string): string | null {
  let first: number | undefined;
  for (const { days } of series) {
    const next = days[placeOf(days, dayNumber(day)) + 1];
    if (next !== undefined && (first === undefined || next < first)) first = next;
  }
  return first === undefined ? null : formatDay(first);
}
