import type { FunctionParams, IndicatorName } from '@quantloom/domain/strategy/tree';

/** A value for each day of the calendar, null where there is none. */
export type Series = readonly (number | null)[];

const EQUAL = 1e-12;
const PRESETS: Readonly<Record<string, number>> = { window: 1, deviations: 2, fast: 12, slow: 26, signal: 9 };

/** Whether two values count as equal. */
export function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= EQUAL * Math.max(Math.abs(a), Math.abs(b));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The sample deviation, exactly 0 where all values are the same. */
function deviation(values: readonly number[]): number {
  if (values.every((value) => value === values[0])) return 0;
  const mean = sum(values) / values.length;
  return Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
}

/** The first day with a value; Infinity: there is none. */
export function firstOf(series: Series): number {
  const first = series.findIndex((value) => value !== null);
  return first < 0 ? Number.POSITIVE_INFINITY : first;
}

/** The last day with a value; -1: there is none. */
export function lastOf(series: Series): number {
  return series.findLastIndex((value) => value !== null);
}

/** An indicator by day, from scratch for every day; `second` is the series of `with`. */
export function indicatorOf(
  fn: IndicatorName,
  params: FunctionParams,
  series: Series,
  second?: Series,
): Series {
  const own = (name: string) => Number((params as Record<string, unknown>)[name] ?? PRESETS[name]);
  if (fn === 'correlation' || fn === 'beta') return pairOf(fn, own('window'), series, second ?? []);
  if (/^(?:macd|ppo)/.test(fn)) return lineOf(fn, own('fast'), own('slow'), own('signal'), series);
  if (fn === 'exponential-moving-average-price') return averageOf(series, own('window'));
  const first = firstOf(series);
  return series.map((value, t) => {
    if (value === null) return null;
    return valueAt(fn, own('window'), own('deviations'), series.slice(first, t + 1) as number[]);
  });
}

/** The value on the day of the last of `prices`; null: too few of them. */
function valueAt(
  fn: IndicatorName,
  window: number,
  deviations: number,
  prices: readonly number[],
): number | null {
  const count = prices.length;
  const back = (days: number) => prices[count - 1 - days] as number;
  const gain = (days: number) => 100 * (back(0) / back(days) - 1);
  if (fn === 'current-price') return back(0);
  if (fn === 'momentum-13612w')
    return count < 253 ? null : (12 * gain(21) + 4 * gain(63) + 2 * gain(126) + gain(252)) / 4;
  if (fn === 'momentum-13612u') return count < 253 ? null : (gain(21) + gain(63) + gain(126) + gain(252)) / 4;
  if (count < window) return null;
  const last = prices.slice(count - window);
  const mean = sum(last) / window;
  switch (fn) {
    case 'moving-average-price':
      return mean;
    case 'standard-deviation-price':
      return deviation(last);
    case 'z-score': {
      // By distances from the first price: with a window of 2 every value is ±1/√2, and a small move of a
      // high price would lose the digits that make two of them equal.
      const distances = last.map((price) => price - (last[0] as number));
      const away = (distances[window - 1] as number) - sum(distances) / window;
      return deviation(distances) === 0 ? 0 : away / deviation(distances);
    }
    case 'bollinger-upper':
      return mean + deviations * deviation(last);
    case 'bollinger-lower':
      return mean - deviations * deviation(last);
    case 'current-drawdown':
      return 100 * (1 - back(0) / Math.max(...last));
    case 'max-drawdown':
      return 100 * Math.max(...last.map((high, i) => 1 - Math.min(...last.slice(i)) / high));
    default:
  }
  if (count < window + 1) return null;
  const returns = Array.from({ length: window }, (_, i) => back(i) / back(i + 1) - 1);
  switch (fn) {
    case 'cumulative-return':
      return gain(window);
    case 'moving-average-return':
      return (100 * sum(returns)) / window;
    case 'standard-deviation-return':
      return 100 * deviation(returns);
    case 'aroon-up':
    case 'aroon-down': {
      const isUp = fn === 'aroon-up';
      let since = 0;
      for (let days = 1; days <= window; days++) {
        const [price, best] = [back(days), back(since)];
        if (!same(price, best) && price > best === isUp) since = days;
      }
      return (100 * (window - since)) / window;
    }
    default:
      return strengthOf(window, prices);
  }
}

/** RSI, smoothed as Wilder does, over the whole history. */
function strengthOf(window: number, prices: readonly number[]): number {
  let [up, down] = [0, 0];
  prices.forEach((price, i) => {
    if (i === 0) return;
    const change = price - (prices[i - 1] as number);
    const [rise, fall] = [Math.max(change, 0), Math.max(-change, 0)];
    const kept = i <= window ? 1 : (window - 1) / window;
    up = up * kept + rise / window;
    down = down * kept + fall / window;
  });
  return up + down === 0 ? 50 : 100 * (up / (up + down));
}

/** An exponential average of a series: the plain mean of its first values, recursive after. */
function averageOf(series: Series, window: number): Series {
  const first = firstOf(series);
  const alpha = 2 / (window + 1);
  let average = 0;
  return series.map((value, t) => {
    const count = t - first + 1;
    if (value === null || count < window) return null;
    average =
      count === window
        ? sum(series.slice(first, t + 1) as number[]) / window
        : alpha * value + (1 - alpha) * average;
    return average;
  });
}

/** MACD and PPO, their signals and what is between both. */
function lineOf(fn: IndicatorName, fast: number, slow: number, signal: number, series: Series): Series {
  const [quick, calm] = [averageOf(series, fast), averageOf(series, slow)];
  const isShare = fn.startsWith('ppo');
  const line = series.map((_, t) => {
    const [a, b] = [quick[t] ?? null, calm[t] ?? null];
    if (a === null || b === null) return null;
    if (same(a, b)) return 0;
    return isShare ? (100 * (a - b)) / b : a - b;
  });
  if (fn === 'macd' || fn === 'ppo') return line;
  const signals = averageOf(line, signal);
  if (fn.endsWith('signal')) return signals;
  return line.map((value, t) => {
    const average = signals[t] ?? null;
    if (value === null || average === null) return null;
    const size = isShare ? 100 : Math.max(quick[t] ?? 0, calm[t] ?? 0);
    return Math.abs(value - average) <= EQUAL * size ? 0 : value - average;
  });
}

/** Correlation and beta, on the days that both series have. */
function pairOf(fn: 'correlation' | 'beta', window: number, series: Series, second: Series): Series {
  const both = series.map((value, t) => (value === null || (second[t] ?? null) === null ? null : t));
  const first = firstOf(both);
  return both.map((isThere, t) => {
    if (isThere === null || t - first < window) return null;
    const returns = (of: Series) =>
      Array.from({ length: window }, (_, i) => (of[t - i] as number) / (of[t - i - 1] as number) - 1);
    const [x, y] = [returns(series), returns(second)];
    const [dx, dy] = [deviation(x), deviation(y)];
    if (dx === 0 || dy === 0) return 0;
    const [mx, my] = [sum(x) / window, sum(y) / window];
    const covariance = sum(x.map((value, i) => (value - mx) * ((y[i] as number) - my))) / (window - 1);
    return covariance / (fn === 'beta' ? dy * dy : dx * dy);
  });
}
