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
  const best = new Float64Array(splits).fill(Number.NEGATIVE_INFINITY);
  const { scores } = halves;
  let taking = 0;
  for (let i = 0; i < rows.length; i += 1) {
    if (i % TURN === 0) yield i / rows.length / 2;
    if (!halves.score(rows[i] as number)) continue;
    taking += 1;
    for (let split = 0; split < splits; split += 1) {
      const score = scores[split] as number;
      if (score <= (best[split] as number)) continue;
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
  // Out of sample a split is looked at from its other half.
  const border = Float64Array.from(own.keys(), (half) => own[half ^ 1] as number);
  const below = new Int32Array(splits);
  const atMost = new Int32Array(splits);
  for (let i = 0; i < rows.length; i += 1) {
    if (i % TURN === 0) yield 0.5 + i / rows.length / 2;
    if (!halves.score(rows[i] as number)) continue;
    // Counted without a branch, which would be guessed wrong half of the time.
    for (let half = 0; half < splits; half += 1) {
      const score = scores[half] as number;
      const mark = border[half] as number;
      below[half] = (below[half] as number) + Number(score < mark);
      atMost[half] = (atMost[half] as number) + Number(score <= mark);
    }
  }
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

/** The sums over every subset of a few blocks, by bit mask. */
function fillSubsets(table: Float64Array, values: ArrayLike<number>, from: number, blocks: number): void {
  for (let b = 0; b < blocks; b += 1) {
    const value = values[from + b] as number;
    const width = 1 << b;
    for (let i = 0; i < width; i += 1) table[width + i] = (table[i] as number) + value;
  }
}

/**
 * Scores of one row in all halves at a time. The sums over any set of blocks are the sum of two table entries, one for the lower and one for the upper
 * blocks; the other half is the rest of the whole. What follows from the counts alone is kept, since most rows of a batch have the same ones.
 */
class Halves {
  readonly masks: readonly number[];
  /** Entry 2i: the blocks of `masks[i]`; entry 2i + 1: all others. */
  readonly scores: Float64Array;
  readonly #all: BlockSums;
  readonly #blocks: readonly number[];
  readonly #low: number;
  /** The lower and the upper bits of each mask. */
  readonly #lowMasks: Int32Array;
  readonly #highMasks: Int32Array;
  readonly #lowSums: Float64Array;
  readonly #highSums: Float64Array;
  readonly #lowSquares: Float64Array;
  readonly #highSquares: Float64Array;
  /** Of the row at hand, by block in use. */
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  /** Number of returns per half, in the order of `scores`, and (n - 1) / n. */
  readonly #halfCounts: Float64Array;
  readonly #factors: Float64Array;
  #isShort = false;

  constructor(all: BlockSums, blocks: readonly number[]) {
    this.masks = halfSplits(blocks.length);
    this.#all = all;
    this.#blocks = blocks;
    const low = blocks.length >> 1;
    const high = blocks.length - low;
    this.#low = low;
    this.#lowMasks = Int32Array.from(this.masks, (mask) => mask & ((1 << low) - 1));
    this.#highMasks = Int32Array.from(this.masks, (mask) => mask >> low);
    [this.#lowSums, this.#lowSquares] = [new Float64Array(1 << low), new Float64Array(1 << low)];
    [this.#highSums, this.#highSquares] = [new Float64Array(1 << high), new Float64Array(1 << high)];
    this.#counts = new Float64Array(blocks.length);
    this.#sums = new Float64Array(blocks.length);
    this.#squares = new Float64Array(blocks.length);
    const halves = this.masks.length * 2;
    this.scores = new Float64Array(halves);
    this.#halfCounts = new Float64Array(halves);
    this.#factors = new Float64Array(halves);
  }

  /** Fills `scores`; false for a row that has no deviation in some half and therefore takes no part. */
  score(row: number): boolean {
    this.#read(row);
    if (this.#isShort) return false;
    const low = this.#low;
    const high = this.#blocks.length - low;
    const [lowSums, highSums] = [this.#lowSums, this.#highSums];
    const [lowSquares, highSquares] = [this.#lowSquares, this.#highSquares];
    fillSubsets(lowSums, this.#sums, 0, low);
    fillSubsets(highSums, this.#sums, low, high);
    fillSubsets(lowSquares, this.#squares, 0, low);
    fillSubsets(highSquares, this.#squares, low, high);
    const [lowMasks, highMasks] = [this.#lowMasks, this.#highMasks];
    const [counts, factors, scores] = [this.#halfCounts, this.#factors, this.scores];
    const sum = (lowSums[lowSums.length - 1] as number) + (highSums[highSums.length - 1] as number);
    const square =
      (lowSquares[lowSquares.length - 1] as number) + (highSquares[highSquares.length - 1] as number);
    for (let i = 0; i < lowMasks.length; i += 1) {
      const a = lowMasks[i] as number;
      const b = highMasks[i] as number;
      const s = (lowSums[a] as number) + (highSums[b] as number);
      const q = (lowSquares[a] as number) + (highSquares[b] as number);
      const left = 2 * i;
      const right = left + 1;
      const n = counts[left] as number;
      const m = counts[right] as number;
      const otherSum = sum - s;
      // n (n - 1) times the variance.
      const spread = n * q - s * s;
      const otherSpread = m * (square - q) - otherSum * otherSum;
      if (!(spread > MIN_VARIANCE * n * n && otherSpread > MIN_VARIANCE * m * m)) return false;
      // mean · |mean| / variance with one division: there are hundreds of them per row.
      scores[left] = (s * Math.abs(s) * (factors[left] as number)) / spread;
      scores[right] = (otherSum * Math.abs(otherSum) * (factors[right] as number)) / otherSpread;
    }
    return true;
  }

  #read(row: number): void {
    const { counts, sums, squares, rows } = this.#all;
    let isSame = true;
    for (let b = 0; b < this.#blocks.length; b += 1) {
      const at = (this.#blocks[b] as number) * rows + row;
      const count = counts[at] as number;
      if (count !== this.#counts[b]) isSame = false;
      this.#counts[b] = count;
      this.#sums[b] = sums[at] as number;
      this.#squares[b] = squares[at] as number;
    }
    if (!isSame) this.#countHalves();
  }

  #countHalves(): void {
    this.#isShort = false;
    for (const [i, mask] of this.masks.entries()) {
      let [inside, outside] = [0, 0];
      for (const [b, count] of this.#counts.entries()) {
        if ((mask >> b) & 1) inside += count;
        else outside += count;
      }
      for (const [half, n] of [inside, outside].entries()) {
        if (n < 2) this.#isShort = true;
        this.#halfCounts[2 * i + half] = n;
        this.#factors[2 * i + half] = (n - 1) / n;
      }
    }
  }
}

/** Runs the whole cross-validation at once. */
export function overfittingOf(sums: BlockSums, usable: UsableSums = usableSums(sums)): OverfittingResult {
  const run = overfitting(sums, usable);
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
