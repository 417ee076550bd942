/**
 * Portfolios of several holdings. A slot is a part of the portfolio: on each day it holds one ticker (its
 * code, 0 is cash) with a share of the whole. `slots` describes them (`shared.ts`). Rows of `table` are daily
 * returns by code; row 0 is zero.
 */

import { ones } from './constants';
import { SLOT_BYTES, SLOT_SHARE, SLOT_SHARES } from '../shared';

@inline
function code<C>(slot: usize, day: usize): usize {
  return <usize>load<C>(<usize>load<u32>(slot) + day * sizeof<C>());
}

@inline
function share(slot: usize, day: usize): f64 {
  const column = <usize>load<u32>(slot + SLOT_SHARES);
  return column == 0 ? load<f64>(slot + SLOT_SHARE) : load<f64>(column + (day << 3));
}

/** out[t] = return of day t of what was held at t-1, without costs. */
@inline
function gross<C>(slots: usize, count: i32, table: usize, stride: usize, from: i32, to: i32, out: usize): void {
  const end = slots + <usize>count * SLOT_BYTES;
  for (let t = <usize>from; t < <usize>to; t++) {
    let g: f64 = 0;
    for (let s = slots; s < end; s += SLOT_BYTES) {
      g += share(s, t - 1) * load<f64>(table + code<C>(s, t - 1) * stride + (t << 3));
    }
    store<f64>(out + (t << 3), g);
  }
}

export function gross8(slots: usize, count: i32, table: usize, stride: usize, from: i32, to: i32, out: usize): void {
  gross<u8>(slots, count, table, stride, from, to, out);
}

export function gross16(slots: usize, count: i32, table: usize, stride: usize, from: i32, to: i32, out: usize): void {
  gross<u16>(slots, count, table, stride, from, to, out);
}

/**
 * Return of one day after trading: V'/V = 1 + g, and the cost s * sum |w - d| of it, where (1 + g) * |w - d| =
 * |w * (1 + g) - h * (1 + r)|: no division. `net` has a double per code, all zero before and after: it nets
 * slots of the same ticker.
 */
@inline
function netted<C>(
  slots: usize,
  end: usize,
  table: usize,
  stride: usize,
  t: usize,
  slippage: f64,
  net: usize,
  moved: usize,
): f64 {
  let g: f64 = 0;
  for (let s = slots; s < end; s += SLOT_BYTES) {
    const c = code<C>(s, t - 1);
    const h = share(s, t - 1), r = load<f64>(table + c * stride + (t << 3));
    g += h * r;
    const o = net + (c << 3);
    store<f64>(o, load<f64>(o) - h * (1.0 + r));
  }
  const growth = 1.0 + g;
  for (let s = slots; s < end; s += SLOT_BYTES) {
    const o = net + (code<C>(s, t) << 3);
    store<f64>(o, load<f64>(o) + share(s, t) * growth);
  }
  store<f64>(net, 0);
  let turnover: f64 = 0;
  for (let s = slots; s < end; s += SLOT_BYTES) {
    let o = net + (code<C>(s, t - 1) << 3);
    turnover += abs(load<f64>(o));
    store<f64>(o, 0);
    o = net + (code<C>(s, t) << 3);
    turnover += abs(load<f64>(o));
    store<f64>(o, 0);
  }
  store<f64>(moved + (t << 3), turnover);
  return g - slippage * turnover;
}

@inline
function trade<C>(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  slippage: f64,
  net: usize,
  marks: usize,
  from: i32,
  to: i32,
  out: usize,
  moved: usize,
): void {
  const end = slots + <usize>count * SLOT_BYTES;
  let t = <usize>from;
  const last = <usize>to;
  while (t < last) {
    if (!v128.any_true(v128.load(marks + t))) {
      t += 16;
      continue;
    }
    for (const stop = min(t + 16, last); t < stop; t++) {
      if (load<u8>(marks + t) == 0) continue;
      store<f64>(out + (t << 3), netted<C>(slots, end, table, stride, t, slippage, net, moved));
    }
  }
}

/**
 * out[t] = return of day t after costs, for the marked days of [from, to); from is at least 1. The marks run
 * on for 16 days.
 */
export function trade8(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  slippage: f64,
  net: usize,
  marks: usize,
  from: i32,
  to: i32,
  out: usize,
  moved: usize,
): void {
  trade<u8>(slots, count, table, stride, slippage, net, marks, from, to, out, moved);
}

export function trade16(
  slots: usize,
  count: i32,
  table: usize,
  stride: usize,
  slippage: f64,
  net: usize,
  marks: usize,
  from: i32,
  to: i32,
  out: usize,
  moved: usize,
): void {
  trade<u16>(slots, count, table, stride, slippage, net, marks, from, to, out, moved);
}

/** The days of 16 from `t` on whose code is not that of the day before, a bit each. */
@inline
function changedOf<C>(codes: usize, t: usize): i32 {
  const at = codes + t * sizeof<C>();
  if (sizeof<C>() == 1) return i8x16.bitmask(i8x16.ne(v128.load(at), v128.load(at - 1)));
  const low = i16x8.ne(v128.load(at), v128.load(at - 2)), high = i16x8.ne(v128.load(at, 16), v128.load(at + 14));
  return i16x8.bitmask(low) | (i16x8.bitmask(high) << 8);
}

/** 16 days from `t` on that hold one ticker, and the last of them may trade it. */
@inline
function copySixteen(row: usize, o: usize, earned: usize, costs: usize): void {
  for (let i: usize = 0; i < 128; i += 16) {
    const r = v128.load(row + o + i);
    v128.store(earned + o + i, r);
    v128.store(costs + o + i, r);
  }
}

@inline
function gather<C>(codes: usize, table: usize, stride: usize, from: i32, to: i32, earned: usize, costs: usize): i32 {
  let cash: i32 = 0;
  let t = <usize>from;
  for (const end = <usize>to; t + 16 <= end; t += 16) {
    let changed = changedOf<C>(codes, t);
    // The code of a day counts for the return of the next one: a change on the last of the days leaves all of
    // them to one ticker.
    if ((changed & 0x7fff) == 0) {
      const c = <usize>load<C>(codes + (t - 1) * sizeof<C>());
      cash |= i32(c == 0);
      copySixteen(table + c * stride, t << 3, earned, costs);
    } else {
      for (let i = t; i < t + 16; i++) {
        const c = <usize>load<C>(codes + (i - 1) * sizeof<C>());
        const r = load<f64>(table + c * stride + (i << 3));
        store<f64>(earned + (i << 3), r);
        store<f64>(costs + (i << 3), r);
        cash |= i32(c == 0);
      }
    }
    for (; changed != 0; changed &= changed - 1) {
      const o = (t + <usize>i32.ctz(changed)) << 3;
      store<f64>(costs + o, -2.0 - load<f64>(earned + o));
    }
  }
  let c = <usize>load<C>(codes + (t - 1) * sizeof<C>());
  for (; t < <usize>to; t++) {
    const r = load<f64>(table + c * stride + (t << 3));
    const now = <usize>load<C>(codes + t * sizeof<C>());
    store<f64>(earned + (t << 3), r);
    store<f64>(costs + (t << 3), select<f64>(r, -2.0 - r, now == c));
    cash |= i32(c == 0);
    c = now;
  }
  return cash | i32(c == 0);
}

/**
 * earned[t] = return of day t of the code of the day before; costs[t] the same, or -2 less that where the
 * code of t is another. Returns 1 where some code is cash.
 */
export function gather8(
  codes: usize,
  table: usize,
  stride: usize,
  from: i32,
  to: i32,
  earned: usize,
  costs: usize,
): i32 {
  return gather<u8>(codes, table, stride, from, to, earned, costs);
}

export function gather16(
  codes: usize,
  table: usize,
  stride: usize,
  from: i32,
  to: i32,
  earned: usize,
  costs: usize,
): i32 {
  return gather<u16>(codes, table, stride, from, to, earned, costs);
}

@inline
function investedShares<C>(codes: usize, shares: usize, constant: f64, from: i32, to: i32, out: usize): void {
  for (let t = <usize>from; t < <usize>to; t++) {
    const whole = shares == 0 ? constant : load<f64>(shares + (t << 3));
    store<f64>(out + (t << 3), load<C>(codes + t * sizeof<C>()) == 0 ? 0.0 : whole);
  }
}

/** out = the share (a column, or a constant where that is 0) on the days that it is not cash. */
export function investedShares8(codes: usize, shares: usize, constant: f64, from: i32, to: i32, out: usize): void {
  investedShares<u8>(codes, shares, constant, from, to, out);
}

export function investedShares16(codes: usize, shares: usize, constant: f64, from: i32, to: i32, out: usize): void {
  investedShares<u16>(codes, shares, constant, from, to, out);
}

@inline
function same8(x: v128, y: v128): v128 {
  return v128.and(i8x16.eq(x, y), i8x16.ne(x, i8x16.splat(0)));
}

/** marks |= a and b hold the same ticker on t or t-1, or one takes over a ticker from the other */
export function markSame8(a: usize, b: usize, marks: usize, from: i32, to: i32): void {
  for (let t = <usize>from; t < <usize>to; t += 16) {
    const x = v128.load(a + t), y = v128.load(b + t);
    const u = v128.load(a + t - 1), v = v128.load(b + t - 1);
    const same = v128.or(v128.or(same8(x, y), same8(u, v)), v128.or(same8(x, v), same8(u, y)));
    v128.store(marks + t, v128.or(v128.load(marks + t), same));
  }
}

@inline
function same16(x: v128, y: v128): v128 {
  return v128.and(i16x8.eq(x, y), i16x8.ne(x, i16x8.splat(0)));
}

export function markSame16(a: usize, b: usize, marks: usize, from: i32, to: i32): void {
  for (let t = <usize>from; t < <usize>to; t += 8) {
    const x = v128.load(a + (t << 1)), y = v128.load(b + (t << 1));
    const u = v128.load(a + (t << 1) - 2), v = v128.load(b + (t << 1) - 2);
    const same = v128.or(v128.or(same16(x, y), same16(u, v)), v128.or(same16(x, v), same16(u, y)));
    const bytes = i8x16.narrow_i16x8_s(same, same);
    store<u64>(marks + t, load<u64>(marks + t) | u64(i64x2.extract_lane(bytes, 0)));
  }
}

/** out = a + b, each a column or, where that is 0, a constant. */
export function addShares(a: usize, constantA: f64, b: usize, constantB: f64, from: i32, to: i32, out: usize): void {
  for (let o = <usize>from << 3, end = <usize>to << 3; o < end; o += 8) {
    const x = a == 0 ? constantA : load<f64>(a + o);
    store<f64>(out + o, x + (b == 0 ? constantB : load<f64>(b + o)));
  }
}

@inline
function sharesOfDay(inputs: usize, outputs: usize, bytes: usize, o: usize): void {
  let infinite = 0;
  let sum: f64 = 0;
  for (let i: usize = 0; i < bytes; i += 4) {
    const u = load<f64>(<usize>load<u32>(inputs + i) + o);
    infinite += i32(u == Infinity);
    sum += u;
  }
  const each = 1.0 / f64(infinite);
  for (let i: usize = 0; i < bytes; i += 4) {
    const u = load<f64>(<usize>load<u32>(inputs + i) + o);
    store<f64>(<usize>load<u32>(outputs + i) + o, infinite == 0 ? u / sum : u == Infinity ? each : 0.0);
  }
}

/**
 * Shares by inverse volatility: `inputs` and `outputs` hold `count` addresses (u32) of inverse deviations and
 * of shares. Where deviations are 0, those children share all of it. Two days at a time, so that one more may
 * be written.
 */
export function inverseShares(inputs: usize, outputs: usize, count: i32, from: i32, to: i32): void {
  const bytes = <usize>count * 4;
  const one = ones(inputs), infinity = f64x2.splat(Infinity);
  for (let o = <usize>from << 3, end = <usize>to << 3; o < end; o += 16) {
    let sum = v128.load(<usize>load<u32>(inputs) + o);
    for (let i: usize = 4; i < bytes; i += 4) sum = f64x2.add(sum, v128.load(<usize>load<u32>(inputs + i) + o));
    if (v128.any_true(f64x2.eq(sum, infinity))) {
      sharesOfDay(inputs, outputs, bytes, o);
      sharesOfDay(inputs, outputs, bytes, o + 8);
      continue;
    }
    const scale = f64x2.div(one, sum);
    for (let i: usize = 0; i < bytes; i += 4) {
      const u = v128.load(<usize>load<u32>(inputs + i) + o);
      v128.store(<usize>load<u32>(outputs + i) + o, f64x2.mul(u, scale));
    }
  }
}

/** out = 1 / a, days [from, to); returns the number of days on which a is 0. */
export function invert(a: usize, out: usize, from: i32, to: i32): i32 {
  const one = ones(out), zero = f64x2.splat(0.0);
  let zeros = i64x2.splat(0);
  let o = <usize>from << 3;
  const end = <usize>to << 3;
  for (; o + 16 <= end; o += 16) {
    const x = v128.load(a + o);
    zeros = i64x2.sub(zeros, f64x2.eq(x, zero));
    v128.store(out + o, f64x2.div(one, x));
  }
  let count = i32(i64x2.extract_lane(zeros, 0) + i64x2.extract_lane(zeros, 1));
  if (o < end) {
    const x = load<f64>(a + o);
    count += i32(x == 0);
    store<f64>(out + o, 1.0 / x);
  }
  return count;
}

/** out = a * b, days [from, to) and possibly one more. */
export function multiply(a: usize, b: usize, out: usize, from: i32, to: i32): void {
  for (let o = <usize>from << 3, end = <usize>to << 3; o < end; o += 16) {
    v128.store(out + o, f64x2.mul(v128.load(a + o), v128.load(b + o)));
  }
}

/** out = a * number, days [from, to) and possibly one more. */
export function multiplyBy(a: usize, number: f64, out: usize, from: i32, to: i32): void {
  const factor = f64x2.splat(number);
  for (let o = (<usize>from) << 3, end = (<usize>to) << 3; o < end; o += 16)
    v128.store(out + o, f64x2.mul(v128.load(a + o), factor));
}

/** out |= a (bits) where the mask holds: shares of the one mask that holds. */
export function maskedInto64(mask: usize, a: usize, out: usize, days: i32): void {
  for (const end = out + 8 * days; out < end; out += 16, mask += 2, a += 16) {
    const two = i32(load<i16>(mask));
    const wide = i64x2.replace_lane(i64x2.splat(i64(i8(two))), 1, i64(i8(two >> 8)));
    v128.store(out, v128.or(v128.load(out), v128.and(v128.load(a), wide)));
  }
}
