/**
 * Inverse volatility over tickers, weighed and simulated in one pass for 8 combinations side by side: their returns are never written anywhere but
 * into the first-level cache.
 *
 * How a combination is described stands in `shared.ts`; of three tickers those that are the same come first, and before its first day it rests in cash. With u
 * = 1 / deviation, a that of the day before grown by the day's return, W the sum of u, S that of a, and V the W
 * of the day before, the value grows by (S - s * sum |u * S / W - a|) / V: no division but 1 / W.
 */
import { ones } from './constants';
import { addToSums, beginSegment, grow, SEGMENT } from './simulate';
import { INVERSE_COUNT, INVERSE_GROWN, INVERSE_HEAD_BYTES, INVERSE_TICKER_BYTES } from '../shared';

/** Half of what counts as a trade, in parts of the portfolio. */
const TRADED_HALF: f64 = 5e-13;

/** `TRADED_HALF`, from the `one` of `ones`: V8 would put a constant together anew wherever a loop uses it. */
@inline
function leastTraded(one: v128): v128 {
  return f64x2.mul(one, f64x2.splat(TRADED_HALF));
}

/** Adds what is traded, halved, and the days with a trade, each of two days in a vector, to those of a lane. */
@inline
function addMoved(moved: usize, share: v128, days: v128): void {
  store<f64>(moved, load<f64>(moved) + f64x2.extract_lane(share, 0) + f64x2.extract_lane(share, 1));
  store<f64>(moved, load<f64>(moved, 8) + <f64>(i64x2.extract_lane(days, 0) + i64x2.extract_lane(days, 1)), 8);
}

/** Days that are weighed at a time. */
const WEIGHED: i32 = 64;

/** out[t] = u[t-1] * (1 + return[t]) for the days [from, to) and possibly one more. */
export function grown(u: usize, returns: usize, out: usize, from: i32, to: i32): void {
  const one = ones(out);
  for (let o = <usize>from << 3, last = <usize>to << 3; o < last; o += 16) {
    v128.store(out + o, f64x2.mul(v128.load(u + o - 8), f64x2.add(one, v128.load(returns + o))));
  }
}

/** Growth of two days, 8 lanes a day. */
@inline
function storeGrowth(buffer: usize, growth: v128): void {
  v128.store64_lane(buffer, growth, 0);
  v128.store64_lane(buffer, growth, 1, 64);
}

@inline
function inverseOfThree(u0: usize, u1: usize, u2: usize, o: usize, one: v128): v128 {
  return f64x2.div(one, f64x2.add(f64x2.add(v128.load(u0 + o), v128.load(u1 + o)), v128.load(u2 + o)));
}

/**
 * Weighs three tickers on the days [from, to), an even number: growth of each day to `buffer` (8 lanes a day), power sums of the returns to
 * `sums` (8 lanes of each).
 */
@inline
function weighThree(parts: usize, slippage: f64, from: usize, to: usize, buffer: usize, sums: usize, moved: usize, benchmark: usize): void {
  const zero = f64x2.splat(0.0);
  let p6 = zero, p7 = zero;
  const one = ones(parts), twice = f64x2.splat(2.0 * slippage), least = leastTraded(one);
  const u0 = <usize>load<u32>(parts), a0 = <usize>load<u32>(parts, INVERSE_GROWN);
  const u1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES), a1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES + INVERSE_GROWN);
  const u2 = <usize>load<u32>(parts, 2 * INVERSE_TICKER_BYTES), a2 = <usize>load<u32>(parts, 2 * INVERSE_TICKER_BYTES + INVERSE_GROWN);
  let p1 = f64x2.splat(0.0), p2 = p1, p3 = p1, p4 = p1, p5 = p1, days = i64x2.splat(0);
  let scale = inverseOfThree(u0, u1, u2, (from << 3) - 16, one);
  for (let o = from << 3, end = to << 3; o < end; o += 16, buffer += 128) {
    const x0 = v128.load(u0 + o), x1 = v128.load(u1 + o);
    const next = f64x2.div(one, f64x2.add(f64x2.add(x0, x1), v128.load(u2 + o)));
    const before = v128.shuffle<f64>(scale, next, 1, 2);
    scale = next;
    const y0 = v128.load(a0 + o), y1 = v128.load(a1 + o);
    const s = f64x2.add(f64x2.add(y0, y1), v128.load(a2 + o));
    const now = f64x2.mul(next, s);
    // The three differences add up to 0: the largest is as large as the other two together.
    const d0 = f64x2.sub(f64x2.mul(x0, now), y0), d1 = f64x2.sub(f64x2.mul(x1, now), y1);
    const largest = f64x2.pmax(f64x2.pmax(f64x2.abs(d0), f64x2.abs(d1)), f64x2.abs(f64x2.add(d0, d1)));
    const f = f64x2.mul(before, f64x2.sub(s, f64x2.mul(twice, largest)));
    const share = f64x2.div(largest, s);
    p5 = f64x2.add(p5, share);
    days = i64x2.sub(days, f64x2.gt(share, least));
    storeGrowth(buffer, f);
    const r = f64x2.sub(f, one), square = f64x2.mul(r, r);
    p1 = f64x2.add(p1, r);
    p2 = f64x2.add(p2, square);
    p3 = f64x2.add(p3, f64x2.mul(square, r));
    p4 = f64x2.add(p4, f64x2.mul(square, square));
    p6 = f64x2.add(p6, f64x2.mul(r, v128.load(benchmark + o)));
    p7 = f64x2.add(p7, f64x2.mul(r, f64x2.pmin(zero, r)));
  }
  addToSums(sums, p1, p2, p3, p4, p6, p7);
  addMoved(moved, p5, days);
}

/**
 * The same of two tickers; with `isDouble` the first one counts twice, as in a list of three that names it twice. Their two differences are each
 * as large as the other.
 */
@inline
function weighTwo(
  once: usize, often: usize, isDouble: bool, slippage: f64, from: usize, to: usize, buffer: usize, sums: usize, moved: usize,
  benchmark: usize,
): void {
  const zero = f64x2.splat(0.0);
  let p6 = zero, p7 = zero;
  const one = ones(once), twice = f64x2.splat(2.0 * slippage), least = leastTraded(one);
  const u0 = <usize>load<u32>(often), a0 = <usize>load<u32>(often, INVERSE_GROWN);
  const u1 = <usize>load<u32>(once), a1 = <usize>load<u32>(once, INVERSE_GROWN);
  let p1 = f64x2.splat(0.0), p2 = p1, p3 = p1, p4 = p1, p5 = p1, days = i64x2.splat(0);
  const x = v128.load(u0 + (from << 3) - 16);
  let scale = f64x2.div(one, f64x2.add(isDouble ? f64x2.add(x, x) : x, v128.load(u1 + (from << 3) - 16)));
  for (let o = from << 3, end = to << 3; o < end; o += 16, buffer += 128) {
    const x0 = v128.load(u0 + o), x1 = v128.load(u1 + o);
    const next = f64x2.div(one, f64x2.add(isDouble ? f64x2.add(x0, x0) : x0, x1));
    const before = v128.shuffle<f64>(scale, next, 1, 2);
    scale = next;
    const y0 = v128.load(a0 + o), y1 = v128.load(a1 + o);
    const s = f64x2.add(isDouble ? f64x2.add(y0, y0) : y0, y1);
    const difference = f64x2.abs(f64x2.sub(f64x2.mul(x1, f64x2.mul(next, s)), y1));
    const f = f64x2.mul(before, f64x2.sub(s, f64x2.mul(twice, difference)));
    const share = f64x2.div(difference, s);
    p5 = f64x2.add(p5, share);
    days = i64x2.sub(days, f64x2.gt(share, least));
    storeGrowth(buffer, f);
    const r = f64x2.sub(f, one), square = f64x2.mul(r, r);
    p1 = f64x2.add(p1, r);
    p2 = f64x2.add(p2, square);
    p3 = f64x2.add(p3, f64x2.mul(square, r));
    p4 = f64x2.add(p4, f64x2.mul(square, square));
    p6 = f64x2.add(p6, f64x2.mul(r, v128.load(benchmark + o)));
    p7 = f64x2.add(p7, f64x2.mul(r, f64x2.pmin(zero, r)));
  }
  addToSums(sums, p1, p2, p3, p4, p6, p7);
  addMoved(moved, p5, days);
}

@inline
function inverseOfSum(parts: usize, last: usize, o: usize, one: v128): v128 {
  let w = v128.load(<usize>load<u32>(parts) + o);
  for (let p = parts + INVERSE_TICKER_BYTES; p < last; p += INVERSE_TICKER_BYTES) w = f64x2.add(w, v128.load(<usize>load<u32>(p) + o));
  return f64x2.div(one, w);
}

/** The same of any number of tickers and days; `buffer` has room for one more day. */
@inline
function weighAny(parts: usize, count: usize, slippage: f64, from: usize, to: usize, buffer: usize, sums: usize, moved: usize, benchmark: usize): void {
  const zero = f64x2.splat(0.0);
  let p6 = zero, p7 = zero;
  const one = ones(parts), slip = f64x2.splat(slippage), least = leastTraded(one);
  const last = parts + count * INVERSE_TICKER_BYTES;
  let p1 = f64x2.splat(0.0), p2 = p1, p3 = p1, p4 = p1, p5 = p1, days = i64x2.splat(0);
  let scale = inverseOfSum(parts, last, (from << 3) - 16, one);
  for (let o = from << 3, end = to << 3; o < end; o += 16, buffer += 128) {
    const next = inverseOfSum(parts, last, o, one);
    const before = v128.shuffle<f64>(scale, next, 1, 2);
    scale = next;
    let s = v128.load(<usize>load<u32>(parts, INVERSE_GROWN) + o);
    for (let p = parts + INVERSE_TICKER_BYTES; p < last; p += INVERSE_TICKER_BYTES) s = f64x2.add(s, v128.load(<usize>load<u32>(p, INVERSE_GROWN) + o));
    const now = f64x2.mul(next, s);
    let turnover = f64x2.splat(0.0);
    for (let p = parts; p < last; p += INVERSE_TICKER_BYTES) {
      const wanted = f64x2.mul(v128.load(<usize>load<u32>(p) + o), now);
      turnover = f64x2.add(turnover, f64x2.abs(f64x2.sub(wanted, v128.load(<usize>load<u32>(p, INVERSE_GROWN) + o))));
    }
    const f = f64x2.mul(before, f64x2.sub(s, f64x2.mul(slip, turnover)));
    storeGrowth(buffer, f);
    let r = f64x2.sub(f, one), share = f64x2.div(turnover, f64x2.add(s, s));
    if (o + 8 == end) {
      r = f64x2.replace_lane(r, 1, 0.0);
      share = f64x2.replace_lane(share, 1, 0.0);
    }
    p5 = f64x2.add(p5, share);
    days = i64x2.sub(days, f64x2.gt(share, least));
    const square = f64x2.mul(r, r);
    p1 = f64x2.add(p1, r);
    p2 = f64x2.add(p2, square);
    p3 = f64x2.add(p3, f64x2.mul(square, r));
    p4 = f64x2.add(p4, f64x2.mul(square, square));
    p6 = f64x2.add(p6, f64x2.mul(r, v128.load(benchmark + o)));
    p7 = f64x2.add(p7, f64x2.mul(r, f64x2.pmin(zero, r)));
  }
  addToSums(sums, p1, p2, p3, p4, p6, p7);
  addMoved(moved, p5, days);
}

/** One lane of the days [from, to). */
@inline
function weigh(description: usize, slippage: f64, from: i32, to: i32, buffer: usize, sums: usize, moved: usize, benchmark: usize): void {
  let t = from;
  for (const begin = min(max(from, load<i32>(description)), to); t < begin; t++, buffer += 64) store<f64>(buffer, 1.0);
  const count = load<i32>(description, INVERSE_COUNT), parts = description + INVERSE_HEAD_BYTES;
  const even = t + ((to - t) & ~1);
  if ((count == 2 || count == 3) && t < even) {
    if (count == 2) weighTwo(parts + INVERSE_TICKER_BYTES, parts, false, slippage, t, even, buffer, sums, moved, benchmark);
    else if (load<u32>(parts) == load<u32>(parts, INVERSE_TICKER_BYTES)) weighTwo(parts + 2 * INVERSE_TICKER_BYTES, parts, true, slippage, t, even, buffer, sums, moved, benchmark);
    else weighThree(parts, slippage, t, even, buffer, sums, moved, benchmark);
    buffer += <usize>(even - t) << 6;
    t = even;
  }
  if (t < to) weighAny(parts, count, slippage, t, to, buffer, sums, moved, benchmark);
}

/**
 * The simulation pass (see `simulate.ts`) over any number of combinations of inverse volatility: `lanes` holds the addresses of their descriptions. Each
 * 8 of them write their segments to `out` behind those before. All go through a segment before the next one begins, so that the columns of
 * tickers that they share are still in a cache. `scratch` has room for WEIGHED + 2 days of 8 doubles. Two doubles per combination
 * are added to at `moved`: half of what is traded, and the days with a trade.
 */
export function simulateInverse(
  lanes: usize, count: i32, slippage: f64, cuts: usize, segments: i32, out: usize, scratch: usize, moved: usize,
  benchmark: usize,
): void {
  const first = moved;
  const end = lanes + (<usize>count << 2), bytes = <usize>segments * SEGMENT;
  for (let i = 0; i < segments; i++, out += SEGMENT, cuts += 4) {
    const last = load<i32>(cuts + 4);
    let target = out;
    for (let eight = lanes; eight < end; eight += 32, target += bytes) {
      beginSegment(target, i == 0);
      const stop = min(eight + 32, end);
      // Blocks lie on the calendar, not behind the cut: a combination's sums are taken in the same order whoever runs beside it.
      for (let t = load<i32>(cuts), to = t; t < last; t = to) {
        to = min((t & ~(WEIGHED - 1)) + WEIGHED, last);
        let buffer = scratch, sums = target, moved = first + ((eight - lanes) << 2);
        for (let lane = eight; lane < stop; lane += 4, buffer += 8, sums += 8, moved += 16) {
          weigh(<usize>load<u32>(lane), slippage, t, to, buffer, sums, moved, benchmark);
        }
        grow(scratch, to - t, target + 256);
      }
    }
  }
}
