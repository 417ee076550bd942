/**
 * A root if whose branches depend on different variables: each branch is summed up per piece (an unbroken run
 * of its days within one segment) for each of its variants, and a combination of two variants is put together
 * piece by piece, without its days.
 *
 * `pieces` holds `PIECE_BYTES` each: first day, end day, segment (i32). Variants come in tiles of 8 lanes. A
 * tile has 24 doubles per piece, 8 lanes of each: growth over the piece, lowest value relative to its start,
 * end relative to its own high. `sums` has 64 doubles per segment, 8 lanes of each: sum of r, r^2, r^3, r^4,
 * growth, lowest value over high within a piece, products with the benchmark's returns, squares of returns below 0.
 */
import { fillDoubles, follow } from './follow';
import { BLOCK, gather } from './gather';
import {
  BRANCH_BELOW_FIELD,
  BRANCH_LOWEST_FIELD,
  BRANCH_PRODUCTS_FIELD,
  BRANCH_SUM_FIELDS,
  CUBES_FIELD,
  FOURTHS_FIELD,
  GROWTH_FIELD,
  LANES,
  PIECE_BYTES,
  PIECE_FIELDS,
  PIECE_SEGMENT,
  RUN_BYTES,
  RUN_OTHERS,
  SQUARES_FIELD,
  SUMMED_SEGMENTS,
} from '../shared';

/** Bytes of a piece of a tile, and of one lane of it. */
const TILE_PIECE: usize = PIECE_FIELDS * LANES * 8;
const LANE_PIECE: usize = PIECE_FIELDS * 8;
/**
 * Bytes of a step's sums, and where in them each field begins; those of products and of squares below 0 are
 * the others.
 */
const STEP: usize = BRANCH_SUM_FIELDS * LANES * 8;
const SQUARES: usize = SQUARES_FIELD * LANES * 8;
const CUBES: usize = CUBES_FIELD * LANES * 8;
const FOURTHS: usize = FOURTHS_FIELD * LANES * 8;
const GROWTH: usize = GROWTH_FIELD * LANES * 8;
const LOWEST: usize = BRANCH_LOWEST_FIELD * LANES * 8;
const OTHERS: usize = BRANCH_PRODUCTS_FIELD * LANES * 8;
const BELOW: usize = BRANCH_BELOW_FIELD * LANES * 8;

@inline
function beginSums(sums: usize, segments: i32): void {
  for (let i = 0; i < segments; i++) {
    fillDoubles(sums + <usize>i * STEP, 256, 0.0);
    fillDoubles(sums + <usize>i * STEP + 256, 128, 1.0);
    fillDoubles(sums + <usize>i * STEP + OTHERS, 128, 0.0);
  }
}

/** What is left to do for a piece: the growth of its segment, and 4 lanes that nobody asks for. */
@inline
function endPiece(tile: usize, sum: usize, half: i32): void {
  if (half != 0) beginHalf(tile + 32);
  for (let o: usize = 0; o < 64; o += 16) {
    v128.store(sum + GROWTH + o, f64x2.mul(v128.load(sum + GROWTH + o), v128.load(tile + o)));
  }
}

@inline
function summarize<C>(
  lanes: usize, rowsAt: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize, half: i32,
): void {
  beginSums(sums, segments);
  for (let p = 0; p < count; p++, pieces += PIECE_BYTES, tile += TILE_PIECE) {
    const first = load<i32>(pieces), end = load<i32>(pieces + 4);
    const sum = sums + <usize>load<i32>(pieces + PIECE_SEGMENT) * STEP;
    for (let t = first; t < end; t += BLOCK) {
      const to = min(t + BLOCK, end);
      gather<C>(lanes, rowsAt, t, to, to, scratch, sum, benchmark, sum + OTHERS);
      follow(scratch, to - t, t == first, tile, sum + LOWEST, sum + BELOW);
      if (half != 0) continue;
      gather<C>(lanes + 16, rowsAt, t, to, to, scratch + 32, sum + 32, benchmark, sum + OTHERS + 32);
      follow(scratch + 32, to - t, t == first, tile + 32, sum + LOWEST + 32, sum + BELOW + 32);
    }
    endPiece(tile, sum, half);
  }
}

/** What 4 lanes of a piece begin with: those that nobody asks for are calculated with, too, and must be numbers. */
@inline
function beginHalf(piece: usize): void {
  fillDoubles(piece, 32, 1.0);
  fillDoubles(piece + 64, 32, Infinity);
  fillDoubles(piece + 128, 32, Infinity);
}

/**
 * Sums up 8 variants of a branch over its pieces; lane i is in row `codes_i[day]` (u8) of the table on each
 * day. With `half` other than 0 only the first 4 lanes have a result, at less cost.
 */
export function summarize8(
  lanes: usize, rowsAt: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize, half: i32,
): void {
  summarize<u8>(lanes, rowsAt, pieces, count, segments, tile, sums, scratch, benchmark, half);
}

export function summarize16(
  lanes: usize, rowsAt: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize, half: i32,
): void {
  summarize<u16>(lanes, rowsAt, pieces, count, segments, tile, sums, scratch, benchmark, half);
}

/** Whether a piece ends because the mask leaves its branch, not because a step ends. */
@inline
function isLeft(mask: usize, first: i32, end: i32): bool {
  return load<u8>(mask + <usize>first - 1) != load<u8>(mask + <usize>end - 1);
}

/**
 * The same where each variant is one ticker throughout: `rows` has the addresses of the returns of 8 of them,
 * then 8 of those net of selling it all, which it has on the day that the mask leaves the branch.
 */
export function summarizeHeld(
  rows: usize,
  mask: usize,
  pieces: usize,
  count: i32,
  segments: i32,
  tile: usize,
  sums: usize,
  scratch: usize,
  benchmark: usize,
  half: i32,
): void {
  beginSums(sums, segments);
  for (let p = 0; p < count; p++, pieces += PIECE_BYTES, tile += TILE_PIECE) {
    const first = load<i32>(pieces), end = load<i32>(pieces + 4);
    const sum = sums + <usize>load<i32>(pieces + PIECE_SEGMENT) * STEP;
    const leaves = isLeft(mask, first, end) ? end - 1 : end;
    for (let t = first; t < end; t += BLOCK) {
      const to = min(t + BLOCK, end);
      gather<u32>(rows, 0, t, to, leaves, scratch, sum, benchmark, sum + OTHERS);
      follow(scratch, to - t, t == first, tile, sum + LOWEST, sum + BELOW);
      if (half != 0) continue;
      gather<u32>(rows + 16, 0, t, to, leaves, scratch + 32, sum + 32, benchmark, sum + OTHERS + 32);
      follow(scratch + 32, to - t, t == first, tile + 32, sum + LOWEST + 32, sum + BELOW + 32);
    }
    endPiece(tile, sum, half);
  }
}

/**
 * What `countBranch8` leaves for each of 8 variants where each is one ticker throughout: `each` on every day
 * that the mask leaves the branch.
 */
export function countHeld(mask: usize, pieces: usize, count: i32, steps: i32, each: f64, out: usize): void {
  const end = pieces + <usize>count * PIECE_BYTES;
  let sum = 0.0;
  fillDoubles(out, 64, sum);
  for (let step = 0; step < steps; step++) {
    for (; pieces < end && load<i32>(pieces + PIECE_SEGMENT) == step; pieces += PIECE_BYTES) {
      if (isLeft(mask, load<i32>(pieces), load<i32>(pieces + 4))) sum += each;
    }
    out += 64;
    fillDoubles(out, 64, sum);
  }
}

/**
 * Sums from the beginning of each step to the end of its section, for 8 variants: `sums` and `out` have 64
 * doubles per step as `summarize8` leaves them, `ends` (i32) the first step behind the section of each.
 */
export function sumSections(sums: usize, ends: usize, steps: i32, out: usize): void {
  for (let i = steps - 1; i >= 0; i--) {
    const from = sums + <usize>i * STEP, to = out + <usize>i * STEP;
    if (load<i32>(ends + (<usize>i << 2)) == i + 1) {
      memory.copy(to, from, STEP);
      continue;
    }
    for (let o: usize = 0; o < 256; o += 16)
      v128.store(to + o, f64x2.add(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o: usize = 256; o < 320; o += 16)
      v128.store(to + o, f64x2.mul(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o: usize = 320; o < 384; o += 16)
      v128.store(to + o, f64x2.pmin(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o = OTHERS; o < STEP; o += 16)
      v128.store(to + o, f64x2.add(v128.load(from + o), v128.load(to + o + STEP)));
  }
}

/**
 * Adds up one variant of the outer branch with some of the inner one, two side by side, per segment. `outer`
 * is its lane in the sums of steps that `summarize8` leaves, `inner` the first of `pairs` pairs of lanes
 * there, the sections those of `sumSections`; segment i has the steps from `begins[i]` (i32) to
 * `begins[i + 1]`. Each lane has `RUN_BYTES` of `out`: one array of `SUMMED_SEGMENTS` doubles behind the
 * other, sums of r, r^2, r^3 and r^4, and growth; then four doubles: the lowest value over the high within
 * pieces before the segment `after`, and from it on; products with the benchmark's returns; squares below 0.
 */
export function addBranches(
  outer: usize,
  outerSections: usize,
  inner: usize,
  innerSections: usize,
  begins: usize,
  ends: usize,
  segments: i32,
  after: i32,
  pairs: i32,
  out: usize,
): void {
  for (; pairs > 0; pairs--, inner += 16, innerSections += 16, out += 2 * RUN_BYTES) {
    addPair(outer, outerSections, inner, innerSections, begins, ends, segments, after, out);
  }
}

/** One field of both lanes. */
@inline
function storeBoth(out: usize, field: usize, both: v128): void {
  v128.store64_lane(out + field, both, 0);
  v128.store64_lane(out + field, both, 1, RUN_BYTES);
}

/** The sum of a field of an outer lane and of two inner ones. */
@inline
function sumOf(a: usize, b: usize, field: usize): v128 {
  return f64x2.add(v128.load64_splat(a + field), v128.load(b + field));
}

@inline
function addPair(
  outer: usize,
  outerSections: usize,
  inner: usize,
  innerSections: usize,
  begins: usize,
  ends: usize,
  segments: i32,
  after: i32,
  out: usize,
): void {
  const zero = f64x2.splat(0.0), one = f64x2.splat(1.0);
  let before = one, lowestAfter = one, products = zero, below = zero;
  for (let s = 0, at = out; s < segments; s++, at += 8) {
    const first = load<i32>(begins + (<usize>s << 2)), end = load<i32>(begins + (<usize>s << 2), 4);
    const isSection = load<i32>(ends + (<usize>first << 2)) == end;
    const offset = <usize>first * STEP;
    let a = (isSection ? outerSections : outer) + offset, b = (isSection ? innerSections : inner) + offset;
    let sum = zero, squares = zero, cubes = zero, fourths = zero, growth = one, lowest = f64x2.splat(Infinity);
    // A section is summed up already: one step.
    for (let step = isSection ? end - 1 : first; step < end; step++, a += STEP, b += STEP) {
      sum = f64x2.add(sum, sumOf(a, b, 0));
      squares = f64x2.add(squares, sumOf(a, b, SQUARES));
      cubes = f64x2.add(cubes, sumOf(a, b, CUBES));
      fourths = f64x2.add(fourths, sumOf(a, b, FOURTHS));
      growth = f64x2.mul(growth, f64x2.mul(v128.load64_splat(a + GROWTH), v128.load(b + GROWTH)));
      lowest = f64x2.pmin(lowest, f64x2.pmin(v128.load64_splat(a + LOWEST), v128.load(b + LOWEST)));
      products = f64x2.add(products, sumOf(a, b, OTHERS));
      below = f64x2.add(below, sumOf(a, b, BELOW));
    }
    storeBoth(at, 0, sum);
    storeBoth(at, 8 * SUMMED_SEGMENTS, squares);
    storeBoth(at, 16 * SUMMED_SEGMENTS, cubes);
    storeBoth(at, 24 * SUMMED_SEGMENTS, fourths);
    storeBoth(at, 32 * SUMMED_SEGMENTS, growth);
    if (s < after) before = f64x2.pmin(before, lowest);
    else lowestAfter = f64x2.pmin(lowestAfter, lowest);
  }
  storeBoth(out, RUN_OTHERS, before);
  storeBoth(out, RUN_OTHERS + 8, lowestAfter);
  storeBoth(out, RUN_OTHERS + 16, products);
  storeBoth(out, RUN_OTHERS + 24, below);
}

/** Copies one lane of a tile, 3 doubles per piece. */
export function extractLane(tile: usize, lane: i32, count: i32, out: usize): void {
  tile += <usize>lane << 3;
  for (const end = out + <usize>count * LANE_PIECE; out < end; out += LANE_PIECE, tile += TILE_PIECE) {
    store<f64>(out, load<f64>(tile));
    store<f64>(out + 8, load<f64>(tile, 64));
    store<f64>(out + 16, load<f64>(tile, 128));
  }
}

/**
 * Drawdown of one variant of a branch (extracted lane) with 8 variants of the other (tile). `owners` has a
 * byte per piece of both branches in the order of their days: not 0 where it is the first branch's. `state`
 * has 8 lanes of value over high, then of the lowest value so far; both are carried on.
 */
export function compose(owners: usize, count: i32, lane: usize, tile: usize, state: usize): void {
  let q0 = v128.load(state), q1 = v128.load(state + 16), q2 = v128.load(state + 32), q3 = v128.load(state + 48);
  let m0 = v128.load(state + 64), m1 = v128.load(state + 80), m2 = v128.load(state + 96), m3 = v128.load(state + 112);
  for (const end = owners + <usize>count; owners < end; owners++) {
    if (load<u8>(owners) != 0) {
      const g = v128.load64_splat(lane), l = v128.load64_splat(lane + 8), h = v128.load64_splat(lane + 16);
      lane += LANE_PIECE;
      m0 = f64x2.pmin(m0, f64x2.mul(q0, l));
      m1 = f64x2.pmin(m1, f64x2.mul(q1, l));
      m2 = f64x2.pmin(m2, f64x2.mul(q2, l));
      m3 = f64x2.pmin(m3, f64x2.mul(q3, l));
      q0 = f64x2.pmin(h, f64x2.mul(q0, g));
      q1 = f64x2.pmin(h, f64x2.mul(q1, g));
      q2 = f64x2.pmin(h, f64x2.mul(q2, g));
      q3 = f64x2.pmin(h, f64x2.mul(q3, g));
    } else {
      m0 = f64x2.pmin(m0, f64x2.mul(q0, v128.load(tile + 64)));
      m1 = f64x2.pmin(m1, f64x2.mul(q1, v128.load(tile + 80)));
      m2 = f64x2.pmin(m2, f64x2.mul(q2, v128.load(tile + 96)));
      m3 = f64x2.pmin(m3, f64x2.mul(q3, v128.load(tile + 112)));
      q0 = f64x2.pmin(v128.load(tile + 128), f64x2.mul(q0, v128.load(tile)));
      q1 = f64x2.pmin(v128.load(tile + 144), f64x2.mul(q1, v128.load(tile + 16)));
      q2 = f64x2.pmin(v128.load(tile + 160), f64x2.mul(q2, v128.load(tile + 32)));
      q3 = f64x2.pmin(v128.load(tile + 176), f64x2.mul(q3, v128.load(tile + 48)));
      tile += TILE_PIECE;
    }
  }
  v128.store(state, q0); v128.store(state + 16, q1); v128.store(state + 32, q2); v128.store(state + 48, q3);
  v128.store(state + 64, m0); v128.store(state + 80, m1); v128.store(state + 96, m2); v128.store(state + 112, m3);
}

/**
 * Pieces of a mask over the days (first, last], cut at `cuts` (i32, from first + 1 to last + 1): a day
 * belongs to the branch that the day before chose. Writes the pieces of the branch where the mask holds to
 * `a`, the others to `b`, and an owner per piece; returns the number of pieces of the first branch. `total`
 * (i32) receives the number of both.
 */
export function findPieces(
  mask: usize,
  cuts: usize,
  segments: i32,
  a: usize,
  b: usize,
  owners: usize,
  total: usize,
): i32 {
  const owned = a;
  const began = owners;
  for (let i = 0; i < segments; i++, cuts += 4) {
    const end = load<i32>(cuts + 4);
    let t = load<i32>(cuts);
    while (t < end) {
      const from = t;
      const owner = load<u8>(mask + <usize>t - 1);
      while (t < end && load<u8>(mask + <usize>t - 1) == owner) t++;
      const piece = owner != 0 ? a : b;
      store<i32>(piece, from);
      store<i32>(piece + 4, t);
      store<i32>(piece + PIECE_SEGMENT, i);
      if (owner != 0) a += PIECE_BYTES;
      else b += PIECE_BYTES;
      store<u8>(owners++, owner);
    }
  }
  store<i32>(total, i32(owners - began));
  return i32(a - owned) / PIECE_BYTES;
}
