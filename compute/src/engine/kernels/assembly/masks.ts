/**
 * Condition results are byte masks (0 or 255 per day). Columns are padded to 16 days, so that every loop may
 * run to the next multiple of 16.
 */
import { ones } from './constants';

/** Relative distance within which two numbers count as equal. */
const TIE: f64 = 1e-12;

/** A constant in both lanes that V8 does not put together anew for each comparison of a loop (see `ones`). */
@inline
function constant(number: f64, address: usize): v128 {
  return f64x2.mul(ones(address), f64x2.splat(number));
}

/** What a and b may be apart and still count as equal. */
@inline
function tieOf(a: v128, b: v128, tie: v128): v128 {
  return f64x2.mul(tie, f64x2.pmax(f64x2.abs(a), f64x2.abs(b)));
}

@inline
function narrow(m0: v128, m1: v128, m2: v128, m3: v128, m4: v128, m5: v128, m6: v128, m7: v128): v128 {
  // 64-bit lane masks to 32, 16 and 8 bits: all-ones stays all-ones under signed saturation.
  const a = i16x8.narrow_i32x4_s(
    v128.shuffle<i32>(m0, m1, 0, 2, 4, 6),
    v128.shuffle<i32>(m2, m3, 0, 2, 4, 6),
  );
  const b = i16x8.narrow_i32x4_s(
    v128.shuffle<i32>(m4, m5, 0, 2, 4, 6),
    v128.shuffle<i32>(m6, m7, 0, 2, 4, 6),
  );
  return i8x16.narrow_i16x8_s(a, b);
}

/** a > b by more than a tie. NaN is greater than nothing. */
@inline
function above(a: v128, b: v128, tie: v128): v128 {
  return f64x2.gt(f64x2.sub(a, b), tieOf(a, b, tie));
}

/** Sort values closer than this are the same number reached by different sums. */
const RANK_RESOLUTION: f64 = 1e-12;

@inline
function ranked(a: v128, b: v128, tie: v128, resolution: v128): v128 {
  return f64x2.gt(f64x2.sub(a, b), f64x2.pmax(tieOf(a, b, tie), resolution));
}

@inline
function tied(a: v128, b: v128, tie: v128): v128 {
  return f64x2.le(f64x2.abs(f64x2.sub(a, b)), tieOf(a, b, tie));
}

/** out = a > b by more than a tie, for `days` days. */
export function greater(a: usize, b: usize, out: usize, days: i32): void {
  const tie = constant(TIE, out);
  for (const end = out + days; out < end; out += 16, a += 128, b += 128) {
    v128.store(out, narrow(
      above(v128.load(a), v128.load(b), tie),
      above(v128.load(a, 16), v128.load(b, 16), tie),
      above(v128.load(a, 32), v128.load(b, 32), tie),
      above(v128.load(a, 48), v128.load(b, 48), tie),
      above(v128.load(a, 64), v128.load(b, 64), tie),
      above(v128.load(a, 80), v128.load(b, 80), tie),
      above(v128.load(a, 96), v128.load(b, 96), tie),
      above(v128.load(a, 112), v128.load(b, 112), tie),
    ));
  }
}

/** out = a ranks above b by more than a tie, as sort values of a filter do. */
export function ranksAbove(a: usize, b: usize, out: usize, days: i32): void {
  const tie = constant(TIE, out), resolution = constant(RANK_RESOLUTION, out);
  for (const end = out + days; out < end; out += 16, a += 128, b += 128) {
    v128.store(out, narrow(
      ranked(v128.load(a), v128.load(b), tie, resolution),
      ranked(v128.load(a, 16), v128.load(b, 16), tie, resolution),
      ranked(v128.load(a, 32), v128.load(b, 32), tie, resolution),
      ranked(v128.load(a, 48), v128.load(b, 48), tie, resolution),
      ranked(v128.load(a, 64), v128.load(b, 64), tie, resolution),
      ranked(v128.load(a, 80), v128.load(b, 80), tie, resolution),
      ranked(v128.load(a, 96), v128.load(b, 96), tie, resolution),
      ranked(v128.load(a, 112), v128.load(b, 112), tie, resolution),
    ));
  }
}

/** out = a is above (`sign` 1) or below (`sign` -1) a fixed number by more than a tie. */
export function greaterThanNumber(a: usize, number: f64, sign: f64, out: usize, days: i32): void {
  const tie = constant(TIE, out);
  const b = f64x2.splat(number * sign);
  const s = f64x2.splat(sign);
  for (const end = out + days; out < end; out += 16, a += 128) {
    v128.store(out, narrow(
      above(f64x2.mul(s, v128.load(a)), b, tie),
      above(f64x2.mul(s, v128.load(a, 16)), b, tie),
      above(f64x2.mul(s, v128.load(a, 32)), b, tie),
      above(f64x2.mul(s, v128.load(a, 48)), b, tie),
      above(f64x2.mul(s, v128.load(a, 64)), b, tie),
      above(f64x2.mul(s, v128.load(a, 80)), b, tie),
      above(f64x2.mul(s, v128.load(a, 96)), b, tie),
      above(f64x2.mul(s, v128.load(a, 112)), b, tie),
    ));
  }
}

/** out = a equals b within a tie. */
export function equal(a: usize, b: usize, out: usize, days: i32): void {
  const tie = constant(TIE, out);
  for (const end = out + days; out < end; out += 16, a += 128, b += 128) {
    v128.store(out, narrow(
      tied(v128.load(a), v128.load(b), tie),
      tied(v128.load(a, 16), v128.load(b, 16), tie),
      tied(v128.load(a, 32), v128.load(b, 32), tie),
      tied(v128.load(a, 48), v128.load(b, 48), tie),
      tied(v128.load(a, 64), v128.load(b, 64), tie),
      tied(v128.load(a, 80), v128.load(b, 80), tie),
      tied(v128.load(a, 96), v128.load(b, 96), tie),
      tied(v128.load(a, 112), v128.load(b, 112), tie),
    ));
  }
}

/** out = a equals a fixed number within a tie. */
export function equalToNumber(a: usize, number: f64, out: usize, days: i32): void {
  const tie = constant(TIE, out);
  const b = f64x2.splat(number);
  for (const end = out + days; out < end; out += 16, a += 128) {
    v128.store(out, narrow(
      tied(v128.load(a), b, tie),
      tied(v128.load(a, 16), b, tie),
      tied(v128.load(a, 32), b, tie),
      tied(v128.load(a, 48), b, tie),
      tied(v128.load(a, 64), b, tie),
      tied(v128.load(a, 80), b, tie),
      tied(v128.load(a, 96), b, tie),
      tied(v128.load(a, 112), b, tie),
    ));
  }
}

/** out &= a */
export function andInto(a: usize, out: usize, bytes: i32): void {
  for (const end = out + bytes; out < end; out += 16, a += 16) v128.store(out, v128.and(v128.load(a), v128.load(out)));
}

/** out |= a */
export function orInto(a: usize, out: usize, bytes: i32): void {
  for (const end = out + bytes; out < end; out += 16, a += 16) v128.store(out, v128.or(v128.load(a), v128.load(out)));
}

/**
 * One child of a pair is better on each day: the count of the other grows by 1. The mask holds where the
 * second is better.
 */
export function countBetter(mask: usize, first: usize, second: usize, bytes: i32): void {
  for (const end = mask + bytes; mask < end; mask += 16, first += 16, second += 16) {
    const isSecond = v128.load(mask);
    v128.store(first, i8x16.sub(v128.load(first), isSecond));
    v128.store(second, i8x16.sub(v128.load(second), v128.not(isSecond)));
  }
}

/** out = 255 where the rank is below `take` and `before` chosen ones came earlier. */
export function chosenAs(ranks: usize, take: i32, chosen: usize, before: i32, out: usize, days: i32): void {
  const limit = i8x16.splat(<i8>take), wanted = i8x16.splat(<i8>before);
  for (const end = out + days; out < end; out += 16, ranks += 16, chosen += 16) {
    const isTaken = i8x16.lt_u(v128.load(ranks), limit);
    v128.store(out, v128.and(isTaken, i8x16.eq(v128.load(chosen), wanted)));
  }
}

/** The codes of the child that is first on each day of a vector from day `t` on; at most one is. */
@inline
function firstOf<C>(children: usize, end: usize, t: usize): v128 {
  let codes = i8x16.splat(0);
  for (let child = children; child < end; child += 8) {
    const ranks = <usize>load<u32>(child) + t, own = v128.load(<usize>load<u32>(child, 4) + t * sizeof<C>());
    const isFirst = sizeof<C>() == 1
      ? i8x16.eq(v128.load(ranks), i8x16.splat(0))
      : i16x8.eq(v128.load_ext<u8>(ranks), i16x8.splat(0));
    codes = v128.or(codes, v128.and(isFirst, own));
  }
  return codes;
}

@inline
function first<C>(children: usize, count: i32, out: usize, from: i32, days: i32): void {
  const end = children + (<usize>count << 3);
  for (let t = <usize>from, last = <usize>(from + days); t < last; t += 16) {
    const at = out + t * sizeof<C>();
    v128.store(at, firstOf<C>(children, end, t));
    if (sizeof<C>() == 2) v128.store(at, firstOf<C>(children, end, t + 8), 16);
  }
}

/**
 * out = code of the child of rank 0, for `days` days from `from` on. `children` has the addresses of the
 * ranks and of the codes of each (u32).
 */
export function first8(children: usize, count: i32, out: usize, from: i32, days: i32): void {
  first<u8>(children, count, out, from, days);
}

export function first16(children: usize, count: i32, out: usize, from: i32, days: i32): void {
  first<u16>(children, count, out, from, days);
}

/** chosen += 1 where the rank is below `take` */
export function countChosen(ranks: usize, take: i32, chosen: usize, days: i32): void {
  const limit = i8x16.splat(<i8>take);
  for (const end = chosen + days; chosen < end; chosen += 16, ranks += 16) {
    v128.store(chosen, i8x16.sub(v128.load(chosen), i8x16.lt_u(v128.load(ranks), limit)));
  }
}

/** Whether each rank below `take` is that of a child, on 16 days. */
@inline
function hasRanksOn(counts: usize, end: usize, take: i32, t: usize): bool {
  for (let rank = 0; rank < take; rank++) {
    const wanted = i8x16.splat(<i8>rank);
    let found = i8x16.splat(0);
    for (let child = counts; child < end; child += 4) {
      found = v128.or(found, i8x16.eq(v128.load(<usize>load<u32>(child) + t), wanted));
    }
    if (!i8x16.all_true(found)) return false;
  }
  return true;
}

/**
 * 1 where some child has each rank below `take` on every one of the days [from, to), at least 16. `counts`
 * has the address (u32) of the ranks of each child.
 */
export function hasRanks(counts: usize, children: i32, take: i32, from: i32, to: i32): i32 {
  const end = counts + (<usize>children << 2);
  for (let t = from; t + 16 < to; t += 16) if (!hasRanksOn(counts, end, take, t)) return 0;
  return i32(hasRanksOn(counts, end, take, to - 16));
}

/** Days of [from, to) on which a mask holds. */
export function countDays(mask: usize, from: i32, to: i32): i32 {
  let count = 0;
  let t = from;
  for (; t + 16 <= to; t += 16) count += popcnt(i8x16.bitmask(v128.load(mask + t)));
  for (; t < to; t++) count += load<u8>(mask + t) & 1;
  return count;
}

/** Days of [from, to) on which a mask begins or ceases to hold; the day before `from` is read as well. */
export function countTurns(mask: usize, from: i32, to: i32): i32 {
  let count = 0;
  let t = from;
  for (; t + 16 <= to; t += 16) {
    const turns = v128.xor(v128.load(mask + t), v128.load(mask + t - 1));
    count += popcnt(i8x16.bitmask(turns));
  }
  for (; t < to; t++) count += (load<u8>(mask + t) ^ load<u8>(mask + t - 1)) & 1;
  return count;
}
