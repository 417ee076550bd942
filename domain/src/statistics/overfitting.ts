import { type BlockSums, sharpeFromSums, type UsableSums, usableSums } from './block-sums.ts';

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

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation: every half of the blocks is once the sample in which the best
 * strategy is chosen, and the other half shows how it ranks among all. D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu, "The Probability of
 * Backtest Overfitting", Journal of Computational Finance 20 (2017), section 3. The measure is the Sharpe ratio.
 *
 * Time grows with splits times rows; a split and its mirror image share their sums. `onSplit` is called after each pair, so that a caller can let
 * others have a turn or give up.
 */
export function* overfitting(
  sums: BlockSums,
  usable: UsableSums = usableSums(sums),
): Generator<number, OverfittingResult> {
  const { blocks, rows } = usable;
  if (blocks.length < 4 || rows.length < 2) return NOTHING;
  const masks = halfSplits(blocks.length);
  const splits = masks.length * 2;
  const logits = new Float64Array(splits);
  const inSample = new Float64Array(splits);
  const outOfSample = new Float64Array(splits);
  const left = new Float64Array(rows.length);
  const right = new Float64Array(rows.length);
  let rowCount = 0;
  for (const [i, mask] of masks.entries()) {
    halves(sums, blocks, rows, mask, left, right);
    rowCount = Math.max(
      rowCount,
      rank(left, right, i * 2, logits, inSample, outOfSample),
      rank(right, left, i * 2 + 1, logits, inSample, outOfSample),
    );
    yield (i + 1) / masks.length;
  }
  let notAbove = 0;
  let losses = 0;
  for (let i = 0; i < splits; i += 1) {
    if ((logits[i] as number) <= 0) notAbove += 1;
    if ((outOfSample[i] as number) < 0) losses += 1;
  }
  return {
    pbo: notAbove / splits,
    splits,
    blocks: blocks.length,
    rows: rowCount,
    logits,
    inSample,
    outOfSample,
    degradationSlope: slope(inSample, outOfSample),
    probabilityOfLoss: losses / splits,
  };
}

/** Runs the whole cross-validation at once. */
export function overfittingOf(sums: BlockSums): OverfittingResult {
  const run = overfitting(sums);
  for (;;) {
    const step = run.next();
    if (step.done) return step.value;
  }
}

/** Sharpe ratios of every row in the blocks of the mask and in the others. */
function halves(
  { sums, squares, counts, rows: stride }: BlockSums,
  blocks: readonly number[],
  rows: Int32Array,
  mask: number,
  left: Float64Array,
  right: Float64Array,
): void {
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] as number;
    let leftCount = 0;
    let leftSum = 0;
    let leftSquares = 0;
    let rightCount = 0;
    let rightSum = 0;
    let rightSquares = 0;
    for (let b = 0; b < blocks.length; b += 1) {
      const at = (blocks[b] as number) * stride + row;
      if ((mask >> b) & 1) {
        leftCount += counts[at] as number;
        leftSum += sums[at] as number;
        leftSquares += squares[at] as number;
      } else {
        rightCount += counts[at] as number;
        rightSum += sums[at] as number;
        rightSquares += squares[at] as number;
      }
    }
    left[i] = sharpeFromSums(leftCount, leftSum, leftSquares);
    right[i] = sharpeFromSums(rightCount, rightSum, rightSquares);
  }
}

/** Notes how the best of `chosenBy` ranks by `judgedBy`; answers how many rows took part. */
function rank(
  chosenBy: Float64Array,
  judgedBy: Float64Array,
  split: number,
  logits: Float64Array,
  inSample: Float64Array,
  outOfSample: Float64Array,
): number {
  let winner = -1;
  for (let i = 0; i < chosenBy.length; i += 1) {
    const value = chosenBy[i] as number;
    if (Number.isNaN(value) || Number.isNaN(judgedBy[i] as number)) continue;
    if (winner < 0 || value > (chosenBy[winner] as number)) winner = i;
  }
  if (winner < 0) return 0;
  const own = judgedBy[winner] as number;
  let below = 0;
  let equal = 0;
  let taking = 0;
  for (let i = 0; i < judgedBy.length; i += 1) {
    const value = judgedBy[i] as number;
    if (Number.isNaN(value) || Number.isNaN(chosenBy[i] as number)) continue;
    taking += 1;
    if (value < own) below += 1;
    else if (value === own) equal += 1;
  }
  // Ranks 1..N, ties in the middle; the relative rank stays inside (0, 1).
  const relative = (below + (equal + 1) / 2) / (taking + 1);
  logits[split] = Math.log(relative / (1 - relative));
  inSample[split] = chosenBy[winner] as number;
  outOfSample[split] = own;
  return taking;
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
