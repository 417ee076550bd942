/**
 * The pass that turns daily returns into everything a result row needs, for 8 combinations side by side. All
 * addresses are byte offsets into the imported memory; nothing is checked here, the caller passes areas that
 * are long enough.
 *
 * Where lanes are codes, days go in blocks small enough for the first-level cache, twice over: first the
 * returns are gathered and their power sums taken, then growth and drawdown follow from the gathered returns.
 * In one loop the state would not fit the 16 vector registers.
 *
 * `lanes` holds 8 addresses (u32). `cuts` holds `segments + 1` days (i32): segment i runs over the days
 * [cuts[i], cuts[i+1]). Per segment 72 doubles are written to `out`, 8 lanes of each: sum of r, r^2, r^3, r^4
 * and growth within the segment, then value over its high, and the lowest of that so far (1 - lowest is the
 * drawdown; both run on from segment to segment), then the sums of the products with the benchmark's returns
 * (`benchmark`: a double a day) and of the squares of returns below 0. `scratch` has room for BLOCK * 8
 * doubles. With `half` other than 0 only the first 4 lanes have a result, at less cost.
 */
import { ones } from './constants';
import { BLOCK, gather } from './gather';
import { LANES, SEGMENT_BELOW_FIELD, SEGMENT_FIELDS, SEGMENT_PRODUCTS_FIELD } from '../shared';

/** Bytes of a segment, and where its sums of products and of squares below 0 begin. */
export const SEGMENT: usize = SEGMENT_FIELDS * LANES * 8;
const OTHERS: usize = SEGMENT_PRODUCTS_FIELD * LANES * 8;
const BELOW: usize = SEGMENT_BELOW_FIELD * LANES * 8;

/**
 * Growth and drawdown of 8 lanes over `days` gathered days; `state` is growth, value over high, and the
 * lowest of that.
 */
@inline
export function grow(buffer: usize, days: i32, state: usize): void {
  const one = ones(state);
  let v0 = v128.load(state),
    v1 = v128.load(state + 16),
    v2 = v128.load(state + 32),
    v3 = v128.load(state + 48);
  let q0 = v128.load(state + 64),
    q1 = v128.load(state + 80),
    q2 = v128.load(state + 96),
    q3 = v128.load(state + 112);
  let m0 = v128.load(state + 128),
    m1 = v128.load(state + 144),
    m2 = v128.load(state + 160),
    m3 = v128.load(state + 176);
  for (let end = buffer + <usize>days * 64; buffer < end; buffer += 64) {
    let f = v128.load(buffer);
    v0 = f64x2.mul(v0, f);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f));
    m0 = f64x2.pmin(m0, q0);
    f = v128.load(buffer, 16);
    v1 = f64x2.mul(v1, f);
    q1 = f64x2.pmin(one, f64x2.mul(q1, f));
    m1 = f64x2.pmin(m1, q1);
    f = v128.load(buffer, 32);
    v2 = f64x2.mul(v2, f);
    q2 = f64x2.pmin(one, f64x2.mul(q2, f));
    m2 = f64x2.pmin(m2, q2);
    f = v128.load(buffer, 48);
    v3 = f64x2.mul(v3, f);
    q3 = f64x2.pmin(one, f64x2.mul(q3, f));
    m3 = f64x2.pmin(m3, q3);
  }
  v128.store(state, v0); v128.store(state + 16, v1); v128.store(state + 32, v2); v128.store(state + 48, v3);
  v128.store(state + 64, q0); v128.store(state + 80, q1); v128.store(state + 96, q2); v128.store(state + 112, q3);
  v128.store(state + 128, m0); v128.store(state + 144, m1); v128.store(state + 160, m2); v128.store(state + 176, m3);
}

/** The same of 4 lanes of gathered returns; adds the squares of those below 0 to `belowAt`. */
@inline
function growFour(buffer: usize, days: i32, state: usize, belowAt: usize): void {
  const one = ones(state), zero = f64x2.splat(0.0);
  let v0 = v128.load(state), v1 = v128.load(state, 16);
  let q0 = v128.load(state, 64), q1 = v128.load(state, 80);
  let m0 = v128.load(state, 128), m1 = v128.load(state, 144);
  let n0 = v128.load(belowAt), n1 = v128.load(belowAt, 16);
  for (let end = buffer + <usize>days * 64; buffer < end; buffer += 64) {
    const r0 = v128.load(buffer), r1 = v128.load(buffer, 16);
    n0 = f64x2.add(n0, f64x2.mul(r0, f64x2.pmin(zero, r0)));
    n1 = f64x2.add(n1, f64x2.mul(r1, f64x2.pmin(zero, r1)));
    const f0 = f64x2.add(r0, one), f1 = f64x2.add(r1, one);
    v0 = f64x2.mul(v0, f0);
    v1 = f64x2.mul(v1, f1);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f0));
    q1 = f64x2.pmin(one, f64x2.mul(q1, f1));
    m0 = f64x2.pmin(m0, q0);
    m1 = f64x2.pmin(m1, q1);
  }
  v128.store(state, v0); v128.store(state, v1, 16);
  v128.store(state, q0, 64); v128.store(state, q1, 80);
  v128.store(state, m0, 128); v128.store(state, m1, 144);
  v128.store(belowAt, n0); v128.store(belowAt, n1, 16);
}

/** Sums begin at 0 and growth at 1; value over high and its lowest run on from the segment before. */
@inline
export function beginSegment(out: usize, isFirst: bool): void {
  memory.fill(out, 0, 256);
  memory.fill(out + OTHERS, 0, 128);
  const one = f64x2.splat(1.0);
  for (let o: usize = 256; o < 320; o += 16) v128.store(out + o, one);
  for (let o: usize = 320; o < 448; o += 16) v128.store(out + o, isFirst ? one : v128.load(out + o - SEGMENT));
}

@inline
function simulate<C>(
  lanes: usize,
  rowsAt: usize,
  cuts: usize,
  segments: i32,
  out: usize,
  scratch: usize,
  half: i32,
  benchmark: usize,
): void {
  for (let i = 0; i < segments; i++, out += SEGMENT, cuts += 4) {
    beginSegment(out, i == 0);
    const end = load<i32>(cuts + 4);
    for (let t = load<i32>(cuts); t < end; t += BLOCK) {
      const to = min(t + BLOCK, end);
      gather<C>(lanes, rowsAt, t, to, to, scratch, out, benchmark, out + OTHERS);
      growFour(scratch, to - t, out + 256, out + BELOW);
      if (half != 0) continue;
      gather<C>(lanes + 16, rowsAt, t, to, to, scratch + 32, out + 32, benchmark, out + OTHERS + 32);
      growFour(scratch + 32, to - t, out + 288, out + BELOW + 32);
    }
  }
}

/**
 * Returns are rows of a table, whose addresses stand at `rowsAt` (u32); lane i is in row `codes_i[day]` (u8)
 * on each day.
 */
export function simulateSelected8(
  lanes: usize, rowsAt: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32, benchmark: usize,
): void {
  simulate<u8>(lanes, rowsAt, cuts, segments, out, scratch, half, benchmark);
}

/** The same with u16 codes. */
export function simulateSelected16(
  lanes: usize, rowsAt: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32, benchmark: usize,
): void {
  simulate<u16>(lanes, rowsAt, cuts, segments, out, scratch, half, benchmark);
}

/** Days of columns that are read twice: 8 lanes of them fit the first-level cache. */
const COLUMN_BLOCK: i32 = 128;

@inline
function addBoth(at: usize, x: v128): void {
  store<f64>(at, load<f64>(at) + f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1));
}

/**
 * Adds power sums of first to fourth order, of products and of squares below 0, each of two days in a vector,
 * to one lane of a segment.
 */
@inline
export function addToSums(
  sums: usize,
  first: v128,
  second: v128,
  third: v128,
  fourth: v128,
  products: v128,
  below: v128,
): void {
  addBoth(sums, first);
  addBoth(sums + 64, second);
  addBoth(sums + 128, third);
  addBoth(sums + 192, fourth);
  addBoth(sums + OTHERS, products);
  addBoth(sums + OTHERS + 64, below);
}

/** 255 in the bytes of the days of [from, to), of the two from `day` on. */
@inline
function isWithin(day: i32, from: i32, to: i32): v128 {
  const days = f64x2.replace_lane(f64x2.splat(<f64>day), 1, <f64>day + 1.0);
  return v128.and(f64x2.ge(days, f64x2.splat(<f64>from)), f64x2.lt(days, f64x2.splat(<f64>to)));
}

/**
 * Adds the power sums of a column's days [from, to) to `sums`, four days side by side. Which day is added to
 * which of the four follows from the calendar, not from `from`: days of a return of 0 before a combination's
 * first one change nothing.
 */
@inline
function addPowers(column: usize, from: i32, to: i32, sums: usize, benchmark: usize): void {
  const zero = f64x2.splat(0.0);
  let p0 = zero, p1 = zero, n0 = zero, n1 = zero;
  let a0 = f64x2.splat(0.0), a1 = a0, b0 = a0, b1 = a0, d0 = a0, d1 = a0, e0 = a0, e1 = a0;
  for (let t = from & ~3; t < to; t += 4) {
    const at = column + (<usize>t << 3);
    let r0 = v128.load(at), r1 = v128.load(at, 16);
    if (t < from || t + 4 > to) {
      r0 = v128.and(r0, isWithin(t, from, to));
      r1 = v128.and(r1, isWithin(t + 2, from, to));
    }
    a0 = f64x2.add(a0, r0);
    a1 = f64x2.add(a1, r1);
    const s0 = f64x2.mul(r0, r0), s1 = f64x2.mul(r1, r1);
    b0 = f64x2.add(b0, s0);
    b1 = f64x2.add(b1, s1);
    d0 = f64x2.add(d0, f64x2.mul(s0, r0));
    d1 = f64x2.add(d1, f64x2.mul(s1, r1));
    e0 = f64x2.add(e0, f64x2.mul(s0, s0));
    e1 = f64x2.add(e1, f64x2.mul(s1, s1));
    const b = benchmark + (<usize>t << 3);
    p0 = f64x2.add(p0, f64x2.mul(r0, v128.load(b)));
    p1 = f64x2.add(p1, f64x2.mul(r1, v128.load(b, 16)));
    n0 = f64x2.add(n0, f64x2.mul(r0, f64x2.pmin(zero, r0)));
    n1 = f64x2.add(n1, f64x2.mul(r1, f64x2.pmin(zero, r1)));
  }
  addToSums(
    sums,
    f64x2.add(a0, a1),
    f64x2.add(b0, b1),
    f64x2.add(d0, d1),
    f64x2.add(e0, e1),
    f64x2.add(p0, p1),
    f64x2.add(n0, n1),
  );
}

@inline
function growthOf(a: usize, b: usize, o: usize, one: v128): v128 {
  return f64x2.add(v128.load64_lane(b + o, v128.load64_zero(a + o), 1), one);
}

/** Growth and drawdown of 4 columns over the days [from, to); `state` as in `grow`. */
@inline
function growColumns(lanes: usize, from: i32, to: i32, state: usize): void {
  const one = ones(state);
  const c0 = <usize>load<u32>(lanes),
    c1 = <usize>load<u32>(lanes, 4),
    c2 = <usize>load<u32>(lanes, 8),
    c3 = <usize>load<u32>(lanes, 12);
  let v0 = v128.load(state),
    v1 = v128.load(state, 16);
  let q0 = v128.load(state, 64),
    q1 = v128.load(state, 80);
  let m0 = v128.load(state, 128),
    m1 = v128.load(state, 144);
  for (let o = (<usize>from) << 3, end = (<usize>to) << 3; o < end; o += 8) {
    const f0 = growthOf(c0, c1, o, one),
      f1 = growthOf(c2, c3, o, one);
    v0 = f64x2.mul(v0, f0);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f0));
    m0 = f64x2.pmin(m0, q0);
    v1 = f64x2.mul(v1, f1);
    q1 = f64x2.pmin(one, f64x2.mul(q1, f1));
    m1 = f64x2.pmin(m1, q1);
  }
  v128.store(state, v0); v128.store(state, v1, 16);
  v128.store(state, q0, 64); v128.store(state, q1, 80);
  v128.store(state, m0, 128); v128.store(state, m1, 144);
}

/** Growth and drawdown of 8 columns. */
@inline
function growEightColumns(lanes: usize, from: i32, to: i32, state: usize): void {
  const one = ones(state);
  const c0 = <usize>load<u32>(lanes),
    c1 = <usize>load<u32>(lanes, 4),
    c2 = <usize>load<u32>(lanes, 8),
    c3 = <usize>load<u32>(lanes, 12);
  const c4 = <usize>load<u32>(lanes, 16),
    c5 = <usize>load<u32>(lanes, 20),
    c6 = <usize>load<u32>(lanes, 24),
    c7 = <usize>load<u32>(lanes, 28);
  let v0 = v128.load(state),
    v1 = v128.load(state, 16),
    v2 = v128.load(state, 32),
    v3 = v128.load(state, 48);
  let q0 = v128.load(state, 64),
    q1 = v128.load(state, 80),
    q2 = v128.load(state, 96),
    q3 = v128.load(state, 112);
  let m0 = v128.load(state, 128),
    m1 = v128.load(state, 144),
    m2 = v128.load(state, 160),
    m3 = v128.load(state, 176);
  for (let o = (<usize>from) << 3, end = (<usize>to) << 3; o < end; o += 8) {
    let f = growthOf(c0, c1, o, one);
    v0 = f64x2.mul(v0, f);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f));
    m0 = f64x2.pmin(m0, q0);
    f = growthOf(c2, c3, o, one);
    v1 = f64x2.mul(v1, f);
    q1 = f64x2.pmin(one, f64x2.mul(q1, f));
    m1 = f64x2.pmin(m1, q1);
    f = growthOf(c4, c5, o, one);
    v2 = f64x2.mul(v2, f);
    q2 = f64x2.pmin(one, f64x2.mul(q2, f));
    m2 = f64x2.pmin(m2, q2);
    f = growthOf(c6, c7, o, one);
    v3 = f64x2.mul(v3, f);
    q3 = f64x2.pmin(one, f64x2.mul(q3, f));
    m3 = f64x2.pmin(m3, q3);
  }
  v128.store(state, v0); v128.store(state, v1, 16); v128.store(state, v2, 32); v128.store(state, v3, 48);
  v128.store(state, q0, 64); v128.store(state, q1, 80); v128.store(state, q2, 96); v128.store(state, q3, 112);
  v128.store(state, m0, 128); v128.store(state, m1, 144); v128.store(state, m2, 160); v128.store(state, m3, 176);
}

/** Each lane is a column of returns. */
export function simulateColumns(
  lanes: usize,
  cuts: usize,
  segments: i32,
  out: usize,
  half: i32,
  benchmark: usize,
): void {
  const count: usize = half == 0 ? 8 : 4;
  for (let i = 0; i < segments; i++, out += SEGMENT, cuts += 4) {
    beginSegment(out, i == 0);
    const end = load<i32>(cuts + 4);
    for (let t = load<i32>(cuts), to = t; t < end; t = to) {
      to = min((t & ~(COLUMN_BLOCK - 1)) + COLUMN_BLOCK, end);
      for (let lane: usize = 0; lane < count; lane++)
        addPowers(<usize>load<u32>(lanes + (lane << 2)), t, to, out + (lane << 3), benchmark);
      if (half == 0) growEightColumns(lanes, t, to, out + 256);
      else growColumns(lanes, t, to, out + 256);
    }
  }
}
