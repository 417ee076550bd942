import { ones } from './constants';

/**
 * Counts what portfolios trade that are whole in one ticker: rows of the return table say on which days one
 * is sold. A count is a double: days with a trade, plus 2^24 times the halves of the portfolio that change
 * hands (two where one ticker is sold for another, one where cash is on a side).
 */
const HALVES: i32 = 1 << 24;

/** The count of so many days with a trade, on some of which cash is on a side. */
@inline
function counted(trades: i32, fromCash: i32, toCash: i32): f64 {
  return <f64>trades + <f64>HALVES * <f64>(2 * trades - fromCash - toCash);
}

/** Sum of the bytes, or of the pairs of bytes. */
@inline
function total<C>(v: v128): i32 {
  const pairs = i32x4.extadd_pairwise_i16x8_u(sizeof<C>() == 1 ? i16x8.extadd_pairwise_i8x16_u(v) : v);
  return (
    i32x4.extract_lane(pairs, 0) +
    i32x4.extract_lane(pairs, 1) +
    i32x4.extract_lane(pairs, 2) +
    i32x4.extract_lane(pairs, 3)
  );
}

/** Days whose mask, a byte of 0 or -1 each, is not that of `others`. */
@inline
function ownOf<C>(mask: usize, others: v128): v128 {
  return v128.xor(sizeof<C>() == 1 ? v128.load(mask) : v128.load_ext<i8>(mask), others);
}

/** Counts the days whose row is `least` or more. */
@inline
function traded<C>(sum: v128, rows: v128, least: v128): v128 {
  return sizeof<C>() == 1 ? i8x16.sub(sum, i8x16.ge_u(rows, least)) : i16x8.sub(sum, i16x8.ge_u(rows, least));
}

/** As many days are counted in bytes before they are added up. */
const MOST_COUNTED: i32 = 255;

/**
 * The count of the days [from, to) of a column. Where `isBranch`, of those whose mask, a byte of 0 or -1 a
 * day, is not that of `others`; without `hasCash` no row is one of cash. Without a branch within: days that
 * trade come irregularly.
 */
@inline
function count<C>(
  column: usize,
  from: i32,
  to: i32,
  codes: i32,
  isBranch: bool,
  hasCash: bool,
  mask: usize,
  others: v128,
): f64 {
  const days = 16 / i32(sizeof<C>());
  const zero = i8x16.splat(0);
  const T = sizeof<C>() == 1 ? i8x16.splat(<i8>codes) : i16x8.splat(<i16>codes);
  const U = sizeof<C>() == 1 ? i8x16.splat(<i8>(2 * codes)) : i16x8.splat(<i16>(2 * codes));
  let trades = 0, fromCash = 0, toCash = 0;
  for (let t = from; t < to; ) {
    let a = zero, b = zero, c = zero;
    const end = min(to, t + MOST_COUNTED * days);
    for (; t < end; t += days) {
      let v = v128.load(column + <usize>t * sizeof<C>());
      // A day that is not looked at has the row 0: nothing is traded then.
      if (end - t < days) v = v128.and(v, sizeof<C>() == 1 ? kept8(end - t) : kept16(end - t));
      if (isBranch) v = v128.and(v, ownOf<C>(mask + <usize>t, others));
      a = traded<C>(a, v, T);
      if (!hasCash) continue;
      b = sizeof<C>() == 1 ? i8x16.sub(b, i8x16.eq(v, T)) : i16x8.sub(b, i16x8.eq(v, T));
      c = traded<C>(c, v, U);
    }
    trades += total<C>(a);
    fromCash += total<C>(b);
    toCash += total<C>(c);
  }
  return counted(trades, fromCash, toCash);
}

/** The first so many of 16 days, as bytes of -1. */
@inline
function kept8(days: i32): v128 {
  return i8x16.lt_u(i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), i8x16.splat(<i8>days));
}

/** The first so many of 8 days, as pairs of bytes of -1. */
@inline
function kept16(days: i32): v128 {
  return i16x8.lt_u(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>days));
}

/** The count of the days [from, to) of a column of rows of the return table. */
export function countSwitches8(column: usize, from: i32, to: i32, codes: i32): f64 {
  return count<u8>(column, from, to, codes, false, true, 0, i8x16.splat(0));
}

export function countSwitches16(column: usize, from: i32, to: i32, codes: i32): f64 {
  return count<u16>(column, from, to, codes, false, true, 0, i8x16.splat(0));
}

@inline
function countBranch<C>(
  mask: usize, isThen: i32, column: usize, codes: i32, hasCash: bool, cuts: usize, steps: i32, out: usize,
): void {
  let sum = 0.0;
  const others = i8x16.splat(isThen != 0 ? 0 : -1);
  store<f64>(out, sum);
  for (let i = 0; i < steps; i++, cuts += 4) {
    out += 64;
    sum += count<C>(column, load<i32>(cuts), load<i32>(cuts, 4), codes, true, hasCash, mask - 1, others);
    store<f64>(out, sum);
  }
}

/**
 * The counts of a variant of a branch up to the beginning of each step, and to the end, 64 bytes apart: a day
 * belongs to the branch that the day before chose, by a mask of the first one. `cuts` as in `findPieces`.
 * With `hasCash` 0 no row is one of cash, which costs less.
 */
export function countBranch8(
  mask: usize, isThen: i32, column: usize, codes: i32, hasCash: i32, cuts: usize, steps: i32, out: usize,
): void {
  if (hasCash == 0) countBranch<u8>(mask, isThen, column, codes, false, cuts, steps, out);
  else countBranch<u8>(mask, isThen, column, codes, true, cuts, steps, out);
}

export function countBranch16(
  mask: usize, isThen: i32, column: usize, codes: i32, hasCash: i32, cuts: usize, steps: i32, out: usize,
): void {
  if (hasCash == 0) countBranch<u16>(mask, isThen, column, codes, false, cuts, steps, out);
  else countBranch<u16>(mask, isThen, column, codes, true, cuts, steps, out);
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
 * Sums up what is traded on the days [from, to): `moved` has by day what changes hands as a part of the day
 * before's value, `returns` what is left of it after costs. Leaves the sum in parts of the portfolio, and the
 * days with a trade. Eight days are brought to one denominator: a division costs more than the rest.
 */
export function sumMoved(returns: usize, moved: usize, slippage: f64, from: i32, to: i32, out: usize): void {
  const one = ones(returns),
    slip = f64x2.splat(slippage),
    least = f64x2.mul(one, f64x2.splat(TRADED));
  let sum = f64x2.splat(0.0),
    days = i64x2.splat(0);
  let o = (<usize>from) << 3;
  for (const end = (<usize>to) << 3; o + 64 <= end; o += 64) {
    const m0 = v128.load(moved + o),
      m1 = v128.load(moved + o, 16),
      m2 = v128.load(moved + o, 32),
      m3 = v128.load(moved + o, 48);
    const g0 = grownOf(returns + o, m0, slip, one),
      g1 = grownOf(returns + o + 16, m1, slip, one);
    const g2 = grownOf(returns + o + 32, m2, slip, one),
      g3 = grownOf(returns + o + 48, m3, slip, one);
    const g01 = f64x2.mul(g0, g1),
      g23 = f64x2.mul(g2, g3);
    const m01 = f64x2.add(f64x2.mul(m0, g1), f64x2.mul(m1, g0)),
      m23 = f64x2.add(f64x2.mul(m2, g3), f64x2.mul(m3, g2));
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
