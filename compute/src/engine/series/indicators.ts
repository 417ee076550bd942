import { barsNeeded } from '@quantloom/domain/strategy/indicator';
import type { WindowIndicatorName } from '@quantloom/domain/strategy/tree';
import { type Column, noValues, returnsOf, withoutValue } from './column.ts';
import { movingDeviation, movingDrawdown, movingSum } from './windows.ts';

/**
 * The indicator of `engine.md` section 2 on a series: prices of a ticker, a ratio or a block's own series.
 * Returns and drawdowns are in percent. Defined from the bar the table names, undefined (NaN) before it and
 * after the series' end.
 * @param returns the series' daily returns, where somebody has them already
 * @param newValues makes place for its values, all of them NaN; not asked for prices themselves, which are there
 */
export function indicatorColumn(
  prices: Column,
  fn: WindowIndicatorName,
  window: number,
  returns: () => Column = () => returnsOf(prices),
  newValues: (length: number) => Float64Array = noValues,
): Column {
  const first = prices.first + barsNeeded(fn, window) - 1;
  const { last } = prices;
  if (fn === 'current-price') return prices;
  const values = newValues(prices.values.length);
  if (first > last) return withoutValue(values);
  compute(prices, fn, window, values, returns);
  return { first, last, values };
}

function compute(
  prices: Column,
  fn: WindowIndicatorName,
  window: number,
  out: Float64Array,
  returns: () => Column,
): void {
  const { first, last, values } = prices;
  switch (fn) {
    case 'moving-average-price':
      movingSum(values, first, last, window, out);
      divide(out, first + window - 1, last, window);
      return;
    case 'exponential-moving-average-price':
      exponentialAverage(prices, window, out);
      return;
    case 'cumulative-return':
      cumulativeReturn(prices, window, out);
      return;
    case 'moving-average-return':
      movingSum(returns().values, first + 1, last, window, out);
      divide(out, first + window, last, window);
      toPercent(out, first + window, last);
      return;
    case 'standard-deviation-price':
      movingDeviation(values, first, last, window, out);
      return;
    case 'standard-deviation-return':
      movingDeviation(returns().values, first + 1, last, window, out);
      toPercent(out, first + window, last);
      return;
    case 'max-drawdown':
      movingDrawdown(values, first, last, window, out);
      toPercent(out, first + window - 1, last);
      return;
    case 'relative-strength-index':
      relativeStrength(prices, window, out);
      return;
    case 'z-score':
      zScore(prices, window, out);
      return;
    case 'current-price':
      return;
    default:
      fn satisfies never;
  }
}

/** A function of its own, as whatever loops here should be: a new thread optimises it after a few calls. */
function toPercent(values: Float64Array, from: number, to: number): void {
  for (let i = from; i <= to; i++) values[i] = (values[i] as number) * 100;
}

function divide(values: Float64Array, from: number, to: number, by: number): void {
  for (let i = from; i <= to; i++) values[i] = (values[i] as number) / by;
}

function cumulativeReturn({ first, last, values }: Column, window: number, out: Float64Array): void {
  for (let i = first + window; i <= last; i++) {
    out[i] = ((values[i] as number) / (values[i - window] as number) - 1) * 100;
  }
}

/** Undefined before bar `window`, the plain mean at that bar, recursive after it. */
function exponentialAverage(prices: Column, window: number, out: Float64Array): void {
  const { first, last, values } = prices;
  if (window === 1) {
    // The price itself: the update below would leave the rounding of a much larger one before it.
    out.set(values.subarray(first, last + 1), first);
    return;
  }
  const alpha = 2 / (window + 1);
  let average = 0;
  for (let i = first; i < first + window; i++) average += values[i] as number;
  average /= window;
  out[first + window - 1] = average;
  for (let i = first + window; i <= last; i++) {
    average += alpha * ((values[i] as number) - average);
    out[i] = average;
  }
}

/** Below this the two averages are lifted, so that years of unchanged prices cannot drive them into underflow. */
const SMALL = 1e-150;
const LIFT = 2 ** 400;

/**
 * Wilder's index; 50 while neither a gain nor a loss has happened. Only the quotient of the averages matters,
 * so both may be scaled.
 */
function relativeStrength(prices: Column, window: number, out: Float64Array): void {
  const { first, last, values } = prices;
  let gain = 0;
  let loss = 0;
  let lift = 1;
  for (let i = first + 1; i <= first + window; i++) {
    const change = (values[i] as number) - (values[i - 1] as number);
    if (change > 0) gain += change;
    else loss -= change;
  }
  gain /= window;
  loss /= window;
  out[first + window] = quotient(gain, loss);
  const kept = window - 1;
  for (let i = first + window + 1; i <= last; i++) {
    const change = (values[i] as number) - (values[i - 1] as number);
    if (lift !== 1 && change !== 0) {
      gain /= lift;
      loss /= lift;
      lift = 1;
    }
    // Half of the size and the change together is the larger of the change and 0, to the bit, and asks for no
    // guess of the sign, which is wrong on every other day.
    const size = Math.abs(change);
    gain = (gain * kept + (size + change) / 2) / window;
    loss = (loss * kept + (size - change) / 2) / window;
    const both = gain + loss;
    if (both < SMALL && both > 0) {
      gain *= LIFT;
      loss *= LIFT;
      lift *= LIFT;
    }
    out[i] = quotient(gain, loss);
  }
}

function quotient(gain: number, loss: number): number {
  return gain + loss === 0 ? 50 : 100 * (gain / (gain + loss));
}

/** Distance from the mean in sample deviations; 0 where the window is flat. */
function zScore(prices: Column, window: number, out: Float64Array): void {
  const { first, last, values } = prices;
  const deviation = new Float64Array(out.length);
  movingDeviation(values, first, last, window, deviation, out);
  for (let i = first + window - 1; i <= last; i++) {
    out[i] = deviation[i] === 0 ? 0 : (out[i] as number) / (deviation[i] as number);
  }
}
