import { ones } from './constants';

/**
 * Counts what portfolios trade that are whole in one ticker: rows of the return table say on which days one is sold. A count is a double: days with a trade, plus
 * 2^24 times the halves of the portfolio that change hands (two where one ticker is sold for another, one where cash is on a side).
 */
const HALVES: i64 = 1 << 24;

/** Days of 16 (or 8 of two bytes) that count: bit i is day i. */
@inline
function packed(traded: i32, fromCash: i32, toCash: i32): i64 {
  const trades = <i64>i32.popcnt(traded);
  return trades + HALVES * (2 * trades - <i64>i32.popcnt(fromCash) - <i64>i32.popcnt(toCash));
}

/** The count of some of the 16 days from `row` on. */
@inline
function countedOf<C>(row: usize, codes: i32, keep: i32): i64 {
  if (sizeof<C>() == 1) {
    const v = v128.load(row), T = i8x16.splat(<i8>codes);
    const traded = i8x16.bitmask(i8x16.ge_u(v, T)) & keep;
    if (traded == 0) return 0;
    return packed(traded, i8x16.bitmask(i8x16.eq(v, T)) & keep, i8x16.bitmask(i8x16.ge_u(v, i8x16.splat(<i8>(2 * codes)))) & keep);
  }
  const a = v128.load(row), b = v128.load(row, 16), T = i16x8.splat(<i16>codes), U = i16x8.splat(<i16>(2 * codes));
  const traded = (i16x8.bitmask(i16x8.ge_u(a, T)) | (i16x8.bitmask(i16x8.ge_u(b, T)) << 8)) & keep;
  if (traded == 0) return 0;
  const fromCash = (i16x8.bitmask(i16x8.eq(a, T)) | (i16x8.bitmask(i16x8.eq(b, T)) << 8)) & keep;
  const toCash = (i16x8.bitmask(i16x8.ge_u(a, U)) | (i16x8.bitmask(i16x8.ge_u(b, U)) << 8)) & keep;
  return packed(traded, fromCash, toCash);
}

@inline
function firstOf(days: i32): i32 {
  return days >= 16 ? 0xffff : (1 << days) - 1;
}

@inline
function count<C>(column: usize, from: i32, to: i32, codes: i32): f64 {
  let counted: i64 = 0;
  for (let t = from; t < to; t += 16) counted += countedOf<C>(column + <usize>t * sizeof<C>(), codes, firstOf(to - t));
  return <f64>counted;
}

/** The count of the days [from, to) of a column of rows of the return table. */
export function countSwitches8(column: usize, from: i32, to: i32, codes: i32): f64 {
  return count<u8>(column, from, to, codes);
}

export function countSwitches16(column: usize, from: i32, to: i32, codes: i32): f64 {
  return count<u16>(column, from, to, codes);
}

@inline
function countBranch<C>(mask: usize, isThen: i32, column: usize, codes: i32, cuts: usize, steps: i32, out: usize): void {
  let counted: i64 = 0;
  const other = isThen != 0 ? 0 : 0xffff;
  store<f64>(out, 0.0);
  for (let i = 0; i < steps; i++, cuts += 4) {
    out += 64;
    const to = load<i32>(cuts, 4);
    for (let t = load<i32>(cuts); t < to; t += 16) {
      const own = i8x16.bitmask(v128.load(mask + <usize>t - 1)) ^ other;
      counted += countedOf<C>(column + <usize>t * sizeof<C>(), codes, own & firstOf(to - t));
    }
    store<f64>(out, <f64>counted);
  }
}

/**
 * The counts of a variant of a branch up to the beginning of each step, and to the end, 64 bytes apart: a day belongs to the branch that the day before chose, by
 * a mask of the first one. `cuts` as in `findPieces`.
 */
export function countBranch8(mask: usize, isThen: i32, column: usize, codes: i32, cuts: usize, steps: i32, out: usize): void {
  countBranch<u8>(mask, isThen, column, codes, cuts, steps, out);
}

export function countBranch16(mask: usize, isThen: i32, column: usize, codes: i32, cuts: usize, steps: i32, out: usize): void {
  countBranch<u16>(mask, isThen, column, codes, cuts, steps, out);
}

/** Less than this share of the portfolio is no trade. */
const TRADED: f64 = 1e-12;

/** 1 + r before costs, of two days. */
@inline
function grownOf(returns: usize, moved: v128, slip: v128, one: v128): v128 {
  return f64x2.add(f64x2.add(one, v128.load(returns)), f64x2.mul(slip, moved));
}

/** Days of two that have a trade, as -1. */
@inline
function tradedOf(moved: v128, grown: v128, least: v128): v128 {
  return f64x2.gt(moved, f64x2.mul(least, grown));
}

/**
 * Sums up what is traded on the days [from, to): `moved` has by day what changes hands as a part of the day before's value, `returns` what is left of it after
 * costs. Leaves the sum in parts of the portfolio, and the days with a trade. Eight days are brought to one denominator: a division costs more than the rest.
 */
export function sumMoved(returns: usize, moved: usize, slippage: f64, from: i32, to: i32, out: usize): void {
  const one = ones(returns), slip = f64x2.splat(slippage), least = f64x2.mul(one, f64x2.splat(TRADED));
  let sum = f64x2.splat(0.0), days = i64x2.splat(0);
  let o = <usize>from << 3;
  for (const end = <usize>to << 3; o + 64 <= end; o += 64) {
    const m0 = v128.load(moved + o), m1 = v128.load(moved + o, 16), m2 = v128.load(moved + o, 32), m3 = v128.load(moved + o, 48);
    const g0 = grownOf(returns + o, m0, slip, one), g1 = grownOf(returns + o + 16, m1, slip, one);
    const g2 = grownOf(returns + o + 32, m2, slip, one), g3 = grownOf(returns + o + 48, m3, slip, one);
    const g01 = f64x2.mul(g0, g1), g23 = f64x2.mul(g2, g3);
    const m01 = f64x2.add(f64x2.mul(m0, g1), f64x2.mul(m1, g0)), m23 = f64x2.add(f64x2.mul(m2, g3), f64x2.mul(m3, g2));
    sum = f64x2.add(sum, f64x2.div(f64x2.add(f64x2.mul(m01, g23), f64x2.mul(m23, g01)), f64x2.mul(g01, g23)));
    const two = i64x2.add(tradedOf(m0, g0, least), tradedOf(m1, g1, least));
    days = i64x2.sub(days, i64x2.add(two, i64x2.add(tradedOf(m2, g2, least), tradedOf(m3, g3, least))));
  }
  for (const end = <usize>to << 3; o < end; o += 16) {
    let m = v128.load(moved + o);
    // What is behind the last day may be anything.
    if (o + 8 == end) m = f64x2.replace_lane(m, 1, 0.0);
    let g = grownOf(returns + o, m, slip, one);
    if (o + 8 == end) g = f64x2.replace_lane(g, 1, 1.0);
    sum = f64x2.add(sum, f64x2.div(m, g));
    days = i64x2.sub(days, tradedOf(m, g, least));
  }
  store<f64>(out, f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1));
  store<f64>(out, <f64>(i64x2.extract_lane(days, 0) + i64x2.extract_lane(days, 1)), 8);
}
