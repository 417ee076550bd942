import { addTo, dot, squaresAround, sumOf } from './describe.ts';

/**
 * Ordinary least squares with a constant, and standard errors that allow for heteroscedasticity and
 * autocorrelation.
 */
export interface LinearModel {
  /** The constant first, then one coefficient per regressor, in their order. */
  readonly coefficients: readonly number[];
  /** Newey-West standard errors, in the same order. */
  readonly errors: readonly number[];
  /** Coefficient over standard error; 0 where the error is 0. */
  readonly t: readonly number[];
  readonly residuals: Float64Array;
  /** Sample deviation of the residuals, with `n - k` in the denominator. */
  readonly residualDeviation: number;
  readonly rSquared: number;
  readonly lags: number;
}

/**
 * Lags for n observations: `floor(4 (n / 100)^(2/9))`. W. K. Newey and K. D. West, "Automatic Lag Selection
 * in Covariance Matrix Estimation", Review of Economic Studies 61 (1994).
 */
export function neweyWestLags(n: number): number {
  return Math.floor(4 * (n / 100) ** (2 / 9));
}

/** Inverse of a small symmetric matrix by Gauss-Jordan elimination with pivoting; null where it is singular. */
function inverse(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  const scale = Math.max(...matrix.map((row, i) => Math.abs(row[i] as number)));
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1)
      if (Math.abs(work[row]?.[column] as number) > Math.abs(work[pivot]?.[column] as number)) pivot = row;
    const [upper, lower] = [work[column] as number[], work[pivot] as number[]];
    work[column] = lower;
    work[pivot] = upper;
    const head = lower[column] as number;
    if (Math.abs(head) <= scale * 1e-13) return null;
    for (let j = 0; j < 2 * size; j += 1) lower[j] = (lower[j] as number) / head;
    for (const [row, values] of work.entries()) {
      if (row === column) continue;
      const factor = values[column] as number;
      if (factor !== 0)
        for (let j = 0; j < 2 * size; j += 1)
          values[j] = (values[j] as number) - factor * (lower[j] as number);
    }
  }
  return work.map((row) => row.slice(size));
}

const product = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] =>
  a.map((row) =>
    (b[0] as readonly number[]).map((_, j) =>
      row.reduce((sum, value, k) => sum + value * (b[k]?.[j] as number), 0),
    ),
  );

function products(values: Float64Array, others: Float64Array): Float64Array {
  const all = new Float64Array(values.length);
  for (let i = 0; i < all.length; i += 1) all[i] = (values[i] as number) * (others[i] as number);
  return all;
}

/** Sums of each `width` values in a row, with zeros before the first and behind the last: `n + width - 1` of them. */
function windowSums(values: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(values.length + width - 1);
  let sum = 0;
  for (let i = 0; i < sums.length; i += 1) {
    if (i < values.length) sum += values[i] as number;
    if (i >= width) sum -= values[i - width] as number;
    sums[i] = sum;
  }
  return sums;
}

/**
 * Regresses `y` on a constant and the regressors. W. K. Newey and K. D. West, "A Simple, Positive
 * Semi-Definite, Heteroskedasticity and Autocorrelation Consistent Covariance Matrix", Econometrica 55
 * (1987): Bartlett weights `1 - l / (lags + 1)`, no correction for small samples.
 *
 * @param y n values
 * @param regressors each n values
 * @returns null where there are too few values, or the regressors are collinear
 */
export function linearModel(
  y: Float64Array,
  regressors: readonly Float64Array[],
  { lags = neweyWestLags(y.length) }: { readonly lags?: number } = {},
): LinearModel | null {
  const n = y.length;
  const k = regressors.length + 1;
  if (n <= k + 1) return null;
  const columns = [new Float64Array(n).fill(1), ...regressors];
  const right = columns.map((column) => dot(column, y));
  const cross = columns.map((column) => columns.map((other) => dot(column, other)));
  const bread = inverse(cross);
  if (!bread) return null;
  const coefficients = bread.map((row) =>
    row.reduce((sum, value, j) => sum + value * (right[j] as number), 0),
  );

  const residuals = Float64Array.from(y);
  for (const [i, column] of columns.entries()) addTo(residuals, column, -(coefficients[i] as number));
  const squares = dot(residuals, residuals);
  const total = squaresAround(sumOf(y) / n, y);

  // What each day adds to the score of each coefficient. Bartlett's weights are those of sums over windows of
  // `lags + 1` days, multiplied with each other.
  const windows = columns.map((column) => windowSums(products(column, residuals), lags + 1));
  const meat = windows.map((window) => windows.map((other) => dot(window, other) / (lags + 1)));
  const covariance = product(product(bread, meat), bread);
  const errors = covariance.map((row, i) => Math.sqrt(Math.max(0, row[i] as number)));
  return {
    coefficients,
    errors,
    t: coefficients.map((value, i) => ((errors[i] as number) > 0 ? value / (errors[i] as number) : 0)),
    residuals,
    residualDeviation: Math.sqrt(squares / (n - k)),
    rSquared: total > 0 ? 1 - squares / total : 1,
    lags,
  };
}
