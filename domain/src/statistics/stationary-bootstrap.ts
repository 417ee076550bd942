import { Random } from '../market-data/demo/deterministic.ts';

/**
 * One resampling of a series as runs of consecutive days: day `starts[i]`, then the days behind it,
 * `lengths[i]` of them in all, wrapping from the last day to the first. The lengths add up to the number of days.
 */
export interface BootstrapDraw {
  readonly starts: Int32Array;
  readonly lengths: Int32Array;
}

/**
 * Mean length of the runs, in days: long enough for the memory that daily returns have, and growing as the
 * third root of the number of days, as the length with the least error does (D. N. Politis and H. White,
 * "Automatic Block-Length Selection for the Dependent Bootstrap", Econometric Reviews 23 (2004)).
 */
export const usualBlockLength = (days: number): number => Math.max(5, Math.ceil(1.75 * days ** (1 / 3)));

/**
 * Draws of the stationary bootstrap: runs that begin on a random day and end after each day with probability
 * `1 / blockLength`. D. N. Politis and J. P. Romano, "The Stationary Bootstrap", Journal of the American
 * Statistical Association 89 (1994). Deterministic by `seed`.
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
  const runLength = runLengths(random, blockLength);
  return Array.from({ length: draws }, () => {
    const starts: number[] = [];
    const lengths: number[] = [];
    for (let left = days; left > 0; left -= lengths.at(-1) as number) {
      lengths.push(Math.min(left, runLength()));
      starts.push(random.below(days));
    }
    return { starts: Int32Array.from(starts), lengths: Int32Array.from(lengths) };
  });
}

/**
 * Lengths of runs that end after each day with probability `1 / blockLength`: the geometric distribution, by
 * the inverse of its distribution function.
 */
export function runLengths(random: Random, blockLength: number): () => number {
  const ends = Math.log1p(-1 / blockLength);
  return () => (blockLength <= 1 ? 1 : 1 + Math.floor(Math.log1p(-random.uniform()) / ends));
}

/** A series, and what its mean might as well have been. */
export interface Resampled {
  readonly values: Float64Array;
  readonly mean: number;
  /** Its mean in each draw of a bootstrap. */
  readonly drawn: Float64Array;
}

/** Series whose running totals lie side by side: what all of them need of a day is one line of a cache then. */
const TOGETHER = 8;

/**
 * The mean of each series in each draw. Runs are sums between two running totals, so that the cost is that of
 * the runs, not of the days.
 *
 * @param series all of one length
 */
export function resample(
  series: readonly Float64Array[],
  draws: readonly BootstrapDraw[],
): readonly Resampled[] {
  const days = series[0]?.length ?? 0;
  const totals = new Float64Array((days + 1) * TOGETHER);
  const sums = new Float64Array(TOGETHER);
  const resampled: Resampled[] = [];
  for (let first = 0; first < series.length; first += TOGETHER) {
    const some = series.slice(first, first + TOGETHER);
    for (const [i, values] of some.entries()) addTotals(totals, i, values);
    const drawn = some.map(() => new Float64Array(draws.length));
    for (let draw = 0; draw < draws.length; draw += 1) {
      sumRuns(draws[draw] as BootstrapDraw, totals, days, sums);
      for (let i = 0; i < drawn.length; i += 1) (drawn[i] as Float64Array)[draw] = (sums[i] as number) / days;
    }
    for (const [i, values] of some.entries())
      resampled.push({
        values,
        mean: (totals[days * TOGETHER + i] as number) / days,
        drawn: drawn[i] as Float64Array,
      });
  }
  return resampled;
}

/** Writes the running totals of a series into its place among those of `TOGETHER` series. */
function addTotals(totals: Float64Array, place: number, values: Float64Array): void {
  let total = 0;
  for (let day = 0; day < values.length; day += 1) {
    total += values[day] as number;
    totals[(day + 1) * TOGETHER + place] = total;
  }
}

/** Sums of the days of one draw of `TOGETHER` series, from their running totals. */
function sumRuns(
  { starts, lengths }: BootstrapDraw,
  totals: Float64Array,
  days: number,
  sums: Float64Array,
): void {
  sums.fill(0);
  const all = days * TOGETHER;
  for (let run = 0; run < starts.length; run += 1) {
    const start = (starts[run] as number) * TOGETHER;
    const end = start + (lengths[run] as number) * TOGETHER;
    const wraps = end > all;
    const last = wraps ? end - all : end;
    for (let i = 0; i < TOGETHER; i += 1)
      sums[i] = (sums[i] as number) + (totals[last + i] as number) - (totals[start + i] as number);
    if (wraps)
      for (let i = 0; i < TOGETHER; i += 1) sums[i] = (sums[i] as number) + (totals[all + i] as number);
  }
}
