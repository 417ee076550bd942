/**
 * The scores of `ROWS` rows at a time in all halves of a cross-validation (`domain/src/statistics/halves.ts`,
 * which says what a score is), two rows per instruction. Every row has the same counts by block, and returns
 * that vary within every block. The operations and their order are those of `Halves`, so that the results are
 * the same to the bit.
 */
export const ROWS: i32 = 32;
const ROW_BYTES: usize = 256;
/** Blocks of a table: those below or above the middle. */
const MOST_BLOCKS_OF_TABLE: usize = 6;
/** Ways to choose half of twelve blocks that contain the first. */
const MOST_SPLITS: usize = 462;
const TABLE_BYTES: usize = (1 << MOST_BLOCKS_OF_TABLE) * ROW_BYTES;
const INPUT_BYTES: usize = 2 * MOST_BLOCKS_OF_TABLE * ROW_BYTES;

/** Sums of returns by block and row, and of their squares: written by the caller, as everything up to `MARKS`. */
export const SUMS: usize = 1024;
export const SQUARES: usize = SUMS + INPUT_BYTES;
/** By split: the lower and the upper bits of the mask (i32). */
export const MASKS: usize = SQUARES + INPUT_BYTES;
/** By split: returns in the half and outside of it, and (n - 1) / n of both (f64). */
export const COUNTS: usize = MASKS + 8 * MOST_SPLITS;
/** By half: the best score so far, or the mark that rows are counted by (f64). */
export const MARKS: usize = COUNTS + 32 * MOST_SPLITS;
/** By half: the row with the best score so far (i32). */
export const WINNERS: usize = MARKS + 16 * MOST_SPLITS;
/** By half: rows with a score below the mark, and not above it (i32). */
export const BELOW: usize = WINNERS + 8 * MOST_SPLITS;
export const AT_MOST: usize = BELOW + 8 * MOST_SPLITS;
/** The number of each row (i32). */
export const NUMBERS: usize = AT_MOST + 8 * MOST_SPLITS;
const LOW_SUMS: usize = NUMBERS + 4 * ROWS;
const HIGH_SUMS: usize = LOW_SUMS + TABLE_BYTES;
const LOW_SQUARES: usize = HIGH_SUMS + TABLE_BYTES;
const HIGH_SQUARES: usize = LOW_SQUARES + TABLE_BYTES;
export const BYTES: usize = HIGH_SQUARES + TABLE_BYTES;

/** The sums over every subset of a few blocks, by bit mask. */
function fillSubsets(table: usize, values: usize, blocks: i32): void {
  for (let row: usize = 0; row < ROW_BYTES; row += 16) v128.store(table + row, f64x2.splat(0));
  for (let b = 0; b < blocks; b++) {
    const width = 1 << b;
    for (let row: usize = 0; row < ROW_BYTES; row += 16) {
      const value = v128.load(values + <usize>b * ROW_BYTES + row);
      for (let i = 0; i < width; i++) {
        const from = table + <usize>i * ROW_BYTES + row;
        v128.store(from + <usize>width * ROW_BYTES, f64x2.add(v128.load(from), value));
      }
    }
  }
}

function fillTables(low: i32, high: i32): void {
  const upper = <usize>low * ROW_BYTES;
  fillSubsets(LOW_SUMS, SUMS, low);
  fillSubsets(HIGH_SUMS, SUMS + upper, high);
  fillSubsets(LOW_SQUARES, SQUARES, low);
  fillSubsets(HIGH_SQUARES, SQUARES + upper, high);
}

@inline
function scoreOf(sum: v128, square: v128, n: v128, factor: v128): v128 {
  const spread = f64x2.sub(f64x2.mul(n, square), f64x2.mul(sum, sum));
  return f64x2.div(f64x2.mul(f64x2.mul(sum, f64x2.abs(sum)), factor), spread);
}

/** The sums of the rows over the lower blocks of one entry and the upper ones of another. */
@inline
function sumOf(a: usize, b: usize): v128 {
  return f64x2.add(v128.load(LOW_SUMS + a), v128.load(HIGH_SUMS + b));
}

@inline
function squareOf(a: usize, b: usize): v128 {
  return f64x2.add(v128.load(LOW_SQUARES + a), v128.load(HIGH_SQUARES + b));
}

/** The place of the entry of a mask in its table. */
@inline
function entry(mask: i32): usize {
  return <usize>mask * ROW_BYTES;
}

@inline
function better(half: usize, number: usize, score: v128): void {
  let best = load<f64>(MARKS + 8 * half);
  const first = f64x2.extract_lane(score, 0), second = f64x2.extract_lane(score, 1);
  if (first > best) {
    best = first;
    store<i32>(WINNERS + 4 * half, load<i32>(number));
  }
  if (second > best) {
    best = second;
    store<i32>(WINNERS + 4 * half, load<i32>(number + 4));
  }
  store<f64>(MARKS + 8 * half, best);
}

/** Lets the rows contend for the best score of every half; of equal ones the first stays. */
export function contend(splits: i32, low: i32, high: i32): void {
  fillTables(low, high);
  const all = entry((1 << low) - 1), allAbove = entry((1 << high) - 1);
  for (let i: usize = 0; i < <usize>splits; i++) {
    const a = entry(load<i32>(MASKS + 8 * i)), b = entry(load<i32>(MASKS + 8 * i + 4));
    const n = v128.load_splat<f64>(COUNTS + 32 * i), m = v128.load_splat<f64>(COUNTS + 32 * i + 8);
    const f = v128.load_splat<f64>(COUNTS + 32 * i + 16), g = v128.load_splat<f64>(COUNTS + 32 * i + 24);
    for (let row: usize = 0; row < ROW_BYTES; row += 16) {
      const sum = sumOf(a + row, b + row), square = squareOf(a + row, b + row);
      const left = scoreOf(sum, square, n, f);
      const otherSum = f64x2.sub(sumOf(all + row, allAbove + row), sum);
      const right = scoreOf(otherSum, f64x2.sub(squareOf(all + row, allAbove + row), square), m, g);
      const number = NUMBERS + (row >> 1);
      if (v128.any_true(f64x2.gt(left, v128.load_splat<f64>(MARKS + 16 * i)))) better(2 * i, number, left);
      if (v128.any_true(f64x2.gt(right, v128.load_splat<f64>(MARKS + 16 * i + 8)))) better(2 * i + 1, number, right);
    }
  }
}

@inline
function added(at: usize, counts: v128): void {
  // A comparison that holds is all ones: minus 1.
  const sum = i64x2.extract_lane(counts, 0) + i64x2.extract_lane(counts, 1);
  store<i32>(at, load<i32>(at) - <i32>sum);
}

/** Counts the rows whose score is below the mark of the half, and those whose score is not above it. */
export function rank(splits: i32, low: i32, high: i32): void {
  fillTables(low, high);
  const all = entry((1 << low) - 1), allAbove = entry((1 << high) - 1);
  for (let i: usize = 0; i < <usize>splits; i++) {
    const a = entry(load<i32>(MASKS + 8 * i)), b = entry(load<i32>(MASKS + 8 * i + 4));
    const n = v128.load_splat<f64>(COUNTS + 32 * i), m = v128.load_splat<f64>(COUNTS + 32 * i + 8);
    const f = v128.load_splat<f64>(COUNTS + 32 * i + 16), g = v128.load_splat<f64>(COUNTS + 32 * i + 24);
    const mark = v128.load_splat<f64>(MARKS + 16 * i), otherMark = v128.load_splat<f64>(MARKS + 16 * i + 8);
    let below = i64x2.splat(0), atMost = i64x2.splat(0), otherBelow = i64x2.splat(0), otherAtMost = i64x2.splat(0);
    for (let row: usize = 0; row < ROW_BYTES; row += 16) {
      const sum = sumOf(a + row, b + row), square = squareOf(a + row, b + row);
      const left = scoreOf(sum, square, n, f);
      const otherSum = f64x2.sub(sumOf(all + row, allAbove + row), sum);
      const right = scoreOf(otherSum, f64x2.sub(squareOf(all + row, allAbove + row), square), m, g);
      below = i64x2.add(below, f64x2.lt(left, mark));
      atMost = i64x2.add(atMost, f64x2.le(left, mark));
      otherBelow = i64x2.add(otherBelow, f64x2.lt(right, otherMark));
      otherAtMost = i64x2.add(otherAtMost, f64x2.le(right, otherMark));
    }
    added(BELOW + 8 * i, below);
    added(AT_MOST + 8 * i, atMost);
    added(BELOW + 8 * i + 4, otherBelow);
    added(AT_MOST + 8 * i + 4, otherAtMost);
  }
}
