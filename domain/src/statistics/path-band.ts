import { Random } from '../market-data/demo/deterministic.ts';
import { runLengths, usualBlockLength } from './stationary-bootstrap.ts';

/** Two edges of a band by day: what 1 has become after 1, 2, … days. */
export interface Edges {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

export interface PathBandQuestion {
  /** Days ahead. */
  readonly horizon: number;
  readonly draws: number;
  readonly seed: string;
  /** For example 0.9: one in ten paths leaves the band on some day. */
  readonly levels: readonly number[];
}

/** Of a step. */
const [DRAWS_AT_ONCE, DAYS_AT_ONCE] = [50, 8];

/** Bands for whole paths, by how many of the drawn paths stay within all the time. */
export interface PathBand {
  readonly blockLength: number;
  /** In the order of the levels. */
  readonly edges: readonly Edges[];
}

/**
 * Bands that a series stays within over all of the next days with a given probability, if these are like those before.
 *
 * Paths are runs of consecutive days of the past (stationary bootstrap, see `stationary-bootstrap.ts`). Since
 * the mean of the past is itself known from so many days only, each path is moved, day by day, by how far the
 * mean of a bootstrap sample as long as the past is from the past's own: log growth after t days is
 * `Σ g*_s + t (ḡ − ḡ*)` (the bootstrap of prediction errors; M. Wolf and D. Wunderli, "Bootstrap Joint
 * Prediction Regions", Journal of Time Series Analysis 36 (2015)). The edges are the k-th smallest and the
 * k-th largest path of each day, with the largest k for which the share `level` of the paths is between them
 * on every day (the rank envelope; M. Myllymäki, T. Mrkvička, P. Grabarnik, H. Seijo and U. Hahn, "Global
 * envelope tests for spatial processes", Journal of the Royal Statistical Society B 79 (2017)). Deterministic
 * by `seed`.
 *
 * @param returns of each day of the past, as fractions above -1; at least one
 */
export function pathBand(returns: Float64Array, question: PathBandQuestion): PathBand {
  const steps = pathBandInSteps(returns, question);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same in steps of a few milliseconds, so that a thread that serves others as well can do so in between. */
export function* pathBandInSteps(
  returns: Float64Array,
  { horizon, draws, seed, levels }: PathBandQuestion,
): Generator<undefined, PathBand> {
  const growth = returns.map((value) => Math.log1p(value));
  const blockLength = usualBlockLength(growth.length);
  const paths = yield* drawPaths(growth, { horizon, draws, seed, blockLength });
  const sorted: Float64Array[] = [];
  const ranks = new Int32Array(draws).fill(draws);
  for (let t = 0; t < horizon; t += 1) {
    if (t % DAYS_AT_ONCE === 0) yield;
    const column = paths.subarray(t * draws, (t + 1) * draws).toSorted();
    sorted.push(column);
    for (let draw = 0; draw < draws; draw += 1) {
      const value = paths[t * draws + draw] as number;
      const rank = Math.min(countUpTo(column, value), draws - countBelow(column, value));
      if (rank < (ranks[draw] as number)) ranks[draw] = rank;
    }
  }
  const worst = ranks.toSorted().reverse();
  const edges = levels.map((level): Edges => {
    const k = worst[Math.ceil(level * draws) - 1] as number;
    const edge = (place: number) => sorted.map((column) => Math.exp(column[place] as number));
    return { lower: edge(k - 1), upper: edge(draws - k) };
  });
  return { blockLength, edges };
}

/** Log growth of each path after each day: index `t * draws + draw`. */
function* drawPaths(
  growth: Float64Array,
  {
    horizon,
    draws,
    seed,
    blockLength,
  }: {
    readonly horizon: number;
    readonly draws: number;
    readonly seed: string;
    readonly blockLength: number;
  },
): Generator<undefined, Float64Array> {
  const days = growth.length;
  const totals = new Float64Array(days + 1);
  for (let day = 0; day < days; day += 1) totals[day + 1] = (totals[day] as number) + (growth[day] as number);
  const all = totals[days] as number;
  const random = new Random(seed);
  const runLength = runLengths(random, blockLength);
  const paths = new Float64Array(horizon * draws);
  for (let draw = 0; draw < draws; draw += 1) {
    if (draw % DRAWS_AT_ONCE === 0) yield;
    let sample = 0;
    for (let drawn = 0; drawn < days; ) {
      const length = Math.min(runLength(), days - drawn);
      const start = random.below(days);
      const end = start + length;
      sample +=
        end <= days
          ? (totals[end] as number) - (totals[start] as number)
          : all - (totals[start] as number) + (totals[end - days] as number);
      drawn += length;
    }
    const shift = (all - sample) / days;
    let value = 0;
    let left = 0;
    let at = 0;
    for (let t = 0; t < horizon; t += 1) {
      if (left === 0) {
        left = runLength();
        at = random.below(days);
      }
      value += (growth[at] as number) + shift;
      at = at + 1 === days ? 0 : at + 1;
      left -= 1;
      paths[t * draws + draw] = value;
    }
  }
  return paths;
}

/** How many of the ascending values are at most this one. */
function countUpTo(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the ascending values are less than this one. */
function countBelow(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
