/**
 * Inverse volatility over tickers, weighed and simulated in one pass for 8 combinations side by side: their
 * returns are never written anywhere but into the first-level cache.
 *
 * How a combination is described stands in `shared.ts`; of three tickers those that are the same come first,
 * and before its first day it rests in cash. With u = 1 / deviation, a that of the day before grown by the
 * day's return, W the sum of u, S that of a, and V the W of the day before, the value grows by (S - s * sum
 * |u * S / W - a|) / V: no division but 1 / W.
 */
import { ones } from './constants';
import { addToSums, beginSegment, grow, SEGMENT } from './simulate';
import { INVERSE_COUNT, INVERSE_GROWN, INVERSE_HEAD_BYTES, INVERSE_TICKER_BYTES } from '../shared';

/** Half of what counts as a trade, in parts of the portfolio. */
const TRADED_HALF: f64 = 5e-13;

/** Bits that are set in every double from 2^-31 on, and not in smaller ones. */
const TRADED_BITS: i64 = 0x3e00000000000000;

/** `TRADED_HALF`, from the `one` of `ones`: V8 would put a constant together anew wherever a loop uses it. */
@inline
function leastTraded(one: v128): v128 {
  return f64x2.mul(one, f64x2.splat(TRADED_HALF));
}

/** Adds what is traded, halved, of two days in a vector, and the days with a trade, to those of a lane. */
@inline
function addMoved(moved: usize, share: v128, days: f64): void {
  store<f64>(moved, load<f64>(moved) + f64x2.extract_lane(share, 0) + f64x2.extract_lane(share, 1));
  store<f64>(moved, load<f64>(moved, 8) + days, 8);
}

/** Days that are weighed at a time, and bytes of a double for each. */
const WEIGHED: i32 = 64;
const DAYS_BYTES: usize = 512;
/** Bytes of their growth, 8 lanes a day, and of one more day or two. */
const GROWTH_BYTES: usize = 66 * 64;

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

/*
 * What is weighed of one lane lies in a work area behind the growth of all lanes, by day of the block: two
 * loops over it, one that weighs and one that sums up, fit the 16 vector registers, which one loop would not.
 * In bytes from the area:
 */
/** Whose pair sums are there: addresses of the two u (u32), first day and end (i32). */
const PAIR: usize = 0;
/** 1 / W; the two days before the block stand in front of it. */
const SCALES: usize = 64;
/** S. */
const GROWN: usize = SCALES + DAYS_BYTES;
/** Half of sum |u * S / W - a|. */
const MOVED: usize = GROWN + DAYS_BYTES;
/** Sums of the first two u, and of the first two a: neighbouring combinations often share these tickers. */
const PAIR_U: usize = MOVED + DAYS_BYTES;
const PAIR_A: usize = PAIR_U + DAYS_BYTES;

/** Sums up the first two tickers on the days [from, to), an even number. */
@inline
function sumPair(parts: usize, from: usize, to: usize, work: usize): void {
  const u0 = <usize>load<u32>(parts),
    a0 = <usize>load<u32>(parts, INVERSE_GROWN);
  const u1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES),
    a1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES + INVERSE_GROWN);
  store<u32>(work, u0, PAIR);
  store<u32>(work, u1, PAIR + 4);
  store<u32>(work, from, PAIR + 8);
  store<u32>(work, to, PAIR + 12);
  for (let o = from << 3, end = to << 3; o < end; o += 16, work += 16) {
    v128.store(work, f64x2.add(v128.load(u0 + o), v128.load(u1 + o)), PAIR_U);
    v128.store(work, f64x2.add(v128.load(a0 + o), v128.load(a1 + o)), PAIR_A);
  }
}

/** Whether the sums of the first two tickers on these days are there. */
@inline
function hasPair(parts: usize, from: usize, to: usize, work: usize): bool {
  return (
    load<u32>(work, PAIR) == load<u32>(parts) &&
    load<u32>(work, PAIR + 4) == load<u32>(parts, INVERSE_TICKER_BYTES) &&
    load<u32>(work, PAIR + 8) == from &&
    load<u32>(work, PAIR + 12) == to
  );
}

/** Whether the next of three tickers each begins with the same two. */
@inline
function isSamePair(parts: usize, next: usize): bool {
  const others = next + INVERSE_HEAD_BYTES;
  return load<i32>(next, INVERSE_COUNT) == 3 && load<u32>(parts) == load<u32>(others)
    && load<u32>(parts, INVERSE_TICKER_BYTES) == load<u32>(others, INVERSE_TICKER_BYTES);
}

/**
 * Half of what is moved of three tickers: what is bought of the first, sold of the second, and either of the
 * third, where the largest is as large as the other two together. Of two changes of the same sign that is the
 * larger one, of others their distance.
 */
@inline
function movedOfThree(x0: v128, y0: v128, x1: v128, y1: v128, now: v128, zero: v128): v128 {
  const d0 = f64x2.sub(f64x2.mul(x0, now), y0), d1 = f64x2.sub(y1, f64x2.mul(x1, now));
  return f64x2.sub(f64x2.pmax(f64x2.pmax(d0, d1), zero), f64x2.pmin(f64x2.pmin(d0, d1), zero));
}

/** Bits of a double without its sign; made from the `one` of `ones` as `leastTraded` is. */
@inline
function withoutSign(one: v128): v128 {
  return i64x2.shr_u(f64x2.eq(one, one), 1);
}

/**
 * Weighs three tickers on the days [from, to), an even number, into the work area; where `Pair` is an integer
 * with the sums of the first two: a type, since of two calls that differ in a value the compiler makes one
 * again. The body of the loop is written twice, for two days each, so that its addresses are counted up half
 * as often; of an odd number of pairs of days the last one leaves it in the middle.
 */
function weighThree<Pair>(parts: usize, from: usize, to: usize, work: usize): void {
  const one = ones(parts),
    zero = f64x2.splat(0.0);
  let u0 = <usize>load<u32>(parts) + (from << 3),
    a0 = <usize>load<u32>(parts, INVERSE_GROWN) + (from << 3);
  let u1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES) + (from << 3),
    a1 = <usize>load<u32>(parts, INVERSE_TICKER_BYTES + INVERSE_GROWN) + (from << 3);
  let u2 = <usize>load<u32>(parts, 2 * INVERSE_TICKER_BYTES) + (from << 3),
    a2 = <usize>load<u32>(parts, 2 * INVERSE_TICKER_BYTES + INVERSE_GROWN) + (from << 3);
  v128.store(
    work,
    f64x2.div(one, f64x2.add(f64x2.add(v128.load(u0 - 16), v128.load(u1 - 16)), v128.load(u2 - 16))),
    SCALES - 16,
  );
  let x0: v128, x1: v128, y0: v128, y1: v128, scale: v128, s: v128;
  for (const end = work + ((to - from) << 3); work < end; work += 32) {
    x0 = v128.load(u0), x1 = v128.load(u1), y0 = v128.load(a0), y1 = v128.load(a1);
    scale = f64x2.div(one, f64x2.add(isInteger<Pair>() ? v128.load(work, PAIR_U) : f64x2.add(x0, x1), v128.load(u2)));
    s = f64x2.add(isInteger<Pair>() ? v128.load(work, PAIR_A) : f64x2.add(y0, y1), v128.load(a2));
    v128.store(work, scale, SCALES);
    v128.store(work, s, GROWN);
    v128.store(work, movedOfThree(x0, y0, x1, y1, f64x2.mul(scale, s), zero), MOVED);
    if (work + 16 == end) break;
    (x0 = v128.load(u0, 16)), (x1 = v128.load(u1, 16)), (y0 = v128.load(a0, 16)), (y1 = v128.load(a1, 16));
    scale = f64x2.div(
      one,
      f64x2.add(isInteger<Pair>() ? v128.load(work, PAIR_U + 16) : f64x2.add(x0, x1), v128.load(u2, 16)),
    );
    s = f64x2.add(isInteger<Pair>() ? v128.load(work, PAIR_A + 16) : f64x2.add(y0, y1), v128.load(a2, 16));
    v128.store(work, scale, SCALES + 16);
    v128.store(work, s, GROWN + 16);
    v128.store(work, movedOfThree(x0, y0, x1, y1, f64x2.mul(scale, s), zero), MOVED + 16);
    u0 += 32; u1 += 32; u2 += 32; a0 += 32; a1 += 32; a2 += 32;
  }
}

/**
 * The same of two tickers; with `isDouble` the first one counts twice, as in a list of three that names it
 * twice. Their two differences are each as large as the other.
 */
@inline
function weighTwo(once: usize, often: usize, isDouble: bool, from: usize, to: usize, work: usize): void {
  const one = ones(once), size = withoutSign(one);
  let u0 = <usize>load<u32>(often) + (from << 3), a0 = <usize>load<u32>(often, INVERSE_GROWN) + (from << 3);
  let u1 = <usize>load<u32>(once) + (from << 3), a1 = <usize>load<u32>(once, INVERSE_GROWN) + (from << 3);
  const x = v128.load(u0 - 16);
  v128.store(work, f64x2.div(one, f64x2.add(isDouble ? f64x2.add(x, x) : x, v128.load(u1 - 16))), SCALES - 16);
  let x0: v128, x1: v128, y0: v128, y1: v128, scale: v128, s: v128;
  for (const end = work + ((to - from) << 3); work < end; work += 32) {
    x0 = v128.load(u0), x1 = v128.load(u1), y0 = v128.load(a0), y1 = v128.load(a1);
    scale = f64x2.div(one, f64x2.add(isDouble ? f64x2.add(x0, x0) : x0, x1));
    s = f64x2.add(isDouble ? f64x2.add(y0, y0) : y0, y1);
    v128.store(work, scale, SCALES);
    v128.store(work, s, GROWN);
    v128.store(work, v128.and(f64x2.sub(f64x2.mul(x1, f64x2.mul(scale, s)), y1), size), MOVED);
    if (work + 16 == end) break;
    x0 = v128.load(u0, 16), x1 = v128.load(u1, 16), y0 = v128.load(a0, 16), y1 = v128.load(a1, 16);
    scale = f64x2.div(one, f64x2.add(isDouble ? f64x2.add(x0, x0) : x0, x1));
    s = f64x2.add(isDouble ? f64x2.add(y0, y0) : y0, y1);
    v128.store(work, scale, SCALES + 16);
    v128.store(work, s, GROWN + 16);
    v128.store(work, v128.and(f64x2.sub(f64x2.mul(x1, f64x2.mul(scale, s)), y1), size), MOVED + 16);
    u0 += 32; u1 += 32; a0 += 32; a1 += 32;
  }
}

/**
 * Sums up what is weighed on so many days, an even number: growth of each day to `buffer` (8 lanes a day),
 * power sums of the returns to `sums` (8 lanes of each), what is traded to `moved`.
 */
function sumWeighed(
  work: usize,
  days: i32,
  slippage: f64,
  buffer: usize,
  sums: usize,
  moved: usize,
  benchmark: usize,
): void {
  const zero = f64x2.splat(0.0),
    one = ones(work),
    twice = f64x2.splat(2.0 * slippage);
  let p1 = zero,
    p2 = zero,
    p3 = zero,
    p4 = zero,
    p5 = zero,
    p6 = zero,
    p7 = zero,
    common = i64x2.splat(-1);
  let s: v128, half: v128, share: v128, f: v128, r: v128, square: v128;
  // Written twice, as in `weighThree`.
  for (let at = work, end = work + (<usize>days << 3); at < end; at += 32, buffer += 256, benchmark += 32) {
    s = v128.load(at, GROWN), half = v128.load(at, MOVED);
    share = f64x2.div(half, s);
    p5 = f64x2.add(p5, share);
    common = v128.and(common, share);
    f = f64x2.mul(v128.load(at, SCALES - 8), f64x2.sub(s, f64x2.mul(twice, half)));
    v128.store64_lane(buffer, f, 0, 0);
    v128.store64_lane(buffer, f, 1, 64);
    r = f64x2.sub(f, one), square = f64x2.mul(r, r);
    p1 = f64x2.add(p1, r);
    p2 = f64x2.add(p2, square);
    p3 = f64x2.add(p3, f64x2.mul(square, r));
    p4 = f64x2.add(p4, f64x2.mul(square, square));
    p6 = f64x2.add(p6, f64x2.mul(r, v128.load(benchmark)));
    // Compared as integers, which no unit is busy with that the sums need.
    p7 = f64x2.add(p7, v128.and(square, i64x2.gt_s(one, f)));
    if (at + 16 == end) break;
    s = v128.load(at, GROWN + 16), half = v128.load(at, MOVED + 16);
    share = f64x2.div(half, s);
    p5 = f64x2.add(p5, share);
    common = v128.and(common, share);
    f = f64x2.mul(v128.load(at, SCALES + 8), f64x2.sub(s, f64x2.mul(twice, half)));
    v128.store64_lane(buffer, f, 0, 128);
    v128.store64_lane(buffer, f, 1, 192);
    r = f64x2.sub(f, one), square = f64x2.mul(r, r);
    p1 = f64x2.add(p1, r);
    p2 = f64x2.add(p2, square);
    p3 = f64x2.add(p3, f64x2.mul(square, r));
    p4 = f64x2.add(p4, f64x2.mul(square, square));
    p6 = f64x2.add(p6, f64x2.mul(r, v128.load(benchmark, 16)));
    p7 = f64x2.add(p7, v128.and(square, i64x2.gt_s(one, f)));
  }
  addToSums(sums, p1, p2, p3, p4, p6, p7);
  // Nearly always much more is traded on every day: bits in common tell. What is not a number has them, too.
  const isTraded = v128.and(
    i64x2.eq(v128.and(common, i64x2.splat(TRADED_BITS)), i64x2.splat(TRADED_BITS)),
    f64x2.eq(p5, p5),
  );
  addMoved(moved, p5, i64x2.all_true(isTraded) ? f64(days) : f64(tradedDays(work, days)));
}

/** Days of those weighed on which something is traded. */
function tradedDays(work: usize, days: i32): i32 {
  let count = 0;
  for (const end = work + ((<usize>days) << 3); work < end; work += 8)
    count += i32(load<f64>(work, MOVED) / load<f64>(work, GROWN) > TRADED_HALF);
  return count;
}

@inline
function inverseOfSum(parts: usize, last: usize, o: usize, one: v128): v128 {
  let w = v128.load(<usize>load<u32>(parts) + o);
  for (let p = parts + INVERSE_TICKER_BYTES; p < last; p += INVERSE_TICKER_BYTES)
    w = f64x2.add(w, v128.load(<usize>load<u32>(p) + o));
  return f64x2.div(one, w);
}

/** The same of any number of tickers and days; `buffer` has room for one more day. */
@inline
function weighAny(
  parts: usize,
  count: usize,
  slippage: f64,
  from: usize,
  to: usize,
  buffer: usize,
  sums: usize,
  moved: usize,
  benchmark: usize,
): void {
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
    for (let p = parts + INVERSE_TICKER_BYTES; p < last; p += INVERSE_TICKER_BYTES)
      s = f64x2.add(s, v128.load(<usize>load<u32>(p, INVERSE_GROWN) + o));
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
  addMoved(moved, p5, <f64>(i64x2.extract_lane(days, 0) + i64x2.extract_lane(days, 1)));
}

/** One lane of the days [from, to); `next` is the description of the one behind it, or its own. */
@inline
function weigh(
  description: usize,
  next: usize,
  slippage: f64,
  from: i32,
  to: i32,
  work: usize,
  buffer: usize,
  sums: usize,
  moved: usize,
  benchmark: usize,
): void {
  let t = from;
  for (const begin = min(max(from, load<i32>(description)), to); t < begin; t++, buffer += 64) store<f64>(buffer, 1.0);
  const count = load<i32>(description, INVERSE_COUNT), parts = description + INVERSE_HEAD_BYTES;
  const even = t + ((to - t) & ~1);
  if ((count == 2 || count == 3) && t < even) {
    if (count == 2) weighTwo(parts + INVERSE_TICKER_BYTES, parts, false, t, even, work);
    else if (load<u32>(parts) == load<u32>(parts, INVERSE_TICKER_BYTES))
      weighTwo(parts + 2 * INVERSE_TICKER_BYTES, parts, true, t, even, work);
    else {
      let isPair = hasPair(parts, t, even, work);
      if (!isPair && next != description && isSamePair(parts, next)) {
        sumPair(parts, t, even, work);
        isPair = true;
      }
      if (isPair) weighThree<i32>(parts, t, even, work);
      else weighThree<f64>(parts, t, even, work);
    }
    sumWeighed(work, even - t, slippage, buffer, sums, moved, benchmark + (<usize>t << 3));
    buffer += <usize>(even - t) << 6;
    t = even;
  }
  if (t < to) weighAny(parts, count, slippage, t, to, buffer, sums, moved, benchmark);
}

/**
 * The simulation pass (see `simulate.ts`) over any number of combinations of inverse volatility: `lanes`
 * holds the addresses of their descriptions. Each 8 of them write their segments to `out` behind those
 * before. All go through a block of days before the next one begins, so that the columns of tickers that they
 * share are still in a cache. `scratch` has room for `SIMULATION_SCRATCH` bytes. Two doubles per combination
 * are added to at `moved`: half of what is traded, and the days with a trade.
 */
export function simulateInverse(
  lanes: usize, count: i32, slippage: f64, cuts: usize, segments: i32, out: usize, scratch: usize, moved: usize,
  benchmark: usize,
): void {
  const end = lanes + (<usize>count << 2), bytes = <usize>segments * SEGMENT;
  const work = scratch + GROWTH_BYTES;
  // What another call left is of other columns.
  memory.fill(work + PAIR, 0, 16);
  for (let i = 0; i < segments; i++, out += SEGMENT, cuts += 4) {
    const last = load<i32>(cuts + 4);
    for (let eight = lanes, target = out; eight < end; eight += 32, target += bytes) beginSegment(target, i == 0);
    // Blocks lie on the calendar, not behind the cut: a combination's sums are taken in the same order
    // whoever runs beside it.
    for (let t = load<i32>(cuts), to = t; t < last; t = to) {
      to = min((t & ~(WEIGHED - 1)) + WEIGHED, last);
      let movedBy = moved;
      for (let eight = lanes, target = out; eight < end; eight += 32, target += bytes) {
        let buffer = scratch,
          sums = target;
        for (
          let lane = eight, stop = min(eight + 32, end);
          lane < stop;
          lane += 4, buffer += 8, sums += 8, movedBy += 16
        ) {
          const next = <usize>load<u32>(min(lane + 4, end - 4));
          weigh(<usize>load<u32>(lane), next, slippage, t, to, work, buffer, sums, movedBy, benchmark);
        }
        grow(scratch, to - t, target + 256);
      }
    }
  }
}
