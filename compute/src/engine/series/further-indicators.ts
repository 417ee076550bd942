import { barsOf, isWindowIndicator } from '@quantloom/domain/strategy/indicator';
import { MOMENTUM_SPANS } from '@quantloom/domain/strategy/indicator-table';
import type {
  FilterSortName,
  FurtherIndicatorName,
  PairIndicatorName,
} from '@quantloom/domain/strategy/tree';
import { isEqual, TIE_TOLERANCE } from '../model/comparison.ts';
import { type Column, noValues, returnsOf, withoutValue } from './column.ts';
import { indicatorColumn } from './indicators.ts';
import { movingDeviation, movingMaximum } from './windows.ts';

/**
 * Any function of one series (`docs/engine.md` sections 2 and 10), undefined (NaN) before its first value and
 * after the series' end.
 * @param params the function's numbers in the order of its parameters
 * @param returns the series' daily returns, where somebody has them already
 * @param newValues makes place for its values, all of them NaN; not asked for prices themselves, which are there
 */
export function seriesIndicator(
  prices: Column,
  fn: FilterSortName,
  params: readonly number[],
  returns: () => Column = () => returnsOf(prices),
  newValues: (length: number) => Float64Array = noValues,
): Column {
  if (isWindowIndicator(fn)) return indicatorColumn(prices, fn, params[0] ?? 1, returns, newValues);
  const { last } = prices;
  const first = prices.first + barsOf(fn, params) - 1;
  const out = newValues(prices.values.length);
  if (first > last) return withoutValue(out);
  compute(prices, fn, params, first, out);
  return { first, last, values: out };
}

function compute(
  prices: Column,
  fn: FurtherIndicatorName,
  [a = 1, b = 1, c = 1]: readonly number[],
  first: number,
  out: Float64Array,
): void {
  switch (fn) {
    case 'current-drawdown':
      currentDrawdown(prices, a, out);
      return;
    case 'bollinger-upper':
      bollinger(prices, a, b, out);
      return;
    case 'bollinger-lower':
      bollinger(prices, a, -b, out);
      return;
    case 'macd':
    case 'ppo':
      averagesApart(prices, a, b, fn === 'ppo', out);
      return;
    case 'macd-signal':
    case 'ppo-signal':
      signal(prices, [a, b, c], fn === 'ppo-signal', out);
      return;
    case 'macd-histogram':
    case 'ppo-histogram':
      histogram(prices, [a, b, c], fn === 'ppo-histogram', first, out);
      return;
    case 'aroon-up':
      aroon(prices, a, 1, first, out);
      return;
    case 'aroon-down':
      aroon(prices, a, -1, first, out);
      return;
    case 'momentum-13612w':
      momentum(prices, [12, 4, 2, 1], first, out);
      return;
    case 'momentum-13612u':
      momentum(prices, [1, 1, 1, 1], first, out);
      return;
    default:
      fn satisfies never;
  }
}

/** How far the price is below the highest of the last `window`, in percent. */
function currentDrawdown({ first, last, values }: Column, window: number, out: Float64Array): void {
  movingMaximum(values, first, last, window, out);
  for (let i = first + window - 1; i <= last; i++)
    out[i] = 100 * (1 - (values[i] as number) / (out[i] as number));
}

/** The mean of the last `window` prices and so many of their sample deviations, to which side the sign says. */
function bollinger({ first, last, values }: Column, window: number, width: number, out: Float64Array): void {
  const distance = new Float64Array(out.length);
  movingDeviation(values, first, last, window, out, distance);
  for (let i = first + window - 1; i <= last; i++) {
    const mean = (values[i] as number) - (distance[i] as number);
    out[i] = mean + width * (out[i] as number);
  }
}

/** Differences of averages that are smaller than this share of them are rounding, and count as 0. */
function orZero(difference: number, scale: number): number {
  return Math.abs(difference) <= TIE_TOLERANCE * scale ? 0 : difference;
}

/**
 * `EMA_fast - EMA_slow`, in percent of the slow one for `ppo`.
 * @param scales receives the larger of the two averages in the same unit, where somebody asks
 */
function averagesApart(
  prices: Column,
  fast: number,
  slow: number,
  isPercent: boolean,
  out: Float64Array,
  scales?: Float64Array,
): void {
  const quick = indicatorColumn(prices, 'exponential-moving-average-price', fast).values;
  const calm = indicatorColumn(prices, 'exponential-moving-average-price', slow).values;
  for (let i = prices.first + slow - 1; i <= prices.last; i++) {
    const [f, s] = [quick[i] as number, calm[i] as number];
    const unit = isPercent ? 100 / s : 1;
    const larger = Math.max(f, s);
    out[i] = orZero(f - s, larger) * unit;
    if (scales !== undefined) scales[i] = larger * unit;
  }
}

type Three = readonly [fast: number, slow: number, signal: number];

/** The average over `signal` values of the difference of the averages. */
function signal(prices: Column, [fast, slow, length]: Three, isPercent: boolean, out: Float64Array): void {
  const values = new Float64Array(out.length).fill(Number.NaN);
  averagesApart(prices, fast, slow, isPercent, values);
  const differences = { first: prices.first + slow - 1, last: prices.last, values };
  out.set(indicatorColumn(differences, 'exponential-moving-average-price', length).values);
}

function histogram(prices: Column, of: Three, isPercent: boolean, first: number, out: Float64Array): void {
  signal(prices, of, isPercent, out);
  const differences = new Float64Array(out.length);
  const scales = new Float64Array(out.length);
  averagesApart(prices, of[0], of[1], isPercent, differences, scales);
  for (let i = first; i <= prices.last; i++)
    out[i] = orZero((differences[i] as number) - (out[i] as number), scales[i] as number);
}

/**
 * How recent the highest (sign 1) or lowest (sign -1) of the last `window + 1` prices is: 100 today, 0
 * `window` days ago.
 */
function aroon(
  { last, values }: Column,
  window: number,
  sign: 1 | -1,
  first: number,
  out: Float64Array,
): void {
  // The extreme of the window and, of equal ones, the latest: looked for anew only when it has left or is beaten.
  let extreme = Number.NaN;
  let at = -1;
  for (let i = first; i <= last; i++) {
    const price = values[i] as number;
    if (at < i - window) {
      extreme = values[i - window] as number;
      for (let j = i - window + 1; j <= i; j++)
        if (sign * ((values[j] as number) - extreme) > 0) extreme = values[j] as number;
      at = i;
      while (!isEqual(values[at] as number, extreme)) at--;
    } else if (sign * (price - extreme) > 0 || isEqual(price, extreme)) {
      if (sign * (price - extreme) > 0) extreme = price;
      at = i;
    }
    out[i] = (100 * (window - (i - at))) / window;
  }
}

/**
 * A weighted mean of the returns over 1, 3, 6 and 12 months, in percent; the sum of all four weights is not
 * what divides it.
 */
function momentum(
  { last, values }: Column,
  weights: readonly [number, number, number, number],
  first: number,
  out: Float64Array,
): void {
  for (let i = first; i <= last; i++) {
    let sum = 0;
    for (const [k, span] of MOMENTUM_SPANS.entries())
      sum += (weights[k] as number) * 100 * ((values[i] as number) / (values[i - span] as number) - 1);
    out[i] = sum / 4;
  }
}

/**
 * Pearson correlation of the last `window` daily returns of two series, or their sample covariance divided by
 * the variance of the second: read on the days on which both are there. Exactly 0 where either does not vary.
 */
export function pairIndicator(
  a: Column,
  b: Column,
  fn: PairIndicatorName,
  window: number,
  newValues: (length: number) => Float64Array = noValues,
): Column {
  const begin = Math.max(a.first, b.first);
  const last = Math.min(a.last, b.last);
  const first = begin + window;
  const out = newValues(a.values.length);
  if (first > last) return withoutValue(out);
  const left = returnsOf({ first: begin, last, values: a.values }).values;
  const right = returnsOf({ first: begin, last, values: b.values }).values;
  for (let t = first; t <= last; t++) out[t] = together(left, right, t - window + 1, t, fn);
  return { first, last, values: out };
}

/**
 * Summed directly, on distances from the first value, so that nothing drifts and equal values have a
 * deviation of exactly 0.
 */
function together(
  left: Float64Array,
  right: Float64Array,
  from: number,
  to: number,
  fn: PairIndicatorName,
): number {
  const n = to - from + 1;
  const [baseLeft, baseRight] = [left[from] as number, right[from] as number];
  let sumLeft = 0;
  let sumRight = 0;
  for (let i = from; i <= to; i++) {
    sumLeft += (left[i] as number) - baseLeft;
    sumRight += (right[i] as number) - baseRight;
  }
  const [meanLeft, meanRight] = [sumLeft / n, sumRight / n];
  let squaresLeft = 0;
  let squaresRight = 0;
  let products = 0;
  for (let i = from; i <= to; i++) {
    const x = (left[i] as number) - baseLeft - meanLeft;
    const y = (right[i] as number) - baseRight - meanRight;
    squaresLeft += x * x;
    squaresRight += y * y;
    products += x * y;
  }
  if (squaresLeft === 0 || squaresRight === 0) return 0;
  return fn === 'beta'
    ? products / squaresRight
    : products / (Math.sqrt(squaresLeft) * Math.sqrt(squaresRight));
}
