import { type BlockSums, type UsableSums, usableSums } from './block-sums.ts';
import { Halves } from './halves.ts';

/** Result of combinatorially symmetric cross-validation. */
export interface OverfittingResult {
  /**
   * Share of the splits in which the best strategy in sample is not above the median out of sample; NaN where
   * it cannot be computed.
   */
  readonly pbo: number;
  /** Number of splits; 252 for 10 blocks. */
  readonly splits: number;
  readonly blocks: number;
  /** Strategies compared. */
  readonly rows: number;
  /** Logit of the relative rank out of sample of each split's winner. */
  readonly logits: Float64Array;
  /** Daily Sharpe ratios of each split's winner, in and out of sample. */
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
  /**
   * Slope of the least-squares line of out-of-sample on in-sample Sharpe ratio over the splits: below 0,
   * better looks mean worse results.
   */
  readonly degradationSlope: number;
  /** Share of the splits in which the winner loses money out of sample. */
  readonly probabilityOfLoss: number;
}

const NOTHING: OverfittingResult = {
  pbo: Number.NaN,
  splits: 0,
  blocks: 0,
  rows: 0,
  logits: new Float64Array(0),
  inSample: new Float64Array(0),
  outOfSample: new Float64Array(0),
  degradationSlope: Number.NaN,
  probabilityOfLoss: Number.NaN,
};

/** Some of the usable rows, by their place among them; `to` exclusive. */
export interface RowPart {
  readonly from: number;
  readonly to: number;
}

/** The best row of every split, and its score. */
export interface SplitWinners {
  /** Rows that have a score in every half. */
  readonly taking: number;
  readonly rows: Int32Array;
  readonly scores: Float64Array;
}

/** How many rows are below the winner of each half, seen from the other half, and how many not above it. */
export interface SplitRanks {
  readonly below: Int32Array;
  readonly atMost: Int32Array;
}

/** Whether there are too few blocks or rows to cross-validate. */
export const isTooLittle = ({ blocks, rows }: UsableSums) => blocks.length < 4 || rows.length < 2;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: every half of the blocks
 * is once the sample in which the best strategy is chosen, and the other half shows how it ranks among all.
 * D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu, "The Probability of Backtest Overfitting",
 * Journal of Computational Finance 20 (2017), section 3. The measure is the Sharpe ratio.
 *
 * Two passes over the rows: `winnersOf` finds the winner of every split, `ranksOf` ranks it. Both work on
 * parts of the rows, side by side on several threads if one likes: put together in order, they are the same to the bit.
 */
export function overfittingOf(sums: BlockSums, usable: UsableSums = usableSums(sums)): OverfittingResult {
  const all = { from: 0, to: usable.rows.length };
  const winners = winnersOf(sums, usable, all);
  return conclusionOf(sums, usable, winners, ranksOf(sums, usable, winners, all));
}

/** First pass: the winners among a part of the rows. */
export function winnersOf(sums: BlockSums, usable: UsableSums, { from, to }: RowPart): SplitWinners {
  if (isTooLittle(usable)) return { taking: 0, rows: new Int32Array(0), scores: new Float64Array(0) };
  const halves = new Halves(sums, usable.blocks);
  const { scores } = halves;
  const splits = scores.length;
  const winners = new Int32Array(splits).fill(-1);
  const best = new Float64Array(splits).fill(Number.NEGATIVE_INFINITY);
  let taking = 0;
  for (let i = from; i < to; i += 1) {
    if (!halves.score(usable.rows[i] as number)) continue;
    taking += 1;
    contend(usable.rows[i] as number, scores, best, winners);
  }
  return { taking, rows: winners, scores: best };
}

/** Lets a row contend for every half by its scores: where one is above `best` it takes the place in both lists. */
export function contend(row: number, scores: Float64Array, best: Float64Array, winners: Int32Array): void {
  for (let half = 0; half < scores.length; half += 1) {
    const score = scores[half] as number;
    if (score <= (best[half] as number)) continue;
    winners[half] = row;
    best[half] = score;
  }
}

/** Counts the scores of a row where they are below the mark of the half, and where they are not above it. */
export function rank(scores: Float64Array, marks: Float64Array, { below, atMost }: SplitRanks): void {
  // Counted without a branch, which would be guessed wrong half of the time.
  for (let half = 0; half < scores.length; half += 1) {
    const score = scores[half] as number;
    const mark = marks[half] as number;
    below[half] = (below[half] as number) + Number(score < mark);
    atMost[half] = (atMost[half] as number) + Number(score <= mark);
  }
}

/** The winners among all rows from those of parts, in the parts' order: the first of equals wins. */
export function allWinners(parts: readonly SplitWinners[]): SplitWinners {
  const [first, ...others] = parts;
  if (!first) return { taking: 0, rows: new Int32Array(0), scores: new Float64Array(0) };
  const rows = Int32Array.from(first.rows);
  const scores = Float64Array.from(first.scores);
  let { taking } = first;
  for (const part of others) {
    taking += part.taking;
    for (const [split, score] of part.scores.entries()) {
      if (score <= (scores[split] as number)) continue;
      scores[split] = score;
      rows[split] = part.rows[split] as number;
    }
  }
  return { taking, rows, scores };
}

/** Second pass: where the winners rank within a part of the rows. */
export function ranksOf(
  sums: BlockSums,
  usable: UsableSums,
  winners: SplitWinners,
  { from, to }: RowPart,
): SplitRanks {
  const splits = winners.rows.length;
  const below = new Int32Array(splits);
  const atMost = new Int32Array(splits);
  if (winners.taking < 2) return { below, atMost };
  const halves = new Halves(sums, usable.blocks);
  const { scores } = halves;
  const own = halves.ownScores(winners.rows);
  const marks = marksOf(own);
  for (let i = from; i < to; i += 1) {
    if (!halves.score(usable.rows[i] as number)) continue;
    rank(scores, marks, { below, atMost });
  }
  return { below, atMost };
}

/** What rows are ranked by in each half: the score in it of the row that won the other half. */
export function marksOf(ownScores: Float64Array): Float64Array {
  // Out of sample a split is looked at from its other half.
  return Float64Array.from(ownScores.keys(), (half) => ownScores[half ^ 1] as number);
}

/** The ranks within all rows from those within parts. */
export function allRanks(parts: readonly SplitRanks[]): SplitRanks {
  const sum = (of: (part: SplitRanks) => Int32Array) =>
    (parts[0] ? of(parts[0]) : new Int32Array(0)).map((_, i) =>
      parts.reduce((total, part) => total + (of(part)[i] as number), 0),
    );
  return { below: sum(({ below }) => below), atMost: sum(({ atMost }) => atMost) };
}

/** What follows from both passes. */
export function conclusionOf(
  sums: BlockSums,
  usable: UsableSums,
  winners: SplitWinners,
  { below, atMost }: SplitRanks,
): OverfittingResult {
  const { taking, scores: best } = winners;
  if (isTooLittle(usable) || taking < 2) return NOTHING;
  const splits = best.length;
  const own = new Halves(sums, usable.blocks).ownScores(winners.rows);
  const logits = new Float64Array(splits);
  let notAbove = 0;
  let losses = 0;
  for (let split = 0; split < splits; split += 1) {
    // Ranks 1..N, ties in the middle; the relative rank stays inside (0, 1).
    const half = split ^ 1;
    const relative = ((below[half] as number) + (atMost[half] as number) + 1) / 2 / (taking + 1);
    logits[split] = Math.log(relative / (1 - relative));
    if (relative <= 0.5) notAbove += 1;
    if ((own[split] as number) < 0) losses += 1;
  }
  const inSample = best.map(sharpeOfScore);
  const outOfSample = own.map(sharpeOfScore);
  return {
    pbo: notAbove / splits,
    splits,
    blocks: usable.blocks.length,
    rows: taking,
    logits,
    inSample,
    outOfSample,
    degradationSlope: slope(inSample, outOfSample),
    probabilityOfLoss: losses / splits,
  };
}

/** A score is the square of the Sharpe ratio with its sign: it ranks the same and spares a root. */
const sharpeOfScore = (score: number): number => Math.sign(score) * Math.sqrt(Math.abs(score));

/** Slope of the least-squares line of y on x; NaN where x does not vary. */
export function slope(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  let meanX = 0;
  let meanY = 0;
  for (let i = 0; i < n; i += 1) {
    meanX += (x[i] as number) / n;
    meanY += (y[i] as number) / n;
  }
  let cross = 0;
  let square = 0;
  for (let i = 0; i < n; i += 1) {
    const dx = (x[i] as number) - meanX;
    cross += dx * ((y[i] as number) - meanY);
    square += dx * dx;
  }
  return square > 0 ? cross / square : Number.NaN;
}
