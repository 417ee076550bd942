import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Calendar } from './calendar.ts';

/**
 * A number per calendar day. `values` has the calendar's length and is NaN outside `first..last`; `first > last` means that there
 * is no value at all.
 */
export interface Column {
  readonly first: number;
  readonly last: number;
  readonly values: Float64Array;
}

/** A column without any value. */
export function emptyColumn(length: number): Column {
  return { first: length, last: -1, values: new Float64Array(length).fill(Number.NaN) };
}

/**
 * The closes of a ticker on the calendar: bars off the calendar are dropped, then a missing date inside the span repeats the
 * last price.
 */
export function alignPrices(calendar: Calendar, prices: PriceSeries): Column {
  const { days, closes } = prices;
  const values = new Float64Array(calendar.length).fill(Number.NaN);
  let first = calendar.length;
  let last = -1;
  let bar = 0;
  let close = Number.NaN;
  for (let i = 0; i < calendar.length && bar < days.length; i++) {
    const day = calendar[i] as number;
    while (bar < days.length && (days[bar] as number) < day) bar++;
    if (bar < days.length && days[bar] === day) {
      close = closes[bar] as number;
      if (last < 0) first = i;
      last = i;
    }
    values[i] = close;
  }
  values.fill(Number.NaN, last + 1);
  return { first, last, values };
}

/** `P_A / P_B` on the days where both are available. */
export function ratioOf(a: Column, b: Column): Column {
  const first = Math.max(a.first, b.first);
  const last = Math.min(a.last, b.last);
  const length = a.values.length;
  if (first > last) return emptyColumn(length);
  const values = new Float64Array(length).fill(Number.NaN);
  for (let i = first; i <= last; i++) values[i] = (a.values[i] as number) / (b.values[i] as number);
  return { first, last, values };
}

/** Daily returns `P_t / P_{t-1} - 1`, defined from the second available day. */
export function returnsOf(prices: Column): Column {
  const { first, last } = prices;
  const source = prices.values;
  const values = new Float64Array(source.length).fill(Number.NaN);
  for (let i = first + 1; i <= last; i++) values[i] = (source[i] as number) / (source[i - 1] as number) - 1;
  return first + 1 > last ? emptyColumn(source.length) : { first: first + 1, last, values };
}
