/** Ordinary least squares with a constant, and standard errors that allow for heteroscedasticity and autocorrelation. */
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
 * Lags for n observations: `floor(4 (n / 100)^(2/9))`. W. K. Newey and K. D. West, "Automatic Lag Selection in Covariance Matrix
 * Estimation", Review of Economic Studies 61 (1994).
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

/**
 * Regresses `y` on a constant and the regressors. W. K. Newey and K. D. West, "A Simple, Positive Semi-Definite, Heteroskedasticity and
 * Autocorrelation Consistent Covariance Matrix", Econometrica 55 (1987): Bartlett weights `1 - l / (lags + 1)`, no correction for small samples.
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
  const at = (column: number, day: number) => (column === 0 ? 1 : (regressors[column - 1]?.[day] as number));
  const cross = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  const right = new Array<number>(k).fill(0);
  for (let day = 0; day < n; day += 1)
    for (let i = 0; i < k; i += 1) {
      const x = at(i, day);
      right[i] = (right[i] as number) + x * (y[day] as number);
      const row = cross[i] as number[];
      for (let j = 0; j <= i; j += 1) row[j] = (row[j] as number) + x * at(j, day);
    }
  for (let i = 0; i < k; i += 1)
    for (let j = i + 1; j < k; j += 1) (cross[i] as number[])[j] = cross[j]?.[i] as number;
  const bread = inverse(cross);
  if (!bread) return null;
  const coefficients = bread.map((row) =>
    row.reduce((sum, value, j) => sum + value * (right[j] as number), 0),
  );

  const residuals = new Float64Array(n);
  let mean = 0;
  for (let day = 0; day < n; day += 1) mean += (y[day] as number) / n;
  let squares = 0;
  let total = 0;
  for (let day = 0; day < n; day += 1) {
    let fitted = 0;
    for (let i = 0; i < k; i += 1) fitted += (coefficients[i] as number) * at(i, day);
    const residual = (y[day] as number) - fitted;
    residuals[day] = residual;
    squares += residual * residual;
    total += ((y[day] as number) - mean) ** 2;
  }

  const meat = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  for (let lag = 0; lag <= Math.min(lags, n - 1); lag += 1) {
    const weight = 1 - lag / (lags + 1);
    for (let i = 0; i < k; i += 1)
      for (let j = 0; j < k; j += 1) {
        let sum = 0;
        for (let day = lag; day < n; day += 1)
          sum +=
            at(i, day) * (residuals[day] as number) * at(j, day - lag) * (residuals[day - lag] as number);
        const row = meat[i] as number[];
        row[j] = (row[j] as number) + weight * sum;
        const mirrored = meat[j] as number[];
        if (lag > 0) mirrored[i] = (mirrored[i] as number) + weight * sum;
      }
  }
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
