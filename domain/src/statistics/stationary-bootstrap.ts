import { Random } from '../market-data/demo/deterministic.ts';

/**
 * One resampling of a series as runs of consecutive days: day `starts[i]`, then the days behind it, `lengths[i]` of them in all, wrapping from
 * the last day to the first. The lengths add up to the number of days.
 */
export interface BootstrapDraw {
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
}

/**
 * Mean length of the runs, in days: long enough for the memory that daily returns have, and growing as the third root of the number of days, as
 * the length with the least error does (D. N. Politis and H. White, "Automatic Block-Length Selection for the Dependent Bootstrap", Econometric Reviews 23 (2004)).
 */
export const usualBlockLength = (days: number): number => Math.max(5, Math.ceil(1.75 * days ** (1 / 3)));

/**
 * Draws of the stationary bootstrap: runs that begin on a random day and end after each day with probability `1 / blockLength`.
 * D. N. Politis and J. P. Romano, "The Stationary Bootstrap", Journal of the American Statistical Association 89 (1994). Deterministic by `seed`.
 *
 * @param days length of the series
 * @param blockLength mean length of a run, in days
 */
export function stationaryBootstrap({
  days,
  blockLength,
  draws,
  seed,
}: {
  readonly days: number;
  readonly blockLength: number;
  readonly draws: number;
  readonly seed: string;
}): readonly BootstrapDraw[] {
  const random = new Random(seed);
  const stop = 1 / Math.max(1, blockLength);
  return Array.from({ length: draws }, () => {
    const starts: number[] = [];
    const lengths: number[] = [];
    let drawn = 0;
    while (drawn < days) {
      let length = 1;
      while (random.uniform() >= stop && drawn + length < days) length += 1;
      starts.push(random.below(days));
      lengths.push(length);
      drawn += length;
    }
    return { starts: Int32Array.from(starts), lengths: Int32Array.from(lengths) };
  });
}

/**
 * Mean of each series in each draw. Runs are sums between two running totals, so that the cost is that of the runs, not of the days.
 *
 * @param series each of `days` values
 * @returns index `draw * series.length + i`
 */
export function bootstrapMeans(
  series: readonly Float64Array[],
  draws: readonly BootstrapDraw[],
): Float64Array {
  const means = new Float64Array(draws.length * series.length);
  const days = series[0]?.length ?? 0;
  const totals = new Float64Array(days + 1);
  for (const [i, values] of series.entries()) {
    for (let day = 0; day < days; day += 1)
      totals[day + 1] = (totals[day] as number) + (values[day] as number);
    const all = totals[days] as number;
    for (const [draw, { starts, lengths }] of draws.entries()) {
      let sum = 0;
      for (let run = 0; run < starts.length; run += 1) {
        const start = starts[run] as number;
        const end = start + (lengths[run] as number);
        sum +=
          end <= days
            ? (totals[end] as number) - (totals[start] as number)
            : all - (totals[start] as number) + (totals[end - days] as number);
      }
      means[draw * series.length + i] = sum / days;
    }
  }
  return means;
}
