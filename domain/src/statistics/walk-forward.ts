import {
  type BlockSums,
  MIN_VARIANCE,
  sharpeFromSums,
  squaresOverCash,
  sumOverCash,
  type UsableSums,
  usableSums,
} from './block-sums.ts';
import { CASH_DEVIATION } from './skill.ts';

/**
 * Which row is best by Sharpe ratio, over cash where it is known, over every run of consecutive blocks: what
 * all walks over a batch are read from. Plain data.
 */
export interface BestByStretch {
  /** The blocks in use, ascending. */
  readonly blocks: readonly number[];
  /** Rows that took part: those with returns in all blocks that are not like cash. */
  readonly rows: number;
  /** The best row over the blocks in use from `a` to before `b`, at `a * (blocks + 1) + b`; -1 where there is none. */
  readonly best: Int32Array;
}

const YEAR = 252;

/**
 * Finds the best row of every run of consecutive blocks, in one pass over the rows. Rows whose deviation over
 * the whole is less than 1% a year are cash: their Sharpe ratio says nothing, and they are not chosen. What
 * moves a little more, as a short bond does, is kept from the top by cash that is taken off.
 */
export function bestByStretch(sums: BlockSums, usable: UsableSums = usableSums(sums)): BestByStretch {
  const { blocks } = usable;
  const count = blocks.length;
  const width = count + 1;
  const best = new Int32Array(count * width).fill(-1);
  const score = new Float64Array(count * width).fill(Number.NEGATIVE_INFINITY);
  const [n, s, q] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const least = CASH_DEVIATION ** 2 / YEAR;
  let rows = 0;
  for (const row of usable.rows) {
    let days = 0;
    let sum = 0;
    let square = 0;
    for (let b = 0; b < count; b += 1) {
      const block = blocks[b] as number;
      const at = block * sums.rows + row;
      const [ofDays, ofSum, ofSquare] = [sums.counts[at], sums.sums[at], sums.squares[at]] as [
        number,
        number,
        number,
      ];
      const cash = sums.cash?.[block] ?? 0;
      days += ofDays;
      sum += ofSum;
      square += ofSquare;
      n[b] = ofDays;
      s[b] = sumOverCash(ofDays, ofSum, cash);
      q[b] = squaresOverCash(ofDays, ofSum, ofSquare, cash);
    }
    if (!((square - (sum * sum) / days) / (days - 1) >= least)) continue;
    rows += 1;
    for (let a = 0; a < count; a += 1) {
      days = 0;
      sum = 0;
      square = 0;
      for (let b = a; b < count; b += 1) {
        days += n[b] as number;
        sum += s[b] as number;
        square += q[b] as number;
        const spread = days * square - sum * sum;
        if (!(spread > MIN_VARIANCE * days * days)) continue;
        // The square of the Sharpe ratio with its sign: it ranks the same and spares a root.
        const above = sum * Math.abs(sum) * (days - 1);
        const below = days * spread;
        const at = a * width + b + 1;
        if (above > (score[at] as number) * below) {
          score[at] = above / below;
          best[at] = row;
        }
      }
    }
  }
  return { blocks, rows, best };
}

/** Whether rows are chosen on the last `k` blocks, or on all from the first one on, at least `k`. */
export type WalkMode = 'rolling' | 'anchored';

/** One step: chosen on some blocks, held in the next. Places are those in `BestByStretch.blocks`. */
export interface WalkWindow {
  readonly from: number;
  /** Exclusive; the block that is held. */
  readonly to: number;
  readonly row: number;
  /** Annualised Sharpe ratios where it was chosen and where it was held. */
  readonly inSharpe: number;
  readonly outSharpe: number;
  /** Growth of money in the block that it was held: 1 is none. */
  readonly growth: number;
}

export interface WalkForward {
  readonly windows: readonly WalkWindow[];
  /** A year, over all blocks that were held. */
  readonly yearly: number;
  /** Annualised, over the same. */
  readonly sharpe: number;
  /** A year, of the chosen rows where they were chosen. */
  readonly inYearly: number;
  /** The first over the last: what was kept; NaN where nothing was earned in sample. */
  readonly efficiency: number;
}

/** Count, sum and sum of squares of one row's daily returns over some blocks. */
function sumOf(sums: BlockSums, row: number, blocks: readonly number[]) {
  let days = 0;
  let sum = 0;
  let square = 0;
  for (const block of blocks) {
    const at = block * sums.rows + row;
    days += sums.counts[at] as number;
    sum += sums.sums[at] as number;
    square += sums.squares[at] as number;
  }
  return { days, sum, square };
}

/**
 * Logarithm of the growth over days of which the sum and the sum of squares of simple returns are known:
 * `log(1 + r) = r - r² / 2 + …`. What is left out is a third of the sum of cubes.
 */
export const logGrowth = (sum: number, square: number): number => sum - square / 2;

const yearlyOf = (log: number, days: number): number =>
  days > 0 ? Math.expm1((log * YEAR) / days) : Number.NaN;

/** Growth of one row in each of some blocks. */
export function growthOf(sums: BlockSums, row: number, blocks: readonly number[]): number[] {
  return blocks.map((block) => {
    const { sum, square } = sumOf(sums, row, [block]);
    return Math.exp(logGrowth(sum, square));
  });
}

/**
 * Choose the best on `k` blocks, hold it in the next one, go on by one block. R. Pardo, "The Evaluation and
 * Optimization of Trading Strategies" (2008).
 */
export function walkForward(sums: BlockSums, table: BestByStretch, k: number, mode: WalkMode): WalkForward {
  const { blocks, best } = table;
  const width = blocks.length + 1;
  const windows: WalkWindow[] = [];
  let [log, days, inLog, inDays, sum, square] = [0, 0, 0, 0, 0, 0];
  for (let to = k; to < blocks.length; to += 1) {
    const from = mode === 'rolling' ? to - k : 0;
    const row = best[from * width + to] as number;
    if (row < 0) continue;
    const chosen = sumOf(sums, row, blocks.slice(from, to));
    const held = sumOf(sums, row, [blocks[to] as number]);
    inLog += logGrowth(chosen.sum, chosen.square);
    inDays += chosen.days;
    log += logGrowth(held.sum, held.square);
    days += held.days;
    sum += held.sum;
    square += held.square;
    windows.push({
      from,
      to,
      row,
      inSharpe: sharpeFromSums(chosen.days, chosen.sum, chosen.square) * Math.sqrt(YEAR),
      outSharpe: sharpeFromSums(held.days, held.sum, held.square) * Math.sqrt(YEAR),
      growth: Math.exp(logGrowth(held.sum, held.square)),
    });
  }
  const [yearly, inYearly] = [yearlyOf(log, days), yearlyOf(inLog, inDays)];
  return {
    windows,
    yearly,
    sharpe: sharpeFromSums(days, sum, square) * Math.sqrt(YEAR),
    inYearly,
    efficiency: inYearly > 0 ? yearly / inYearly : Number.NaN,
  };
}
