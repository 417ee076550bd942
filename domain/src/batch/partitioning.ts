/** How a batch is cut: the server's decision, from the measured speed. */

/**
 * Work of one partition on one node. Short enough that a lost node costs little, long enough that messages
 * cost nothing.
 */
export const SECONDS_PER_PARTITION = 3;
/** Batches up to this long overtake large ones, unless they are so large that an estimate may be wrong by much. */
export const QUICK_BATCH_SECONDS = 10;
export const QUICK_BATCH_ROWS = 250_000;
/** However fast the engine is: a partition is what a lost node repeats, and a step of the progress that users see. */
export const MAX_PARTITION_ROWS = 131_072;
/** More partitions than this would make streams and lists long without a gain. */
export const MAX_PARTITIONS = 1_000;
/** Rows that are computed and stored together, at most. */
export const MAX_BLOCK_ROWS = 16_384;
/** Fewer rows than this are summed up in well under a second, and do not wait behind more. */
export const QUICK_COMPILE_ROWS = 50_000;
const MIN_BLOCK_ROWS = 64;
/**
 * Large blocks begin and end at multiples of this, so that each holds whole leaves of the result's hash:
 * `adapters/…/row-hash.ts`.
 */
const GRID_ROWS = 1_024;

export interface Partitioning {
  readonly partitionSize: number;
  readonly partitions: number;
  readonly isQuick: boolean;
}

/**
 * Contiguous partitions of equal size (the last may be smaller).
 *
 * @param combinations at least 1
 * @param seconds of work for the whole batch, whatever else the machine does
 */
export function cutPartitions(combinations: number, seconds: number): Partitioning {
  const wanted = Math.max(
    Math.ceil(Math.max(seconds, 0) / SECONDS_PER_PARTITION),
    Math.ceil(combinations / MAX_PARTITION_ROWS),
  );
  const count = Math.max(1, Math.min(wanted, MAX_PARTITIONS, combinations));
  const partitionSize = onGrid(Math.ceil(combinations / count), 32);
  return {
    partitionSize,
    partitions: Math.ceil(combinations / partitionSize),
    isQuick: seconds <= QUICK_BATCH_SECONDS && combinations <= QUICK_BATCH_ROWS,
  };
}

/**
 * Rows per block of a batch: a dozen blocks a partition, so that a crash repeats little, but no tiny ones,
 * since every block is a transaction; fixed by the batch, so that a repeated block has the same identity.
 */
export function blockRows(partitionSize: number): number {
  return Math.max(MIN_BLOCK_ROWS, Math.min(MAX_BLOCK_ROWS, onGrid(Math.ceil(partitionSize / 12), 4)));
}

/** The next multiple of the grid for what has at least so many steps of it; else the number itself. */
const onGrid = (rows: number, steps: number) =>
  rows < steps * GRID_ROWS ? rows : Math.ceil(rows / GRID_ROWS) * GRID_ROWS;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A block with something left to compute. */
export interface OpenBlock extends Range {
  /** What is missing of it, ascending: the first one begins it, the last one ends it. */
  readonly gaps: readonly Range[];
}

/**
 * The blocks that are still to be computed of a partition: the gaps between the stored ranges, gathered by
 * the multiples of `rows` counted from the partition's beginning. Reused rows may leave thousands of single
 * gaps; one block, hence one transaction, holds all of a cell of that grid.
 *
 * @param stored merged and ascending, `to` exclusive
 */
export function openBlocks(partition: Range, stored: readonly Range[], rows: number): OpenBlock[] {
  const cells = new Map<number, Range[]>();
  let next = partition.from;
  const cut = (to: number) => {
    while (next < to) {
      const cell = Math.floor((next - partition.from) / rows);
      const end = Math.min(to, partition.from + (cell + 1) * rows);
      const gaps = cells.get(cell);
      if (gaps) gaps.push({ from: next, to: end });
      else cells.set(cell, [{ from: next, to: end }]);
      next = end;
    }
  };
  for (const range of stored) {
    if (range.to <= partition.from || range.to <= next) continue;
    if (range.from >= partition.to) break;
    cut(Math.min(range.from, partition.to));
    next = Math.max(next, Math.min(range.to, partition.to));
  }
  cut(partition.to);
  return [...cells.values()].map((gaps) => ({
    from: gaps[0]?.from ?? partition.from,
    to: gaps.at(-1)?.to ?? partition.from,
    gaps,
  }));
}

/** Combinations that the ranges cover together. */
export const rowsIn = (ranges: readonly Range[]): number =>
  ranges.reduce((sum, { from, to }) => sum + to - from, 0);
