import { type BlockSums, MIN_VARIANCE, squaresOverCash, sumOverCash } from './block-sums.ts';

/**
 * All ways to choose half of `count` blocks that contain block 0, as bit masks; their complements are the
 * other half.
 */
export function halfSplits(count: number): number[] {
  const masks: number[] = [];
  for (let mask = 1; mask < 1 << count; mask += 2) {
    let bits = 0;
    for (let rest = mask; rest > 0; rest &= rest - 1) bits += 1;
    if (bits === count / 2) masks.push(mask);
  }
  return masks;
}

/** The sums over every subset of a few blocks, by bit mask. */
function fillSubsets(table: Float64Array, values: ArrayLike<number>, from: number, blocks: number): void {
  for (let b = 0; b < blocks; b += 1) {
    const value = values[from + b] as number;
    const width = 1 << b;
    for (let i = 0; i < width; i += 1) table[width + i] = (table[i] as number) + value;
  }
}

/**
 * Scores of one row in all halves at a time. The sums over any set of blocks are the sum of two table
 * entries, one for the lower and one for the upper blocks; the other half is the rest of the whole. What
 * follows from the counts alone is kept, since most rows of a batch have the same ones.
 *
 * `query-api/src/analysis/halves` does the same operations in the same order, two rows at a time.
 */
export class Halves {
  /** Entry 2i: the blocks of mask i; entry 2i + 1: all others. */
  readonly scores: Float64Array;
  /** Blocks of the lower table. */
  readonly low: number;
  /** The lower and the upper bits of each mask. */
  readonly lowMasks: Int32Array;
  readonly highMasks: Int32Array;
  /** Number of returns per half of the row that was scored last, in the order of `scores`, and (n - 1) / n. */
  readonly halfCounts: Float64Array;
  readonly factors: Float64Array;
  readonly #all: BlockSums;
  readonly #blocks: readonly number[];
  readonly #lowSums: Float64Array;
  readonly #highSums: Float64Array;
  readonly #lowSquares: Float64Array;
  readonly #highSquares: Float64Array;
  readonly #lowCounts: Float64Array;
  readonly #highCounts: Float64Array;
  /** Of the row at hand, by block in use. */
  readonly #counts: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #isShort = false;

  constructor(all: BlockSums, blocks: readonly number[]) {
    const masks = halfSplits(blocks.length);
    this.#all = all;
    this.#blocks = blocks;
    const low = blocks.length >> 1;
    const high = blocks.length - low;
    this.low = low;
    this.lowMasks = Int32Array.from(masks, (mask) => mask & ((1 << low) - 1));
    this.highMasks = Int32Array.from(masks, (mask) => mask >> low);
    [this.#lowSums, this.#lowSquares] = [new Float64Array(1 << low), new Float64Array(1 << low)];
    [this.#highSums, this.#highSquares] = [new Float64Array(1 << high), new Float64Array(1 << high)];
    [this.#lowCounts, this.#highCounts] = [new Float64Array(1 << low), new Float64Array(1 << high)];
    this.#counts = new Float64Array(blocks.length);
    this.#sums = new Float64Array(blocks.length);
    this.#squares = new Float64Array(blocks.length);
    const halves = masks.length * 2;
    this.scores = new Float64Array(halves);
    this.halfCounts = new Float64Array(halves);
    this.factors = new Float64Array(halves);
  }

  /** The score of each split's winner in the half that it was not chosen in. */
  ownScores(winners: Int32Array): Float64Array {
    return Float64Array.from(winners, (row, split) => {
      this.score(row);
      return this.scores[split ^ 1] as number;
    });
  }

  /** Fills `scores`; false for a row that has no deviation in some half and therefore takes no part. */
  score(row: number): boolean {
    this.#read(row);
    if (this.#isShort) return false;
    const low = this.low;
    const high = this.#blocks.length - low;
    const [lowSums, highSums] = [this.#lowSums, this.#highSums];
    const [lowSquares, highSquares] = [this.#lowSquares, this.#highSquares];
    fillSubsets(lowSums, this.#sums, 0, low);
    fillSubsets(highSums, this.#sums, low, high);
    fillSubsets(lowSquares, this.#squares, 0, low);
    fillSubsets(highSquares, this.#squares, low, high);
    const [lowMasks, highMasks] = [this.lowMasks, this.highMasks];
    const [counts, factors, scores] = [this.halfCounts, this.factors, this.scores];
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
    const { counts, sums, squares, rows, cash } = this.#all;
    let isSame = true;
    for (let b = 0; b < this.#blocks.length; b += 1) {
      const block = this.#blocks[b] as number;
      const at = block * rows + row;
      const count = counts[at] as number;
      const earned = cash?.[block] ?? 0;
      if (count !== this.#counts[b]) isSame = false;
      this.#counts[b] = count;
      this.#sums[b] = sumOverCash(count, sums[at] as number, earned);
      this.#squares[b] = squaresOverCash(count, sums[at] as number, squares[at] as number, earned);
    }
    if (!isSame) this.#countHalves();
  }

  #countHalves(): void {
    const { low, lowMasks, highMasks, halfCounts, factors } = this;
    fillSubsets(this.#lowCounts, this.#counts, 0, low);
    fillSubsets(this.#highCounts, this.#counts, low, this.#blocks.length - low);
    const [lowCounts, highCounts] = [this.#lowCounts, this.#highCounts];
    const all = (lowCounts[lowCounts.length - 1] as number) + (highCounts[highCounts.length - 1] as number);
    let isShort = false;
    for (let i = 0; i < lowMasks.length; i += 1) {
      const inside =
        (lowCounts[lowMasks[i] as number] as number) + (highCounts[highMasks[i] as number] as number);
      const outside = all - inside;
      if (inside < 2 || outside < 2) isShort = true;
      halfCounts[2 * i] = inside;
      halfCounts[2 * i + 1] = outside;
      factors[2 * i] = (inside - 1) / inside;
      factors[2 * i + 1] = (outside - 1) / outside;
    }
    this.#isShort = isShort;
  }
}
