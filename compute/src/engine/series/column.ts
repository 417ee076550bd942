import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { type Calendar, firstIndexFrom } from '../model/calendar.ts';

/**
 * A number per calendar day. `values` has the calendar's length and is NaN outside `first..last`;
 * `first > last` means that there is no value at all.
 */
export interface Column {
  readonly first: number;
  readonly last: number;
  readonly values: Float64Array;
}

/** Values of so many days, none of them known. */
export const noValues = (length: number): Float64Array => new Float64Array(length).fill(Number.NaN);

/** A column without any value, of values that are all NaN. */
export const withoutValue = (values: Float64Array): Column => ({ first: values.length, last: -1, values });

/** A column without any value. */
export const emptyColumn = (length: number): Column => withoutValue(noValues(length));

/**
 * The closes of a ticker on the calendar: bars off the calendar are dropped, then a missing date inside the
 * span repeats the last price. Not to be written to: where the bars are those of the calendar, these are the
 * ticker's own closes.
 */
export function alignPrices(calendar: Calendar, prices: PriceSeries): Column {
  const { days, closes } = prices;
  const { length } = calendar;
  if (days.length === 0 || length === 0) return emptyColumn(length);
  // Most tickers have every day of the calendar from some day on: their closes need no looking at one by one.
  const bar = firstIndexFrom(days, calendar[0] as number);
  const start = firstIndexFrom(calendar, days[bar] ?? Number.POSITIVE_INFINITY);
  const count = Math.min(days.length - bar, length - start);
  if (count <= 0 || !isSameDays(calendar, start, days, bar, count)) return alignBarByBar(calendar, prices);
  const first = start;
  const last = start + count - 1;
  if (count === length) return { first, last, values: closes.subarray(bar, bar + count) };
  const values = new Float64Array(length).fill(Number.NaN);
  values.set(closes.subarray(bar, bar + count), start);
  return { first, last, values };
}

/** Whether `count` days are the same, compared as bytes: a loop over them runs slowly in a new thread. */
function isSameDays(a: Int32Array, fromA: number, b: Int32Array, fromB: number, count: number): boolean {
  const bytes = (days: Int32Array, from: number) => bytesOf(days.subarray(from, from + count));
  return Buffer.compare(bytes(a, fromA), bytes(b, fromB)) === 0;
}

/** The same memory as bytes, to be compared or hashed. */
export function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function alignBarByBar(calendar: Calendar, { days, closes }: PriceSeries): Column {
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

/**
 * Daily returns `P_t / P_{t-1} - 1`, defined from the second available day.
 * @param newValues makes place for them, all of them NaN
 */
export function returnsOf(prices: Column, newValues: (length: number) => Float64Array = noValues): Column {
  const { first, last } = prices;
  const source = prices.values;
  const values = newValues(source.length);
  for (let i = first + 1; i <= last; i++) values[i] = (source[i] as number) / (source[i - 1] as number) - 1;
  return first + 1 > last ? withoutValue(values) : { first: first + 1, last, values };
}
