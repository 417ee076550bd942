import { type BlockSums, MIN_VARIANCE, type UsableSums, usableSums } from './block-sums.ts';

/** Result of combinatorially symmetric cross-validation. */
export interface OverfittingResult {
  /** Share of the splits in which the best strategy in sample is not above the median out of sample; NaN where it cannot be computed. */
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
  /** Slope of the least-squares line of out-of-sample on in-sample Sharpe ratio over the splits: below 0, better looks mean worse results. */
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

/** All ways to choose half of `count` blocks that contain block 0, as bit masks; their complements are the other half. */
export function halfSplits(count: number): number[] {
  const masks: number[] = [];
  for (let mask = 1; mask < 1 << count; mask += 2) {
    let bits = 0;
    for (let rest = mask; rest > 0; rest &= rest - 1) bits += 1;
    if (bits === count / 2) masks.push(mask);
  }
  return masks;
}

/** Rows between two turns for others. */
const TURN = 4_096;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: every half of the blocks is once the sample in which the best
 * strategy is chosen, and the other half shows how it ranks among all. D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu, "The Probability of
 * Backtest Overfitting", Journal of Computational Finance 20 (2017), section 3. The measure is the Sharpe ratio.
 *
 * Two passes over the rows: the first finds the winner of every split, the second ranks it. Yields the share that is done, so that a caller
 * can let others have a turn.
 */
export function* overfitting(
  sums: BlockSums,
  usable: UsableSums = usableSums(sums),
): Generator<number, OverfittingResult> {
  const { blocks, rows } = usable;
  if (blocks.length < 4 || rows.length < 2) return NOTHING;
  const halves = new Halves(sums, blocks);
  const splits = halves.masks.length * 2;
  const winners = new Int32Array(splits).fill(-1);
  const best = new Float64Array(splits);
  const { scores } = halves;
  let taking = 0;
  for (let i = 0; i < rows.length; i += 1) {
    if (i % TURN === 0) yield i / rows.length / 2;
    if (!halves.score(rows[i] as number)) continue;
    taking += 1;
    for (let split = 0; split < splits; split += 1) {
      const score = scores[split] as number;
      if ((winners[split] as number) >= 0 && score <= (best[split] as number)) continue;
      winners[split] = rows[i] as number;
      best[split] = score;
    }
  }
  if (taking < 2) return NOTHING;
  const own = new Float64Array(splits);
  for (let split = 0; split < splits; split += 1) {
    halves.score(winners[split] as number);
    own[split] = scores[split ^ 1] as number;
  }
  const below = new Int32Array(splits);
  const equal = new Int32Array(splits);
  for (let i = 0; i < rows.length; i += 1) {
    if (i % TURN === 0) yield 0.5 + i / rows.length / 2;
    if (!halves.score(rows[i] as number)) continue;
    for (let split = 0; split < splits; split += 1) {
      const score = scores[split ^ 1] as number;
      if (score < (own[split] as number)) below[split] = (below[split] as number) + 1;
      else if (score === own[split]) equal[split] = (equal[split] as number) + 1;
    }
  }
  const logits = new Float64Array(splits);
  let notAbove = 0;
  let losses = 0;
  for (let split = 0; split < splits; split += 1) {
    // Ranks 1..N, ties in the middle; the relative rank stays inside (0, 1).
    const relative = ((below[split] as number) + ((equal[split] as number) + 1) / 2) / (taking + 1);
    logits[split] = Math.log(relative / (1 - relative));
    if (relative <= 0.5) notAbove += 1;
    if ((own[split] as number) < 0) losses += 1;
  }
  const inSample = best.map(sharpeOfScore);
  const outOfSample = own.map(sharpeOfScore);
  return {
    pbo: notAbove / splits,
    splits,
    blocks: blocks.length,
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

/**
 * Scores of one row in all halves at a time. The sums over any set of blocks are the sum of two table entries, one for the lower and one for the upper
 * blocks; the other half is the rest of the whole.
 */
class Halves {
  readonly masks: readonly number[];
  /** Entry 2i: the blocks of `masks[i]`; entry 2i + 1: all others. */
  readonly scores: Float64Array;
  readonly #sums: BlockSums;
  readonly #blocks: readonly number[];
  readonly #low: number;
  readonly #lowTable: Float64Array;
  readonly #highTable: Float64Array;

  constructor(sums: BlockSums, blocks: readonly number[]) {
    this.masks = halfSplits(blocks.length);
    this.scores = new Float64Array(this.masks.length * 2);
    this.#sums = sums;
    this.#blocks = blocks;
    this.#low = blocks.length >> 1;
    this.#lowTable = new Float64Array(3 << this.#low);
    this.#highTable = new Float64Array(3 << (blocks.length - this.#low));
  }

  /** Fills `scores`; false for a row that has no deviation in some half and therefore takes no part. */
  score(row: number): boolean {
    const blocks = this.#blocks;
    const low = this.#low;
    this.#fill(this.#lowTable, row, 0, low);
    this.#fill(this.#highTable, row, low, blocks.length);
    const lowTable = this.#lowTable;
    const highTable = this.#highTable;
    const lastLow = lowTable.length - 3;
    const lastHigh = highTable.length - 3;
    const count = (lowTable[lastLow] as number) + (highTable[lastHigh] as number);
    const sum = (lowTable[lastLow + 1] as number) + (highTable[lastHigh + 1] as number);
    const squares = (lowTable[lastLow + 2] as number) + (highTable[lastHigh + 2] as number);
    const lowBits = (1 << low) - 1;
    for (let i = 0; i < this.masks.length; i += 1) {
      const mask = this.masks[i] as number;
      const a = (mask & lowBits) * 3;
      const b = (mask >> low) * 3;
      const n = (lowTable[a] as number) + (highTable[b] as number);
      const s = (lowTable[a + 1] as number) + (highTable[b + 1] as number);
      const q = (lowTable[a + 2] as number) + (highTable[b + 2] as number);
      const left = scoreOf(n, s, q);
      const right = scoreOf(count - n, sum - s, squares - q);
      if (Number.isNaN(left) || Number.isNaN(right)) return false;
      this.scores[2 * i] = left;
      this.scores[2 * i + 1] = right;
    }
    return true;
  }

  /** Count, sum and sum of squares of every subset of the blocks `from` to `to`. */
  #fill(table: Float64Array, row: number, from: number, to: number): void {
    const { rows: stride, counts, sums, squares } = this.#sums;
    for (let b = from; b < to; b += 1) {
      const at = (this.#blocks[b] as number) * stride + row;
      const [n, s, q] = [counts[at] as number, sums[at] as number, squares[at] as number];
      const width = 3 << (b - from);
      for (let i = 0; i < width; i += 3) {
        table[width + i] = (table[i] as number) + n;
        table[width + i + 1] = (table[i + 1] as number) + s;
        table[width + i + 2] = (table[i + 2] as number) + q;
      }
    }
  }
}

function scoreOf(count: number, sum: number, squares: number): number {
  if (count < 2) return Number.NaN;
  const mean = sum / count;
  const variance = (squares - sum * mean) / (count - 1);
  return variance > MIN_VARIANCE ? (mean * Math.abs(mean)) / variance : Number.NaN;
}

/** Runs the whole cross-validation at once. */
export function overfittingOf(sums: BlockSums): OverfittingResult {
  const run = overfitting(sums);
  for (;;) {
    const step = run.next();
    if (step.done) return step.value;
  }
}

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
