/** Ascending days (since 1970-01-01) and closes above zero, of the same length. */
export interface Bars {
  readonly days: Int32Array;
  readonly closes: Float64Array;
}

/** A day on which two series have different prices. */
export interface DifferentDay {
  readonly day: number;
  readonly stored: number;
  readonly incoming: number;
}

export type SeriesComparison =
  /** No day in common. */
  | { readonly kind: 'apart' }
  /** The same prices on all common days, within the rounding of either. */
  | { readonly kind: 'equal'; readonly common: number }
  /** All incoming prices are the stored ones times one factor: a dividend or split since then has re-based the past. */
  | { readonly kind: 'rebased'; readonly common: number; readonly factor: number }
  | {
      readonly kind: 'different';
      readonly common: number;
      /** The first of them. */
      readonly days: readonly DifferentDay[];
      readonly count: number;
    };

/** Common days that a factor must hold on: on one or two days every pair of prices has a factor. */
export const LEAST_DAYS_OF_A_FACTOR = 3;
/** Agreement of prices that were computed anew. */
const RELATIVE_TOLERANCE = 1e-6;
/** Prices come with at least this many decimals, whatever the last of them are. */
const LEAST_DECIMALS = 2;
const MOST_DECIMALS = 8;
/** Rounding goes both ways; a mean difference above this share of the price does not come from rounding. */
const SYSTEMATIC = 2e-4;
const LISTED = 10;

/** Compares what is stored with what comes in, on the days that both have. */
export function compareSeries(stored: Bars, incoming: Bars): SeriesComparison {
  const [a, b] = commonDays(stored, incoming);
  if (a.length === 0) return { kind: 'apart' };
  const then = Float64Array.from(a, (i) => stored.closes[i] as number);
  const now = Float64Array.from(b, (i) => incoming.closes[i] as number);
  const roundings = [halfUnit(then), halfUnit(now)] as const;
  // Equally rounded prices of one source are equal to the last digit; one that is rounded further may be off
  // by half of its unit.
  const allowed = roundings[0] === roundings[1] ? 0 : Math.max(...roundings);
  const different = differences(then, now, 1, allowed);
  if (different.length === 0) return { kind: 'equal', common: a.length };
  if (a.length >= LEAST_DAYS_OF_A_FACTOR) {
    const factor = factorOf(then, now);
    const rounding = roundings[0] * factor + roundings[1];
    const beyondRounding = then.filter((price) => Math.abs(factor - 1) * price > rounding).length;
    if (beyondRounding > then.length / 2 && differences(then, now, factor, rounding).length === 0)
      return { kind: 'rebased', common: a.length, factor };
  }
  const days = different.slice(0, LISTED).map((i) => ({
    day: stored.days[a[i] as number] as number,
    stored: then[i] as number,
    incoming: now[i] as number,
  }));
  return { kind: 'different', common: a.length, days, count: different.length };
}

/** Indexes of the common days in either series. */
function commonDays(a: Bars, b: Bars): [number[], number[]] {
  const ofA: number[] = [];
  const ofB: number[] = [];
  let i = daysBefore(a.days, b.days[0]);
  let k = daysBefore(b.days, a.days[0]);
  while (i < a.days.length && k < b.days.length) {
    const left = a.days[i] as number;
    const right = b.days[k] as number;
    if (left === right) {
      ofA.push(i);
      ofB.push(k);
    }
    if (left <= right) i++;
    if (right <= left) k++;
  }
  return [ofA, ofB];
}

/** The factor that fits best: the ratio of the sums, in which rounding cancels out. */
function factorOf(then: Float64Array, now: Float64Array): number {
  let sumThen = 0;
  let sumNow = 0;
  for (let i = 0; i < then.length; i++) {
    sumThen += then[i] as number;
    sumNow += now[i] as number;
  }
  return sumNow / sumThen;
}

/** Indexes at which `now` is not `then` times `factor`, or all of them where the difference has one direction. */
function differences(then: Float64Array, now: Float64Array, factor: number, rounding: number): number[] {
  const found: number[] = [];
  let drift = 0;
  for (let i = 0; i < then.length; i++) {
    const expected = (then[i] as number) * factor;
    const difference = (now[i] as number) - expected;
    drift += difference / expected;
    const allowed = RELATIVE_TOLERANCE * expected + rounding * (1 + RELATIVE_TOLERANCE);
    if (Math.abs(difference) > allowed) found.push(i);
  }
  const isSystematic = then.length >= LEAST_DAYS_OF_A_FACTOR && Math.abs(drift) > SYSTEMATIC * then.length;
  if (found.length > 0 || !isSystematic) return found;
  return Array.from(then, (_, i) => i).filter((i) => now[i] !== (then[i] as number) * factor);
}

/** Half a unit of the last decimal that the prices use; 0 where they are not rounded. */
function halfUnit(prices: Float64Array): number {
  let decimals = LEAST_DECIMALS;
  let unit = 10 ** decimals;
  for (const price of prices) {
    while (Math.abs(price * unit - Math.round(price * unit)) > 1e-9 * Math.max(1, price * unit)) {
      decimals++;
      unit *= 10;
      if (decimals > MOST_DECIMALS) return 0;
    }
  }
  return 0.5 / unit;
}

/**
 * The stored series with the days of the incoming one that it lacks. Common days keep the stored price;
 * stored prices are multiplied by `factor` first (1: taken as they are), in which case common days take the
 * incoming price.
 */
export function mergeSeries(stored: Bars, incoming: Bars, factor = 1): Bars & { readonly added: number } {
  const days = new Int32Array(stored.days.length + incoming.days.length);
  const closes = new Float64Array(days.length);
  // A day is appended to 10,000 tickers each night: what lies before it is taken over in one go.
  let i = daysBefore(stored.days, incoming.days[0]);
  days.set(stored.days.subarray(0, i));
  closes.set(stored.closes.subarray(0, i));
  if (factor !== 1) for (let j = 0; j < i; j++) closes[j] = (closes[j] as number) * factor;
  let count = i;
  let added = 0;
  let k = 0;
  while (i < stored.days.length || k < incoming.days.length) {
    const left = stored.days[i] ?? Number.POSITIVE_INFINITY;
    const right = incoming.days[k] ?? Number.POSITIVE_INFINITY;
    days[count] = Math.min(left, right);
    if (left < right) closes[count] = (stored.closes[i] as number) * factor;
    else if (right < left) closes[count] = incoming.closes[k] as number;
    else closes[count] = (factor === 1 ? stored.closes[i] : incoming.closes[k]) as number;
    if (right < left) added++;
    if (left <= right) i++;
    if (right <= left) k++;
    count++;
  }
  return { days: days.slice(0, count), closes: closes.slice(0, count), added };
}

/**
 * How many stored days a new series has at the same price, at another one, and not at all; and how many it
 * has besides.
 */
export function countChanges(
  stored: Bars,
  next: Bars,
): {
  readonly added: number;
  readonly changed: number;
  readonly lost: number;
  /** First stored day that has another price or is no more. */
  readonly firstChanged: number | null;
  /** First day that was not there. */
  readonly firstAdded: number | null;
} {
  let added = 0;
  let changed = 0;
  let lost = 0;
  let firstChanged: number | null = null;
  let firstAdded: number | null = null;
  let i = sameUntil(stored, next);
  let k = i;
  while (i < stored.days.length || k < next.days.length) {
    const left = stored.days[i] ?? Number.POSITIVE_INFINITY;
    const right = next.days[k] ?? Number.POSITIVE_INFINITY;
    const isChange = left === right && stored.closes[i] !== next.closes[k];
    if (left < right) lost++;
    else if (right < left) added++;
    else if (isChange) changed++;
    if (firstChanged === null && (left < right || isChange)) firstChanged = left;
    if (firstAdded === null && right < left) firstAdded = right;
    if (left <= right) i++;
    if (right <= left) k++;
  }
  return { added, changed, lost, firstChanged, firstAdded };
}

/** Whether two series have the same bars up to a day. */
export function sameBars(a: Bars | undefined, b: Bars | undefined, lastDay: number): boolean {
  if (!a || !b) return a === b;
  const count = daysBefore(a.days, lastDay + 1);
  return count === daysBefore(b.days, lastDay + 1) && sameUntil(a, b) >= count;
}

/** How many bars two series have in common from the first on. */
function sameUntil(a: Bars, b: Bars): number {
  const most = Math.min(a.days.length, b.days.length);
  let count = 0;
  while (count < most && a.days[count] === b.days[count] && a.closes[count] === b.closes[count]) count++;
  return count;
}

/** How many days lie before `day`; all of them where there is none. */
function daysBefore(days: Int32Array, day = Number.POSITIVE_INFINITY): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] as number) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
