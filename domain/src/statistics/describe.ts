/** Figures of one column; NaN values (failed combinations, undefined metrics) are left out of all of them. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation; NaN for fewer than 2 values. */
  readonly deviation: number;
  readonly min: number;
  readonly max: number;
}

/** What 1 has grown to after some returns. */
export const grownBy = (returns: Float64Array): number => returns.reduce((value, r) => value * (1 + r), 1);

/** Count, mean, sample deviation (Welford's update, so that it does not cancel), extremes. */
export function momentsOf(values: ArrayLike<number>): Moments {
  let count = 0;
  let mean = 0;
  let square = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (Number.isNaN(value)) continue;
    count += 1;
    const delta = value - mean;
    mean += delta / count;
    square += delta * (value - mean);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return {
    count,
    mean: count > 0 ? mean : Number.NaN,
    deviation: count > 1 ? Math.sqrt(square / (count - 1)) : Number.NaN,
    min: count > 0 ? min : Number.NaN,
    max: count > 0 ? max : Number.NaN,
  };
}

/** Number of values, and population skewness and kurtosis (3 for normal ones); 0 and 3 where they do not vary. */
export function shapeOf(values: ArrayLike<number>): {
  readonly n: number;
  readonly skewness: number;
  readonly kurtosis: number;
} {
  const n = values.length;
  const { mean } = momentsOf(values);
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let i = 0; i < n; i += 1) {
    const away = (values[i] as number) - mean;
    second += away ** 2 / n;
    third += away ** 3 / n;
    fourth += away ** 4 / n;
  }
  return second > 0
    ? { n, skewness: third / second ** 1.5, kurtosis: fourth / second ** 2 }
    : { n, skewness: 0, kurtosis: 3 };
}

/** The values that are numbers, ascending. */
export function sortedNumbers(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value)).sort();
}

/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan, 1996); NaN for an
 * empty list.
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const at = (sorted.length - 1) * p;
  const low = Math.floor(at);
  const high = Math.min(sorted.length - 1, low + 1);
  return (sorted[low] as number) + (at - low) * ((sorted[high] as number) - (sorted[low] as number));
}

/** Median of the numbers among the values; reorders nothing. */
export function medianOf(values: Float64Array): number {
  return quantile(sortedNumbers(values), 0.5);
}

/**
 * Sum of the products of two series. Four sums side by side: a processor need not wait for one addition
 * before it begins the next.
 */
export function dot(values: Float64Array, others: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < values.length; i += 4) {
    a += (values[i] as number) * (others[i] as number);
    b += (values[i + 1] as number) * (others[i + 1] as number);
    c += (values[i + 2] as number) * (others[i + 2] as number);
    d += (values[i + 3] as number) * (others[i + 3] as number);
  }
  for (; i < values.length; i += 1) a += (values[i] as number) * (others[i] as number);
  return a + b + (c + d);
}

/** Sum of a series, four sums side by side as in `dot`. */
export function sumOf(values: Float64Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < values.length; i += 4) {
    a += values[i] as number;
    b += values[i + 1] as number;
    c += values[i + 2] as number;
    d += values[i + 3] as number;
  }
  for (; i < values.length; i += 1) a += values[i] as number;
  return a + b + (c + d);
}

/** Mean of a series; 0 where it is empty. */
export const meanOf = (values: Float64Array): number =>
  values.length > 0 ? sumOf(values) / values.length : 0;

/** Sum of the squared distances of a series from a value. */
export function squaresAround(centre: number, values: Float64Array): number {
  let a = 0;
  let b = 0;
  let i = 0;
  for (; i + 1 < values.length; i += 2) {
    a += ((values[i] as number) - centre) ** 2;
    b += ((values[i + 1] as number) - centre) ** 2;
  }
  if (i < values.length) a += ((values[i] as number) - centre) ** 2;
  return a + b;
}

/** Adds a multiple of each value to the sum in its place. */
export function addTo(sums: Float64Array, values: Float64Array, factor = 1): void {
  for (let i = 0; i < sums.length; i += 1) sums[i] = (sums[i] as number) + factor * (values[i] as number);
}

/** Pearson's correlation over the pairs of which both are numbers; NaN where one side does not vary. */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let n = 0;
  let meanX = 0;
  let meanY = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i += 1) {
    const a = x[i] as number;
    const b = y[i] as number;
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    n += 1;
    const dx = a - meanX;
    const dy = b - meanY;
    meanX += dx / n;
    meanY += dy / n;
    xx += dx * (a - meanX);
    yy += dy * (b - meanY);
    xy += dx * (b - meanY);
  }
  return xx > 0 && yy > 0 ? Math.min(1, Math.max(-1, xy / Math.sqrt(xx * yy))) : Number.NaN;
}

/** Ranks from 1, ties share the mean rank; NaN stays NaN. */
export function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values.keys()).filter((i) => !Number.isNaN(values[i] as number));
  order.sort((a, b) => (values[a] as number) - (values[b] as number));
  const out = new Float64Array(values.length).fill(Number.NaN);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to += 1;
    for (let i = from; i < to; i += 1) out[order[i] as number] = (from + 1 + to) / 2;
    from = to;
  }
  return out;
}

/** Spearman's rank correlation over the pairs of which both are numbers. */
export function rankCorrelation(x: Float64Array, y: Float64Array): number {
  const bothX = x.map((value, i) => (Number.isNaN(y[i] as number) ? Number.NaN : value));
  const bothY = y.map((value, i) => (Number.isNaN(x[i] as number) ? Number.NaN : value));
  return correlation(ranks(bothX), ranks(bothY));
}
