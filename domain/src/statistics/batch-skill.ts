import { confidenceSet } from './confidence-set.ts';
import { meanSquaredCorrelation } from './equivalent-trials.ts';
import { normalCdf } from './normal.ts';
import { type DailyReturns, returnsOn, sharedDays } from './shared-days.ts';
import {
  askForSkill,
  type RowAlpha,
  type RowKind,
  resampledBeyond,
  rowAlpha,
  type SkillBasis,
  type TimingAlpha,
  timingAlpha,
} from './skill.ts';
import type { Resampled } from './stationary-bootstrap.ts';

/** Daily returns of one row by day, as it was computed again. */
export interface RowReturns extends DailyReturns {
  readonly combination: number;
}

/** Rows of a batch that were computed again, with what they are measured against. */
export interface SkillRows {
  /** By Sharpe ratio, the best first. */
  readonly chosen: readonly RowReturns[];
  /** Drawn at random from all rows that ran; may repeat chosen ones. Empty where all rows are among the chosen. */
  readonly random: readonly RowReturns[];
  /** Rows of the batch that ran and are strategies, as far as what is stored of them shows. */
  readonly rows: number;
  /** Rows of the batch that ran. */
  readonly ran: number;
  readonly benchmark: DailyReturns;
  readonly cash: DailyReturns;
  readonly seed: string;
}

/** What the test of the judged row's alpha has found. Plain data. */
export interface BatchSkill {
  /** The row that is judged. */
  readonly combination: number;
  /** What the row with the best Sharpe ratio is; where it is no strategy, another one is judged. */
  readonly bestKind: RowKind;
  readonly days: number;
  /** Rows of the batch that ran. */
  readonly ran: number;
  /** Rows in the test, and rows left out because they are cash, the benchmark or a mix of both. */
  readonly rows: number;
  readonly notStrategies: number;
  readonly alpha: Omit<RowAlpha, 'beyond'>;
  readonly basis: SkillBasis;
  /**
   * Mean squared correlation of the daily returns between rows drawn at random, and how many of these; null
   * where there are too few.
   */
  readonly likeness: { readonly squared: number; readonly rows: number } | null;
  readonly superiorAbility: number;
  /** Rows whose alpha is above 0 at a family-wise error of 5%. */
  readonly superior: number;
  /** Combinations that cannot be told from the best at a level of 5%, by alpha, the largest first. */
  readonly confidenceSet: readonly number[];
}

/** No row is a strategy: what the best one is; null where nothing could be measured. */
export interface NoStrategy {
  readonly bestKind: RowKind | null;
}

/** Share of the judged row's days that another row needs to be compared. */
const COVERED = 0.9;
/** Daily returns below which nothing is said. */
const MIN_DAYS = 60;
/** Rows between which correlations are looked at: pairs grow with the square. */
const MOST_ALIKE = 100;
const LEVEL = 0.05;

/**
 * Asks for the skill of the best row by Sharpe ratio that is a strategy at all (`askForSkill`): cash, the
 * benchmark and mixes of both cannot win. All rows are compared on the judged row's days; one that covers
 * less than 90% of them is left out.
 */
export function testBatchSkill(input: SkillRows): BatchSkill | NoStrategy {
  const { benchmark, cash } = input;
  const traded = sharedDays(benchmark.days, cash.days);
  const measure = (row: RowReturns): { days: Float64Array; alpha: RowAlpha } | null => {
    const days = sharedDays(row.days, traded);
    if (days.length < MIN_DAYS) return null;
    const [own, market, bills] = [row, benchmark, cash].map((series) => returnsOn(days, series));
    const alpha = own && market && bills && rowAlpha(own, market, bills);
    return alpha ? { days, alpha } : null;
  };
  let bestKind: RowKind | null = null;
  let judged: { row: RowReturns; days: Float64Array } | null = null;
  for (const row of [...input.chosen, ...input.random]) {
    const measured = measure(row);
    if (!measured) continue;
    bestKind ??= measured.alpha.kind;
    if (measured.alpha.kind !== 'strategy') continue;
    judged = { row, days: measured.days };
    break;
  }
  if (!judged || !bestKind) return { bestKind };
  const { row: winner, days: wanted } = judged;

  const compared = new Map<number, RowReturns>();
  let days = wanted;
  for (const row of [winner, ...input.chosen, ...input.random]) {
    if (compared.has(row.combination)) continue;
    const covered = sharedDays(wanted, row.days);
    if (covered.length < COVERED * wanted.length) continue;
    compared.set(row.combination, row);
    days = sharedDays(days, covered);
  }
  const [market, bills] = [returnsOn(days, benchmark), returnsOn(days, cash)];
  if (days.length < MIN_DAYS || !market || !bills) return { bestKind };
  const returns = new Map<number, Float64Array>();
  const alphas = new Map<number, RowAlpha>();
  let notStrategies = 0;
  for (const [combination, row] of compared) {
    const own = returnsOn(days, row);
    const alpha = own && rowAlpha(own, market, bills);
    if (!alpha) continue;
    returns.set(combination, own);
    if (alpha.kind === 'strategy') alphas.set(combination, alpha);
    else notStrategies += 1;
  }
  const alpha = alphas.get(winner.combination);
  if (!alpha) return { bestKind };
  const random = input.random.map(({ combination }) => combination).filter((one) => alphas.has(one));
  const drawn = new Set(random);
  const others = [...alphas.keys()].filter((one) => one !== winner.combination && !drawn.has(one));
  // The judged row stands first, and where it was drawn at random in the sample once more.
  const order = [winner.combination, ...others, ...random];
  const combinations = [...alphas.keys()];
  const different = resampledBeyond(
    combinations.map((one) => (alphas.get(one) as RowAlpha).beyond),
    { seed: input.seed },
  );
  const byCombination = new Map(combinations.map((one, i) => [one, different[i] as Resampled]));
  const beyond = order.map((one) => byCombination.get(one) as Resampled);
  const isWhole = input.random.length === 0 && input.chosen.length >= input.rows;
  const rows = isWhole ? beyond.length : input.rows;
  const answer = askForSkill({
    beyond,
    drawnAtRandom: random.length,
    rows: Math.max(rows, isWhole ? 0 : beyond.length + 1),
    trials: rows,
    t: alpha.t,
  });
  const likeness = [...new Set(isWhole ? combinations : random)]
    .slice(0, MOST_ALIKE)
    .flatMap((combination) => returns.get(combination) ?? []);
  const squared = meanSquaredCorrelation(likeness);
  const { beyond: _, ...figures } = alpha;
  return {
    combination: winner.combination,
    bestKind,
    days: days.length,
    ran: input.ran,
    rows: different.length,
    notStrategies,
    alpha: figures,
    basis: { ...answer.basis, rows },
    likeness: Number.isNaN(squared) ? null : { squared, rows: likeness.length },
    superiorAbility: answer.superiorAbility.p,
    superior: new Set(answer.superior.map((place) => order[place])).size,
    confidenceSet: confidenceSet(different.map(withFewerDraws))
      .filter(({ p }) => p >= LEVEL)
      .map(({ index }) => combinations[index] as number)
      .sort((a, b) => (alphas.get(b)?.alpha ?? 0) - (alphas.get(a)?.alpha ?? 0) || a - b),
  };
}

/** The confidence set is computed once for each row that it leaves out: half of the draws tell it as well. */
const withFewerDraws = (row: Resampled): Resampled => ({ ...row, drawn: row.drawn.subarray(0, 500) });

/**
 * `timingAlpha` on the days that all four series have, with its one-sided p-value; null where there are too
 * few of them.
 */
export function timingOf(
  row: DailyReturns,
  against: { readonly ownMix: DailyReturns; readonly benchmark: DailyReturns; readonly cash: DailyReturns },
): (TimingAlpha & { readonly p: number }) | null {
  const { ownMix, benchmark, cash } = against;
  const days = [ownMix, benchmark, cash].reduce(
    (shared, series) => sharedDays(shared, series.days),
    row.days,
  );
  if (days.length < MIN_DAYS) return null;
  const [returns, mix, market, bills] = [row, ownMix, benchmark, cash].map((series) =>
    returnsOn(days, series),
  );
  const timing =
    returns &&
    mix &&
    market &&
    bills &&
    timingAlpha(returns, { ownMix: mix, benchmark: market, cash: bills });
  return timing ? { ...timing, p: timing.isStatic ? 1 : 1 - normalCdf(timing.t) } : null;
}
