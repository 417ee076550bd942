import { squaresAround } from './describe.ts';
import type { Resampled } from './stationary-bootstrap.ts';

/**
 * Variance of the mean of a series, times n, as a stationary bootstrap with this mean run length would show
 * it: autocovariances weighted by Politis and Romano's κ (Hansen 2005, section 3.1).
 */
export function longRunVariance(values: Float64Array, blockLength: number): number {
  const n = values.length;
  let mean = 0;
  for (const value of values) mean += value / n;
  const p = 1 / Math.max(1, blockLength);
  // Weights die away from both ends of the lags; those in the middle change nothing that can be seen, and
  // would make the cost quadratic.
  const reach = Math.ceil(Math.log(1e-7) / Math.log(1 - Math.min(p, 0.999_999)));
  let variance = 0;
  for (let lag = 0; lag < n; lag += 1) {
    if (lag > reach && lag < n - reach) lag = n - reach;
    let product = 0;
    for (let day = lag; day < n; day += 1)
      product += ((values[day] as number) - mean) * ((values[day - lag] as number) - mean);
    const kappa = (1 - lag / n) * (1 - p) ** lag + (lag / n) * (1 - p) ** (n - lag);
    variance += ((lag === 0 ? 1 : 2) * kappa * product) / n;
  }
  return Math.max(variance, 0);
}

/** Population variance; 1 where the series does not move, which leaves a variance of 0 as it is. */
function plainVariance({ values, mean }: Resampled): number {
  const squares = squaresAround(mean, values);
  return squares > 0 ? squares / values.length : 1;
}

/** Variance of the mean of a series, times the number of days, over the draws of a bootstrap. */
export function drawnVariance({ values, mean, drawn }: Resampled): number {
  return (values.length * squaresAround(mean, drawn)) / drawn.length;
}

export interface SuperiorAbility {
  /** Probability of a best mean as large as this one if none were above 0: Hansen's consistent p-value. */
  readonly p: number;
  /** Hansen's lower and White's upper p-value. */
  readonly lower: number;
  readonly upper: number;
  /**
   * White's upper p-value of the first series: of a best mean as large as *its own*, whichever is the best.
   * Never below `upper`.
   */
  readonly first: number;
  /** Series that are above 0 with a family-wise error rate of 5%, by stepwise testing; ascending. */
  readonly superior: readonly number[];
}

const quantileOf = (values: Float64Array, share: number): number => {
  const sorted = Float64Array.from(values).sort();
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  return low + (place - below) * ((sorted[Math.min(below + 1, sorted.length - 1)] as number) - low);
};

/**
 * Tests whether the best of many series has a mean above 0, and which have. P. R. Hansen, "A Test for
 * Superior Predictive Ability", Journal of Business & Economic Statistics 23 (2005); J. P. Romano and M.
 * Wolf, "Stepwise Multiple Testing as Formalized Data Snooping", Econometrica 73 (2005).
 *
 * @param series daily gains over what they are measured against, all of one length, in the draws of one
 *   stationary bootstrap
 * @param blockLength mean run length of the draws, in days; of use only where it is not studentised
 * @param studentize divide by each series' own long-run deviation, so that loud series do not hide quiet
 *   ones; at least by its plain one
 */
export function superiorAbility(
  series: readonly Resampled[],
  {
    studentize,
    blockLength = 1,
    size = 0.05,
  }: { readonly studentize: boolean; readonly blockLength?: number; readonly size?: number },
): SuperiorAbility {
  const days = series[0]?.values.length ?? 0;
  const draws = series[0]?.drawn.length ?? 0;
  if (days < 10 || draws === 0)
    return { p: Number.NaN, lower: Number.NaN, upper: Number.NaN, first: Number.NaN, superior: [] };
  const means = Float64Array.from(series, ({ mean }) => mean);
  // The draws tell it as well, and cheaply; for the plain statistic it is computed as the papers do.
  const variances = Float64Array.from(series, (one) =>
    studentize ? drawnVariance(one) : longRunVariance(one.values, blockLength),
  );
  const scale = Float64Array.from(variances, (variance) => {
    const deviation = Math.sqrt(variance / days);
    return studentize ? (deviation > 0 ? 1 / deviation : 0) : 1;
  });
  const cut = Math.sqrt(2 * Math.log(Math.log(days)));
  const centre = (i: number, kind: 'lower' | 'consistent' | 'upper'): number => {
    const mean = means[i] as number;
    if (kind === 'upper') return mean;
    if (kind === 'lower') return Math.max(mean, 0);
    return mean >= -cut * Math.sqrt((variances[i] as number) / days) ? mean : 0;
  };
  const maxima = (kind: 'lower' | 'consistent' | 'upper', among: readonly number[]): Float64Array => {
    const result = new Float64Array(draws).fill(Number.NEGATIVE_INFINITY);
    for (const i of among) {
      const [center, factor] = [centre(i, kind), scale[i] as number];
      const { drawn } = series[i] as Resampled;
      for (let draw = 0; draw < draws; draw += 1) {
        const value = ((drawn[draw] as number) - center) * factor;
        if (value > (result[draw] as number)) result[draw] = value;
      }
    }
    return result;
  };
  // A series whose long-run variance came out small by chance would look clear by it: its own statistic never
  // rests on less than its plain variance.
  const caution = Float64Array.from(series, (one, i) =>
    studentize ? Math.sqrt(Math.min(1, (variances[i] as number) / plainVariance(one))) : 1,
  );
  const statistic = (i: number) => (means[i] as number) * (scale[i] as number) * (caution[i] as number);
  const all = Array.from(means.keys());
  const best = Math.max(...all.map(statistic));
  const share = (largest: Float64Array, border: number) =>
    largest.reduce((sum, value) => sum + (value > border ? 1 : 0), 0) / draws;

  const superior = new Set<number>();
  for (;;) {
    const rest = all.filter((i) => !superior.has(i));
    if (rest.length === 0) break;
    const critical = quantileOf(maxima('consistent', rest), 1 - size);
    const better = rest.filter((i) => statistic(i) > critical);
    if (better.length === 0) break;
    for (const i of better) superior.add(i);
  }
  const upper = maxima('upper', all);
  return {
    p: share(maxima('consistent', all), best),
    lower: share(maxima('lower', all), best),
    upper: share(upper, best),
    first: share(upper, statistic(0)),
    superior: [...superior].sort((a, b) => a - b),
  };
}
