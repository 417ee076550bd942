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

const isTooLittle = ({ blocks, rows }: UsableSums) => blocks.length < 4 || rows.length < 2;

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: every half of the blocks is once the sample in which the best
 * strategy is chosen, and the other half shows how it ranks among all. D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu, "The Probability of
 * Backtest Overfitting", Journal of Computational Finance 20 (2017), section 3. The measure is the Sharpe ratio.
 *
 * Two passes over the rows: `winnersOf` finds the winner of every split, `ranksOf` ranks it. Both work on parts of the rows, side by side on several threads if one
 * likes: put together in order, they are the same to the bit.
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
    for (let split = 0; split < splits; split += 1) {
      const score = scores[split] as number;
      if (score <= (best[split] as number)) continue;
      winners[split] = usable.rows[i] as number;
      best[split] = score;
    }
  }
  return { taking, rows: winners, scores: best };
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
  // Out of sample a split is looked at from its other half.
  const border = Float64Array.from(own.keys(), (half) => own[half ^ 1] as number);
  for (let i = from; i < to; i += 1) {
    if (!halves.score(usable.rows[i] as number)) continue;
    // Counted without a branch, which would be guessed wrong half of the time.
    for (let half = 0; half < splits; half += 1) {
      const score = scores[half] as number;
      const mark = border[half] as number;
      below[half] = (below[half] as number) + Number(score < mark);
      atMost[half] = (atMost[half] as number) + Number(score <= mark);
    }
  }
  return { below, atMost };
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
