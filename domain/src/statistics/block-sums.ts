import type { RowMarks } from './row-marks.ts';

/**
 * Count, sum and sum of squares of the daily returns of many strategies (rows) over a few blocks of time: all
 * that cross-validation over blocks needs. Index `block * rows + row`.
 */
export interface BlockSums {
  readonly rows: number;
  readonly blocks: number;
  readonly counts: Int32Array | Uint16Array;
  readonly sums: Float64Array | Float32Array;
  readonly squares: Float64Array | Float32Array;
  /** What cash earned a day in each block: taken off every return before rows are scored. Missing: nothing is. */
  readonly cash?: readonly number[];
}

/** Sum of some returns, each less what cash earned a day. */
export const sumOverCash = (count: number, sum: number, cash: number): number => sum - count * cash;

/** Sum of their squares, likewise. */
export const squaresOverCash = (count: number, sum: number, squares: number, cash: number): number =>
  squares - cash * (2 * sum - count * cash);

/** Returns of a strategy in one block below which the block says nothing. */
const MIN_RETURNS = 5;
/** A block is used when this share of the strategies has returns in it. */
const COVERED = 0.9;

/** Rounding leaves a trace of a deviation where there is none. */
export const MIN_VARIANCE = 1e-18;

/**
 * Sharpe ratio (per day) from count, sum and sum of squares; NaN where the deviation is 0 or there are fewer
 * than 2 returns.
 */
export function sharpeFromSums(count: number, sum: number, squares: number): number {
  if (count < 2) return Number.NaN;
  const mean = sum / count;
  const variance = (squares - sum * mean) / (count - 1);
  return variance > MIN_VARIANCE ? mean / Math.sqrt(variance) : Number.NaN;
}

/** Which blocks and rows a cross-validation can use. */
export interface UsableSums {
  /** Ascending, an even number of them; empty where fewer than 4 would be left. */
  readonly blocks: readonly number[];
  /** Rows with returns in every one of these blocks. */
  readonly rows: Int32Array;
}

/**
 * Strategies begin when their tickers do, so that the first blocks of a long date range are often empty for
 * most of them. Used are the blocks that nearly all strategies cover; of an odd number the earliest is left
 * out. Rows that miss one of them are left out.
 *
 * @param marks rows that take no part, whatever they cover
 */
export function usableSums({ rows, blocks, counts }: BlockSums, marks?: RowMarks): UsableSums {
  let candidates = 0;
  const covered = new Int32Array(blocks);
  for (let row = 0; row < rows; row += 1) {
    if (marks?.[row] === 1) continue;
    let any = false;
    for (let block = 0; block < blocks; block += 1)
      if ((counts[block * rows + row] as number) >= MIN_RETURNS) {
        covered[block] = (covered[block] as number) + 1;
        any = true;
      }
    if (any) candidates += 1;
  }
  let used = [...covered.keys()].filter(
    (block) => (covered[block] as number) >= COVERED * Math.max(1, candidates),
  );
  if (used.length % 2 === 1) used = used.slice(1);
  if (used.length < 4) return { blocks: [], rows: new Int32Array(0) };
  const kept = new Int32Array(rows);
  let count = 0;
  for (let row = 0; row < rows; row += 1) {
    if (marks?.[row] === 1) continue;
    if (!used.every((block) => (counts[block * rows + row] as number) >= MIN_RETURNS)) continue;
    kept[count] = row;
    count += 1;
  }
  return { blocks: used, rows: kept.subarray(0, count) };
}
