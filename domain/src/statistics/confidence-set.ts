import { type BootstrapDraw, bootstrapMeans } from './stationary-bootstrap.ts';

/** One series and the level up to which it cannot be told from the best. */
export interface ConfidenceEntry {
  readonly index: number;
  /** In the set at every level below it; 1 for the best. */
  readonly p: number;
}

/**
 * The model confidence set: the series that cannot be told from the best one. P. R. Hansen, A. Lunde and J. M. Nason, "The Model Confidence
 * Set", Econometrica 79 (2011), with the statistic T_max: the worst is left out, one at a time, and its p-value is the largest so far.
 *
 * @param series daily returns; more is better; all of one length
 * @returns in the order in which they were left out, the best last
 */
export function confidenceSet(
  series: readonly Float64Array[],
  draws: readonly BootstrapDraw[],
): readonly ConfidenceEntry[] {
  const count = series.length;
  const days = series[0]?.length ?? 0;
  if (count === 0 || days === 0) return [];
  const means = Float64Array.from(series, (values) => values.reduce((sum, value) => sum + value, 0) / days);
  // Losses, as in the paper: the mean of a draw less that of the sample, with its sign changed.
  const drawn = bootstrapMeans(series, draws);
  const errors = new Float64Array(draws.length * count);
  for (let draw = 0; draw < draws.length; draw += 1)
    for (let i = 0; i < count; i += 1)
      errors[draw * count + i] = (means[i] as number) - (drawn[draw * count + i] as number);

  // What rounding leaves of equal series.
  const nothing = 1e-12 * errors.reduce((largestError, error) => Math.max(largestError, Math.abs(error)), 0);

  const entries: ConfidenceEntry[] = [];
  const included = Array.from(means.keys());
  let largest = 0;
  const grand = new Float64Array(draws.length);
  while (included.length > 1) {
    let mean = 0;
    for (const i of included) mean += (means[i] as number) / included.length;
    for (let draw = 0; draw < draws.length; draw += 1) {
      let sum = 0;
      for (const i of included) sum += errors[draw * count + i] as number;
      grand[draw] = sum / included.length;
    }
    const simulated = new Float64Array(draws.length).fill(Number.NEGATIVE_INFINITY);
    let statistic = Number.NEGATIVE_INFINITY;
    let worst = 0;
    for (const [place, i] of included.entries()) {
      let squares = 0;
      for (let draw = 0; draw < draws.length; draw += 1)
        squares += ((errors[draw * count + i] as number) - (grand[draw] as number)) ** 2;
      const deviation = Math.sqrt(squares / draws.length);
      if (deviation <= nothing) continue;
      for (let draw = 0; draw < draws.length; draw += 1) {
        const value = ((errors[draw * count + i] as number) - (grand[draw] as number)) / deviation;
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
    const p = simulated.reduce((sum, value) => sum + (statistic < value ? 1 : 0), 0) / draws.length;
    largest = Math.max(largest, p);
    entries.push({ index: included[worst] as number, p: largest });
    included.splice(worst, 1);
  }
  for (const index of included) entries.push({ index, p: 1 });
  return entries;
}
