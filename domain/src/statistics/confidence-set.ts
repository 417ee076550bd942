import { addTo } from './describe.ts';
import type { Resampled } from './stationary-bootstrap.ts';

/** One series and the level up to which it cannot be told from the best. */
export interface ConfidenceEntry {
  readonly index: number;
  /** In the set at every level below it; 1 for the best. */
  readonly p: number;
}

/**
 * The model confidence set: the series that cannot be told from the best one. P. R. Hansen, A. Lunde and J.
 * M. Nason, "The Model Confidence Set", Econometrica 79 (2011), with the statistic T_max: the worst is left
 * out, one at a time, and its p-value is the largest so far.
 *
 * @param series daily returns, more is better, all of one length, in the draws of one stationary bootstrap
 * @returns in the order in which they were left out, the best last
 */
export function confidenceSet(series: readonly Resampled[]): readonly ConfidenceEntry[] {
  const draws = series[0]?.drawn.length ?? 0;
  const means = series.map(({ mean }) => mean);
  // Losses, as in the paper: the mean of a draw less that of the sample, with its sign changed.
  const errors = series.map(({ mean, drawn }) => drawn.map((value) => mean - value));

  // What rounding leaves of equal series.
  const nothing = 1e-12 * Math.max(...errors.map(largestOf));

  const entries: ConfidenceEntry[] = [];
  const included = Array.from(means.keys());
  let largest = 0;
  const grand = new Float64Array(draws);
  while (included.length > 1) {
    let mean = 0;
    for (const i of included) mean += (means[i] as number) / included.length;
    grand.fill(0);
    for (const i of included) addTo(grand, errors[i] as Float64Array);
    for (let draw = 0; draw < draws; draw += 1) grand[draw] = (grand[draw] as number) / included.length;
    const simulated = new Float64Array(draws).fill(Number.NEGATIVE_INFINITY);
    let statistic = Number.NEGATIVE_INFINITY;
    let worst = 0;
    for (const [place, i] of included.entries()) {
      const error = errors[i] as Float64Array;
      let squares = 0;
      for (let draw = 0; draw < draws; draw += 1)
        squares += ((error[draw] as number) - (grand[draw] as number)) ** 2;
      const deviation = Math.sqrt(squares / draws);
      if (deviation <= nothing) continue;
      for (let draw = 0; draw < draws; draw += 1) {
        const value = ((error[draw] as number) - (grand[draw] as number)) / deviation;
        if (value > (simulated[draw] as number)) simulated[draw] = value;
      }
      const own = (mean - (means[i] as number)) / deviation;
      if (own > statistic) {
        statistic = own;
        worst = place;
      }
    }
    // Equal series: none of them can be told from the others.
    if (statistic === Number.NEGATIVE_INFINITY) break;
    let clearer = 0;
    for (let draw = 0; draw < draws; draw += 1) if (statistic < (simulated[draw] as number)) clearer += 1;
    const p = clearer / draws;
    largest = Math.max(largest, p);
    entries.push({ index: included[worst] as number, p: largest });
    included.splice(worst, 1);
  }
  for (const index of included) entries.push({ index, p: 1 });
  return entries;
}

const largestOf = (values: Float64Array): number =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
