import type { Rule } from '../rules.ts';
import { type Answer, FIGURES, type FigureName, type Timed, type Times, type Turn } from './protocol.ts';

/** Something that times a batch with one engine. */
export interface Runner {
  time(turn: Turn): Promise<Answer>;
}

/**
 * Which of the two engines runs, turn by turn: ABBA, the next round BAAB, so that a machine that slows down
 * or speeds up favours neither.
 */
export function turnsOfRound(round: number): ('before' | 'after')[] {
  return round % 2 === 0 ? ['before', 'after', 'after', 'before'] : ['after', 'before', 'before', 'after'];
}

/** What was measured of one batch under one rule, over all rounds. */
export interface Measured {
  readonly name: string;
  readonly rule: Rule;
  readonly before: Answer[];
  readonly after: Answer[];
}

/** Gives both engines their turns at a batch. */
export async function playRound(
  measured: Measured,
  runners: Readonly<Record<'before' | 'after', Runner>>,
  round: number,
  budget: number,
): Promise<void> {
  const { name, rule } = measured;
  for (const side of turnsOfRound(round)) {
    measured[side].push(await runners[side].time({ name, rule, budget }));
  }
}

/**
 * One figure of both engines: combinations per processor second of the best turn, and how many times as fast
 * the engine after is.
 */
export interface Figure {
  readonly figure: FigureName;
  readonly before: number;
  readonly after: number;
  /** By the best turns. */
  readonly best: number;
  /** By the medians of the turns. */
  readonly median: number;
}

export type Comparison =
  | {
      readonly kind: 'compared';
      readonly combinations: number;
      readonly figures: readonly Figure[];
      readonly differs: number;
    }
  /** The engine before cannot do it, or computes something else: then there is nothing to compare with. */
  | {
      readonly kind: 'alone';
      readonly combinations: number;
      readonly times: Readonly<Record<FigureName, number>>;
      readonly why: string;
    };

/** Rows are the same where no final value differs by more than this, relative to itself. */
const SAME = 1e-9;

/**
 * What the turns tell.
 * @throws Error where the engine after refuses the batch, and where a daily batch is not the same on both sides
 */
export function compared({ name, rule, before, after }: Measured): Comparison {
  const ours = after.map(timedOf);
  const [first] = ours;
  if (first === undefined || before.length === 0) throw new Error(`${name} was not measured`);
  const combinations = first.returns.length;
  const refusal = before.find((answer) => 'refusal' in answer)?.refusal ?? null;
  const theirs = refusal === null ? before.map(timedOf) : [];
  const differs = Math.max(...theirs.map(({ returns }) => distance(returns, first.returns)));
  if (refusal === null && differs <= SAME) {
    const figures = FIGURES.map((figure) =>
      figureOf(
        figure,
        combinations,
        theirs.map(({ times }) => times),
        ours.map(({ times }) => times),
      ),
    );
    return { kind: 'compared', combinations, figures, differs };
  }
  const why = refusal ?? `its final values differ by up to ${differs.toExponential(0)}`;
  if (rule === 'daily') throw new Error(`${name} does not compare: the engine before: ${why}`);
  const times = Object.fromEntries(
    FIGURES.map((figure) => [
      figure,
      perSecond(combinations, Math.min(...ours.map(({ times }) => times[figure]))),
    ]),
  ) as Record<FigureName, number>;
  return { kind: 'alone', combinations, times, why };
}

function timedOf(answer: Answer): Timed {
  if ('refusal' in answer) throw new Error(answer.refusal);
  return answer;
}

function figureOf(
  figure: FigureName,
  combinations: number,
  before: readonly Times[],
  after: readonly Times[],
): Figure {
  const [theirs, ours] = [before.map((times) => times[figure]), after.map((times) => times[figure])];
  const [least, least2] = [Math.min(...theirs), Math.min(...ours)];
  return {
    figure,
    before: perSecond(combinations, least),
    after: perSecond(combinations, least2),
    best: least / least2,
    median: median(theirs) / median(ours),
  };
}

function perSecond(combinations: number, ms: number): number {
  return (combinations / ms) * 1000;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/**
 * The largest relative difference of two lists of final values; infinite where they are not of the same
 * combinations.
 */
function distance(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  return a.reduce((most, value, i) => {
    const other = b[i] as number;
    if (Number.isNaN(value) && Number.isNaN(other)) return most;
    if (Number.isNaN(value) || Number.isNaN(other)) return Number.POSITIVE_INFINITY;
    return Math.max(most, Math.abs(value - other) / Math.max(1 + value, 1 + other, Number.MIN_VALUE));
  }, 0);
}

/** The figures whose ratio, by the best turns or by the medians, is below `least`. */
export function tooSlow({ figures }: { readonly figures: readonly Figure[] }, least: number): Figure[] {
  return figures.filter(({ best, median }) => !(Math.min(best, median) >= least));
}
