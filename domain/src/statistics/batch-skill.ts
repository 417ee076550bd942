import { confidenceSet } from './confidence-set.ts';
import { meanSquaredCorrelation } from './equivalent-trials.ts';
import { normalCdf } from './normal.ts';
import {
  askForSkill,
  type RowAlpha,
  type RowKind,
  rowAlpha,
  type SkillBasis,
  type TimingAlpha,
  timingAlpha,
} from './skill.ts';
import { stationaryBootstrap } from './stationary-bootstrap.ts';

/** Daily returns of one row by day, as it was computed again. */
export interface RowReturns {
  readonly combination: number;
  /** Increasing; any unit that is the same for all rows. */
  readonly days: Float64Array;
  readonly returns: Float64Array;
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
  readonly benchmark: { readonly days: Float64Array; readonly returns: Float64Array };
  readonly cash: { readonly days: Float64Array; readonly returns: Float64Array };
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
  /** Mean squared correlation of the daily returns between rows drawn at random, and how many of these; null where there are too few. */
  readonly likeness: { readonly squared: number; readonly rows: number } | null;
  readonly superiorAbility: number;
  /** Rows whose alpha is above 0 at a family-wise error of 5 %. */
  readonly superior: number;
  /** Combinations that cannot be told from the best at a level of 5 %, by alpha, the largest first. */
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

type Series = { readonly days: Float64Array; readonly returns: Float64Array };

const byDay = ({ days, returns }: Series): Map<number, number> =>
  new Map(Array.from(days, (day, i) => [day, returns[i] as number]));

/** The returns on some days; null where one of them is missing or is no number. */
function on(days: readonly number[], series: ReadonlyMap<number, number>): Float64Array | null {
  const returns = Float64Array.from(days, (day) => series.get(day) ?? Number.NaN);
  return returns.every(Number.isFinite) ? returns : null;
}

/**
 * Asks for the skill of the best row by Sharpe ratio that is a strategy at all (`askForSkill`): cash, the benchmark and mixes of both cannot win. All
 * rows are compared on the judged row's days; one that covers less than 90 % of them is left out.
 */
export function testBatchSkill(input: SkillRows): BatchSkill | NoStrategy {
  const benchmark = byDay(input.benchmark);
  const cash = byDay(input.cash);
  const measure = (series: Series): { days: number[]; alpha: RowAlpha } | null => {
    const returns = byDay(series);
    const days = [...returns.keys()].filter((day) => benchmark.has(day) && cash.has(day));
    if (days.length < MIN_DAYS) return null;
    const [own, market, bills] = [on(days, returns), on(days, benchmark), on(days, cash)];
    const alpha = own && market && bills && rowAlpha(own, market, bills);
    return alpha ? { days, alpha } : null;
  };
  let bestKind: RowKind | null = null;
  let judged: { row: RowReturns; days: number[] } | null = null;
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

  const series = new Map<number, ReadonlyMap<number, number>>();
  for (const row of [winner, ...input.chosen, ...input.random]) {
    if (series.has(row.combination)) continue;
    const returns = byDay(row);
    const covered = wanted.filter((day) => returns.has(day)).length;
    if (covered >= COVERED * wanted.length) series.set(row.combination, returns);
  }
  const days = wanted.filter((day) => [...series.values()].every((returns) => returns.has(day)));
  const [market, bills] = [on(days, benchmark), on(days, cash)];
  if (days.length < MIN_DAYS || !market || !bills) return { bestKind };
  const alphas = new Map<number, RowAlpha>();
  let notStrategies = 0;
  for (const [combination, returns] of series) {
    const own = on(days, returns);
    const alpha = own && rowAlpha(own, market, bills);
    if (!alpha) continue;
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
  const beyond = order.map((combination) => (alphas.get(combination) as RowAlpha).beyond);
  const isWhole = input.random.length === 0 && input.chosen.length >= input.rows;
  const rows = isWhole ? beyond.length : input.rows;
  const answer = askForSkill({
    beyond,
    drawnAtRandom: random.length,
    rows: Math.max(rows, isWhole ? 0 : beyond.length + 1),
    trials: rows,
    t: alpha.t,
    seed: input.seed,
  });
  const draws = stationaryBootstrap({
    days: days.length,
    blockLength: answer.blockLength,
    draws: 500,
    seed: input.seed,
  });
  const different = [...alphas.values()].map((one) => one.beyond);
  const combinations = [...alphas.keys()];
  const likeness = [...new Set(isWhole ? combinations : random)]
    .slice(0, MOST_ALIKE)
    .flatMap((combination) => on(days, series.get(combination) ?? new Map()) ?? []);
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
    confidenceSet: confidenceSet(different, draws)
      .filter(({ p }) => p >= LEVEL)
      .map(({ index }) => combinations[index] as number)
      .sort((a, b) => (alphas.get(b)?.alpha ?? 0) - (alphas.get(a)?.alpha ?? 0) || a - b),
  };
}

/** `timingAlpha` on the days that all four series have, with its one-sided p-value; null where there are too few of them. */
export function timingOf(
  row: Series,
  against: { readonly ownMix: Series; readonly benchmark: Series; readonly cash: Series },
): (TimingAlpha & { readonly p: number }) | null {
  const [own, mix, benchmark, cash] = [row, against.ownMix, against.benchmark, against.cash].map(byDay);
  if (!own || !mix || !benchmark || !cash) return null;
  const days = [...own.keys()].filter((day) => mix.has(day) && benchmark.has(day) && cash.has(day));
  if (days.length < MIN_DAYS) return null;
  const [returns, ownMix, market, bills] = [
    on(days, own),
    on(days, mix),
    on(days, benchmark),
    on(days, cash),
  ];
  const timing =
    returns && ownMix && market && bills && timingAlpha(returns, { ownMix, benchmark: market, cash: bills });
  return timing ? { ...timing, p: timing.isStatic ? 1 : 1 - normalCdf(timing.t) } : null;
}
