import { dot, squaresAround, sumOf } from './describe.ts';
import { upperQuantile } from './normal.ts';

/**
 * Mean squared correlation between pairs of series: how much a family of them resembles each other, whatever
 * the sign. What independent series of this length would show by chance is taken off. NaN for fewer than two
 * series that vary.
 *
 * @param sample daily returns of some of the series, all of one length
 */
export function meanSquaredCorrelation(sample: readonly Float64Array[]): number {
  const days = sample[0]?.length ?? 0;
  const varying = sample.flatMap((values) => normalised(values) ?? []);
  let sum = 0;
  for (const [i, one] of varying.entries())
    for (let j = 0; j < i; j += 1) sum += Math.min(1, dot(one, varying[j] as Float64Array) ** 2);
  const pairs = (varying.length * (varying.length - 1)) / 2;
  const chance = days > 2 ? 1 / (days - 1) : 0;
  return pairs > 0 ? Math.max(0, (sum / pairs - chance) / (1 - chance)) : Number.NaN;
}

/**
 * The values less their mean, with a sum of squares of 1, so that products of two series are correlations;
 * null where they do not vary.
 */
function normalised(values: Float64Array): Float64Array | null {
  const mean = sumOf(values) / values.length;
  const length = Math.sqrt(squaresAround(mean, values));
  if (length === 0) return null;
  const unit = new Float64Array(values.length);
  for (let day = 0; day < unit.length; day += 1) unit[day] = ((values[day] as number) - mean) / length;
  return unit;
}

/**
 * Number of independent series that a set of correlated ones amounts to: `N / (1 + (N - 1) m)`, with m the
 * mean squared correlation of pairs. It is the participation ratio of the eigenvalues of the correlation
 * matrix, `(Σλ)² / Σλ²` (C. S. Bretherton and others, "The Effective Number of Spatial Degrees of Freedom",
 * Journal of Climate 12 (1999)), carried over from a sample of the series to all N of them.
 *
 * @param squared mean squared correlation, as of `meanSquaredCorrelation`
 * @param count N, the number of all
 */
export const participationRatio = (squared: number, count: number): number =>
  count <= 1 ? Math.max(1, count) : count / (1 + (count - 1) * squared);

/**
 * Median of the largest of each draw over a set of standardised series, as a number of independent normal
 * ones with the same median.
 */
export function independentNormals(maxima: Float64Array): number {
  const sorted = Float64Array.from(maxima).sort();
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  // P(max of n <= median) = 1/2 = Φ(median)^n
  let low = 0;
  let high = 40;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    // The share above the median of the largest, without the loss of digits that `1 - Φ` would have.
    if (upperQuantile(-Math.expm1(-Math.LN2 / 2 ** middle)) < median) low = middle;
    else high = middle;
  }
  return Math.max(1, 2 ** low);
}

/**
 * Carries the number of independent normals from samples to all series: its growth with the number of series,
 * between a quarter of the sample and the whole, goes on as a power law. It never grows faster than the
 * number of series.
 */
export function extrapolatedTrials(
  { quarter, whole, sample }: { readonly quarter: number; readonly whole: number; readonly sample: number },
  count: number,
): number {
  if (count <= sample) return Math.min(count, whole);
  const growth = Math.min(1, Math.max(0, Math.log(whole / quarter) / Math.log(4)));
  return Math.min(count, whole * (count / sample) ** growth);
}
