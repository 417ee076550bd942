/**
 * Portfolios of several holdings. A slot is a part of the portfolio: on each day it holds one ticker (its code, 0 is cash) with a share
 * of the whole. `slots` describes them, 16 bytes each: address of the codes (u32), 0 or the address of a share per day (u32), the
 * constant share (f64). Rows of `table` are daily returns by code; row 0 is zero.
 */

@inline
function code<C>(slot: usize, day: usize): usize {
  return <usize>load<C>(<usize>load<u32>(slot) + day * sizeof<C>());
}

@inline
function share(slot: usize, day: usize): f64 {
  const column = <usize>load<u32>(slot + 4);
  return column == 0 ? load<f64>(slot + 8) : load<f64>(column + (day << 3));
}

/** out[t] = return of day t of what was held at t-1, without costs. */
@inline
function gross<C>(slots: usize, count: i32, table: usize, stride: usize, from: i32, to: i32, out: usize): void {
  const end = slots + <usize>count * 16;
  for (let t = <usize>from; t < <usize>to; t++) {
    let g: f64 = 0;
    for (let s = slots; s < end; s += 16) {
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
 * |w * (1 + g) - h * (1 + r)|: no division. `net` has a double per code, all zero before and after: it nets slots of the same ticker.
 */
@inline
function netted<C>(slots: usize, end: usize, table: usize, stride: usize, t: usize, slippage: f64, net: usize): f64 {
  let g: f64 = 0;
  for (let s = slots; s < end; s += 16) {
    const c = code<C>(s, t - 1);
    const h = share(s, t - 1), r = load<f64>(table + c * stride + (t << 3));
    g += h * r;
    const o = net + (c << 3);
    store<f64>(o, load<f64>(o) - h * (1.0 + r));
  }
  const growth = 1.0 + g;
  for (let s = slots; s < end; s += 16) {
    const o = net + (code<C>(s, t) << 3);
    store<f64>(o, load<f64>(o) + share(s, t) * growth);
  }
  store<f64>(net, 0);
  let turnover: f64 = 0;
  for (let s = slots; s < end; s += 16) {
    let o = net + (code<C>(s, t - 1) << 3);
    turnover += abs(load<f64>(o));
    store<f64>(o, 0);
    o = net + (code<C>(s, t) << 3);
    turnover += abs(load<f64>(o));
    store<f64>(o, 0);
  }
  return g - slippage * turnover;
}

@inline
function weighted<C>(
  slots: usize, count: i32, table: usize, stride: usize, slippage: f64, net: usize, from: i32, to: i32, out: usize,
): void {
  const end = slots + <usize>count * 16;
  for (let t = <usize>from; t < <usize>to; t++) {
    store<f64>(out + (t << 3), netted<C>(slots, end, table, stride, t, slippage, net));
  }
}

/** out[t] = return of day t after costs, for the days [from, to); from is at least 1. */
export function weighted8(
  slots: usize, count: i32, table: usize, stride: usize, slippage: f64, net: usize, from: i32, to: i32, out: usize,
): void {
  weighted<u8>(slots, count, table, stride, slippage, net, from, to, out);
}

export function weighted16(
  slots: usize, count: i32, table: usize, stride: usize, slippage: f64, net: usize, from: i32, to: i32, out: usize,
): void {
  weighted<u16>(slots, count, table, stride, slippage, net, from, to, out);
}

/**
 * Shares by inverse volatility: `inputs` and `outputs` hold `count` addresses (u32) of deviations and of shares. Where
 * deviations are 0, those children share all of it.
 */
export function inverseShares(inputs: usize, outputs: usize, count: i32, from: i32, to: i32): void {
  const bytes = <usize>count * 4;
  for (let t = <usize>from; t < <usize>to; t++) {
    const o = t << 3;
    let sum: f64 = 0, zeros = 0;
    for (let i: usize = 0; i < bytes; i += 4) {
      const s = load<f64>(<usize>load<u32>(inputs + i) + o);
      zeros += i32(s == 0);
      sum += 1.0 / s;
    }
    if (zeros == 0) {
      const scale = 1.0 / sum;
      for (let i: usize = 0; i < bytes; i += 4) {
        store<f64>(<usize>load<u32>(outputs + i) + o, scale / load<f64>(<usize>load<u32>(inputs + i) + o));
      }
    } else {
      const each = 1.0 / f64(zeros);
      for (let i: usize = 0; i < bytes; i += 4) {
        const s = load<f64>(<usize>load<u32>(inputs + i) + o);
        store<f64>(<usize>load<u32>(outputs + i) + o, s == 0 ? each : 0);
      }
    }
  }
}

/** out = a * b, days [from, to). */
export function multiply(a: usize, b: usize, out: usize, from: i32, to: i32): void {
  for (let o = <usize>from << 3, end = <usize>to << 3; o < end; o += 8) {
    store<f64>(out + o, load<f64>(a + o) * load<f64>(b + o));
  }
}

/** out = a * number, days [from, to). */
export function scale(a: usize, number: f64, out: usize, from: i32, to: i32): void {
  for (let o = <usize>from << 3, end = <usize>to << 3; o < end; o += 8) store<f64>(out + o, load<f64>(a + o) * number);
}

/** out |= a (bits) where the mask holds: shares of the one mask that holds. */
export function maskedInto64(mask: usize, a: usize, out: usize, days: i32): void {
  for (const end = out + 8 * days; out < end; out += 16, mask += 2, a += 16) {
    const two = i32(load<i16>(mask));
    const wide = i64x2.replace_lane(i64x2.splat(i64(i8(two))), 1, i64(i8(two >> 8)));
    v128.store(out, v128.or(v128.load(out), v128.and(v128.load(a), wide)));
  }
}
