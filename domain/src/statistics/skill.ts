import { addTo, squaresAround, sumOf } from './describe.ts';
import { extrapolatedTrials, independentNormals } from './equivalent-trials.ts';
import { type LinearModel, linearModel } from './linear-model.ts';
import { normalCdf } from './normal.ts';
import { TRADING_DAYS } from './sharpe.ts';
import { type Resampled, resample, stationaryBootstrap, usualBlockLength } from './stationary-bootstrap.ts';
import { drawnVariance, superiorAbility } from './superior-ability.ts';

/** What a row is, before anybody asks whether it is good. */
export type RowKind = 'cash' | 'benchmark' | 'mix' | 'strategy';

/** Deviation a year below which a row is cash. */
export const CASH_DEVIATION = 0.01;
/** Deviation a year, beyond the benchmark, below which a row is the benchmark, or a mix of it and cash. */
export const MIX_DEVIATION = 0.005;
const BETA_OF_ONE = 0.02;

/** Alpha of a row: what is left of its return over cash after its exposure to the benchmark. */
export interface RowAlpha {
  readonly kind: RowKind;
  /** A year, as a fraction; with its Newey-West standard error. */
  readonly alpha: number;
  readonly alphaError: number;
  readonly t: number;
  readonly beta: number;
  readonly betaError: number;
  /** Deviation a year of what is left. */
  readonly residualDeviation: number;
  /** Alpha over that deviation (appraisal ratio). */
  readonly appraisal: number;
  /** Sharpe ratio of the return over cash. */
  readonly excessSharpe: number;
  readonly correlation: number;
  /** Daily alpha plus residual: the returns beyond exposure. */
  readonly beyond: Float64Array;
}

// Loops in place of `map` and `reduce`: those make an object of each number, which is most of what this would cost.
function minus(a: Float64Array, b: Float64Array): Float64Array {
  const rest = Float64Array.from(a);
  addTo(rest, b, -1);
  return rest;
}

function plus(values: Float64Array, constant: number): Float64Array {
  const moved = new Float64Array(values.length);
  for (let day = 0; day < moved.length; day += 1) moved[day] = (values[day] as number) + constant;
  return moved;
}

/** Sample deviation and mean. */
function spread(values: Float64Array): { mean: number; deviation: number } {
  const mean = sumOf(values) / values.length;
  return { mean, deviation: Math.sqrt(squaresAround(mean, values) / (values.length - 1)) };
}

/**
 * Regresses a row's daily return over cash on the benchmark's: M. C. Jensen, "The Performance of Mutual Funds
 * in the Period 1945-1964", Journal of Finance 23 (1968), with Newey-West errors.
 *
 * @param returns daily returns of the row; `benchmark` and `cash` those of the same days
 * @returns null where there are too few days, or the benchmark does not move
 */
export function rowAlpha(
  returns: Float64Array,
  benchmark: Float64Array,
  cash: Float64Array,
): RowAlpha | null {
  const excess = minus(returns, cash);
  const market = minus(benchmark, cash);
  const model: LinearModel | null = linearModel(excess, [market]);
  if (!model) return null;
  const [alpha = 0, beta = 0] = model.coefficients;
  const [alphaError = 0, betaError = 0] = model.errors;
  const own = spread(excess);
  const year = Math.sqrt(TRADING_DAYS);
  const residualDeviation = model.residualDeviation * year;
  const kind: RowKind =
    own.deviation * year < CASH_DEVIATION
      ? 'cash'
      : residualDeviation < MIX_DEVIATION
        ? Math.abs(beta - 1) < BETA_OF_ONE
          ? 'benchmark'
          : 'mix'
        : 'strategy';
  return {
    kind,
    alpha: alpha * TRADING_DAYS,
    alphaError: alphaError * TRADING_DAYS,
    t: alphaError > 0 ? alpha / alphaError : 0,
    beta,
    betaError,
    residualDeviation,
    appraisal: residualDeviation > 0 ? (alpha * TRADING_DAYS) / residualDeviation : 0,
    excessSharpe: own.deviation > 0 ? (own.mean / own.deviation) * year : 0,
    correlation: (beta >= 0 ? 1 : -1) * Math.sqrt(Math.max(0, model.rSquared)),
    beyond: plus(model.residuals, alpha),
  };
}

export interface SkillQuestion {
  /**
   * Daily returns beyond exposure of the rows that were computed again (`resampledBeyond`). The first is the
   * one that is judged.
   */
  readonly beyond: readonly Resampled[];
  /**
   * How many of them, from the second on, were drawn at random from all rows; the others were chosen because
   * they are good.
   */
  readonly drawnAtRandom: number;
  /** Different rows of the batch that ran. */
  readonly rows: number;
  /** Everything that was tried in the lineage, this batch included. */
  readonly trials: number;
  /** t statistic of the first row's alpha. */
  readonly t: number;
}

export interface SkillAnswer {
  /** Probability of a best alpha as clear as this one if none of the trials had any. */
  readonly p: number;
  /** As if it had been the only trial. */
  readonly single: number;
  /** Independent trials that all trials amount to. */
  readonly equivalentTrials: number;
  /** p-values of the test for superior ability among the rows that were computed again. */
  readonly superiorAbility: { readonly lower: number; readonly p: number; readonly upper: number };
  /** Places in `beyond` of the rows whose alpha is above 0 at a family-wise error of 5%. */
  readonly superior: readonly number[];
  /** What `p` follows from, for whoever keeps the answer while the number of trials grows. */
  readonly basis: SkillBasis;
}

/** What the probability of a best alpha by luck follows from, but for the number of trials. Plain data. */
export interface SkillBasis {
  readonly single: number;
  /**
   * White's p-value of the judged row over the rows that were computed again: its own, not that of the best
   * of them.
   */
  readonly upper: number;
  /** All different rows that ran were computed again. */
  readonly isWhole: boolean;
  readonly rows: number;
  /**
   * Independent normals that a random sample, and a quarter of it, amount to; null where the sample is too
   * small to measure.
   */
  readonly measured: { readonly quarter: number; readonly whole: number; readonly sample: number } | null;
}

/** The measure finds 178 of 200 independent trials on average (decision 0316): it is lifted by as much. */
const FOUND_SHORT = 200 / 178;

/**
 * Probability that the best of so many independent trials is as clear as this by luck, from that of a single
 * one (Z. Šidák, JASA 62, 1967).
 */
export const bestByLuck = (single: number, trials: number): number =>
  -Math.expm1(trials * Math.log1p(-Math.min(single, 1 - 1e-16)));

/** Probability by luck alone, and the independent trials that `trials` amount to. See `askForSkill`. */
export function probabilityByLuck(
  { single, upper, isWhole, rows, measured }: SkillBasis,
  trials: number,
): { readonly p: number; readonly equivalentTrials: number } {
  const everything = Math.max(1, rows, trials);
  const equivalentTrials = measured
    ? Math.min(everything, FOUND_SHORT * extrapolatedTrials(measured, everything))
    : everything;
  const raised = bestByLuck(single, equivalentTrials);
  // What many trials make of it is never less than what one would.
  return { p: Math.max(single, upper, isWhole && trials <= rows ? 0 : raised), equivalentTrials };
}

const MIN_SAMPLE = 8;

/**
 * Mean of a series over its plain error, that of days without memory: what a deviation that came out small is
 * held to (decision 0246).
 */
function plainStatistic(values: Float64Array): number {
  if (values.length < 2) return Number.POSITIVE_INFINITY;
  const { mean, deviation } = spread(values);
  return deviation > 0 ? (mean / deviation) * Math.sqrt(values.length) : Number.POSITIVE_INFINITY;
}

/**
 * Daily returns beyond exposure, all over the same days, in the draws of a stationary bootstrap of the usual
 * run length.
 */
export function resampledBeyond(
  beyond: readonly Float64Array[],
  { seed, draws = 1000 }: { readonly seed: string; readonly draws?: number },
): readonly Resampled[] {
  const days = beyond[0]?.length ?? 0;
  return resample(beyond, stationaryBootstrap({ days, blockLength: usualBlockLength(days), draws, seed }));
}

/**
 * How probable a best alpha as clear as the judged row's is by luck alone, given how much was tried. Where
 * every row was computed again the answer is White's upper p-value in the studentised test for superior
 * ability, with the judged row's own statistic in place of the best one: a clear row beside it lends it
 * nothing. Else it is the p-value of the single row, raised to the number of independent trials, which is
 * measured on the random sample and carried over to all trials. The larger of the two holds.
 */
export function askForSkill(question: SkillQuestion): SkillAnswer {
  const { beyond, drawnAtRandom, rows, trials, t } = question;
  const [judged] = beyond;
  const ability = superiorAbility(beyond, { studentize: true });
  const single = 1 - normalCdf(Math.min(t, judged ? plainStatistic(judged.values) : t));
  const sample = beyond.slice(beyond.length - drawnAtRandom);
  const isWhole = beyond.length >= rows;
  const random = isWhole ? beyond : sample;
  const basis: SkillBasis = {
    single,
    upper: ability.first,
    isWhole,
    rows,
    measured: random.length < MIN_SAMPLE ? null : measuredNormals(random),
  };
  return {
    ...probabilityByLuck(basis, trials),
    single,
    superiorAbility: { lower: ability.lower, p: ability.p, upper: ability.upper },
    superior: ability.superior,
    basis,
  };
}

/**
 * Independent normals that a sample amounts to, and a quarter of it, by how large the best of each bootstrap
 * draw is.
 */
function measuredNormals(sample: readonly Resampled[]): NonNullable<SkillBasis['measured']> {
  const factors = sample.map((one) => {
    const variance = drawnVariance(one);
    return variance > 0 ? Math.sqrt(one.values.length / variance) : 0;
  });
  const maxima = (step: number): Float64Array => {
    const largest = new Float64Array(sample[0]?.drawn.length ?? 0).fill(Number.NEGATIVE_INFINITY);
    for (let i = 0; i < sample.length; i += step) {
      const { mean, drawn } = sample[i] as Resampled;
      const factor = factors[i] as number;
      for (let draw = 0; draw < drawn.length; draw += 1) {
        const value = ((drawn[draw] as number) - mean) * factor;
        if (value > (largest[draw] as number)) largest[draw] = value;
      }
    }
    return largest;
  };
  const whole = independentNormals(maxima(1));
  const quarter = Math.min(whole, independentNormals(maxima(4)));
  return { quarter, whole, sample: sample.length };
}

/** What is left of a row's return after the mix that it held on average: what its timing and choosing have added. */
export interface TimingAlpha {
  /** It held that mix all the time: nothing was timed or chosen. */
  readonly isStatic: boolean;
  /** A year, as a fraction. */
  readonly alpha: number;
  readonly t: number;
}

/**
 * Regresses a row's return over cash on the benchmark's and on that of its own average holdings, held all the
 * time. Bonds and gold have had returns beyond the exposure to shares; whoever held them has an alpha, and
 * whoever chose when to hold them has shown skill only if this one is above 0 too. In the spirit of W. G.
 * Fung and D. A. Hsieh's style regressions, with the row's own holdings as its style.
 *
 * @param ownMix daily returns of the row's average weights, cash included
 */
export function timingAlpha(
  returns: Float64Array,
  {
    ownMix,
    benchmark,
    cash,
  }: { readonly ownMix: Float64Array; readonly benchmark: Float64Array; readonly cash: Float64Array },
): TimingAlpha | null {
  const excess = minus(returns, cash);
  const own = minus(ownMix, cash);
  const model = linearModel(excess, [minus(benchmark, cash), own]) ?? linearModel(excess, [own]);
  if (!model) return null;
  const isStatic = model.residualDeviation * Math.sqrt(TRADING_DAYS) < MIX_DEVIATION;
  const [alpha = 0] = model.coefficients;
  return {
    isStatic,
    alpha: alpha * TRADING_DAYS,
    // A deviation that came out small is no evidence here either (decision 0246).
    t: isStatic ? 0 : Math.min(model.t[0] as number, plainStatistic(plus(model.residuals, alpha))),
  };
}
