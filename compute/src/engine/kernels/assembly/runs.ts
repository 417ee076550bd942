/**
 * A root if whose branches depend on different variables: each branch is summed up per piece (an unbroken run of its days within
 * one segment) for each of its variants, and a combination of two variants is put together piece by piece, without its days.
 *
 * `pieces` holds `PIECE_BYTES` each: first day, end day, segment (i32). Variants come in tiles of 8 lanes. A tile has 24 doubles per
 * piece, 8 lanes of each: growth over the piece, lowest value relative to its start, end relative to its own high. `sums` has 64
 * doubles per segment, 8 lanes of each: sum of r, r^2, r^3, r^4, growth, lowest value over high within a piece, products with the benchmark's
 * returns, squares of returns below 0.
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
  SQUARES_FIELD,
  SUMMED_SEGMENTS,
} from '../shared';

/** Bytes of a piece of a tile, and of one lane of it. */
const TILE_PIECE: usize = PIECE_FIELDS * LANES * 8;
const LANE_PIECE: usize = PIECE_FIELDS * 8;
/** Bytes of a step's sums, and where in them each field begins; those of products and of squares below 0 are the others. */
const STEP: usize = BRANCH_SUM_FIELDS * LANES * 8;
const SQUARES: usize = SQUARES_FIELD * LANES * 8;
const CUBES: usize = CUBES_FIELD * LANES * 8;
const FOURTHS: usize = FOURTHS_FIELD * LANES * 8;
const GROWTH: usize = GROWTH_FIELD * LANES * 8;
const LOWEST: usize = BRANCH_LOWEST_FIELD * LANES * 8;
const OTHERS: usize = BRANCH_PRODUCTS_FIELD * LANES * 8;
const BELOW: usize = BRANCH_BELOW_FIELD * LANES * 8;

@inline
function summarize<C>(
  lanes: usize, table: usize, stride: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize,
): void {
  for (let i = 0; i < segments; i++) {
    fillDoubles(sums + <usize>i * STEP, 256, 0.0);
    fillDoubles(sums + <usize>i * STEP + 256, 128, 1.0);
    fillDoubles(sums + <usize>i * STEP + OTHERS, 128, 0.0);
  }
  for (let p = 0; p < count; p++, pieces += PIECE_BYTES, tile += TILE_PIECE) {
    fillDoubles(tile, 64, 1.0);
    fillDoubles(tile + 64, 128, Infinity);
    const end = load<i32>(pieces + 4);
    const sum = sums + <usize>load<i32>(pieces + PIECE_SEGMENT) * STEP;
    for (let t = load<i32>(pieces); t < end; t += BLOCK) {
      const to = min(t + BLOCK, end);
      gather<C>(lanes, table, stride, t, to, scratch, sum, benchmark, sum + OTHERS);
      gather<C>(lanes + 16, table, stride, t, to, scratch + 32, sum + 32, benchmark, sum + OTHERS + 32);
      follow(scratch, to - t, tile, sum + 320);
      follow(scratch + 32, to - t, tile + 32, sum + 352);
    }
    for (let o: usize = 0; o < 64; o += 16) {
      v128.store(sum + 256 + o, f64x2.mul(v128.load(sum + 256 + o), v128.load(tile + o)));
    }
  }
}

/** Sums up 8 variants of a branch over its pieces; lane i is in row `codes_i[day]` (u8) of the table on each day. */
export function summarize8(
  lanes: usize, table: usize, stride: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize,
): void {
  summarize<u8>(lanes, table, stride, pieces, count, segments, tile, sums, scratch, benchmark);
}

export function summarize16(
  lanes: usize, table: usize, stride: usize, pieces: usize, count: i32, segments: i32, tile: usize, sums: usize, scratch: usize,
  benchmark: usize,
): void {
  summarize<u16>(lanes, table, stride, pieces, count, segments, tile, sums, scratch, benchmark);
}

/**
 * Sums from the beginning of each step to the end of its section, for 8 variants: `sums` and `out` have 64 doubles per step as `summarize8` leaves
 * them, `ends` (i32) the first step behind the section of each.
 */
export function sumSections(sums: usize, ends: usize, steps: i32, out: usize): void {
  for (let i = steps - 1; i >= 0; i--) {
    const from = sums + <usize>i * STEP, to = out + <usize>i * STEP;
    if (load<i32>(ends + (<usize>i << 2)) == i + 1) {
      memory.copy(to, from, STEP);
      continue;
    }
    for (let o: usize = 0; o < 256; o += 16) v128.store(to + o, f64x2.add(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o: usize = 256; o < 320; o += 16) v128.store(to + o, f64x2.mul(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o: usize = 320; o < 384; o += 16) v128.store(to + o, f64x2.pmin(v128.load(from + o), v128.load(to + o + STEP)));
    for (let o = OTHERS; o < STEP; o += 16) v128.store(to + o, f64x2.add(v128.load(from + o), v128.load(to + o + STEP)));
  }
}

/**
 * Adds up one variant of each branch per segment. `outer` and `inner` are its lane in the sums of steps that `summarize8` leaves, the sections those of `sumSections`;
 * segment i has the steps from `begins[i]` (i32) to `begins[i + 1]`. `out` receives one array of `SUMMED_SEGMENTS` doubles behind the other: sums of r, r^2, r^3 and r^4, and growth; then
 * four doubles: the lowest value over the high within pieces before the segment `after`, and from it on; products with the benchmark's returns; squares below 0.
 */
export function addBranches(
  outer: usize, outerSections: usize, inner: usize, innerSections: usize, begins: usize, ends: usize, segments: i32, after: i32, out: usize,
): void {
  let before = 1.0, lowestAfter = 1.0, products = 0.0, below = 0.0;
  for (let s = 0; s < segments; s++, out += 8) {
    const first = load<i32>(begins + (<usize>s << 2)), end = load<i32>(begins + (<usize>s << 2), 4);
    const isSection = load<i32>(ends + (<usize>first << 2)) == end;
    const offset = <usize>first * STEP;
    let a = (isSection ? outerSections : outer) + offset, b = (isSection ? innerSections : inner) + offset;
    let sum = 0.0, squares = 0.0, cubes = 0.0, fourths = 0.0, growth = 1.0, lowest = Infinity;
    // A section is summed up already: one step.
    for (let step = isSection ? end - 1 : first; step < end; step++, a += STEP, b += STEP) {
      sum += load<f64>(a) + load<f64>(b);
      squares += load<f64>(a, SQUARES) + load<f64>(b, SQUARES);
      cubes += load<f64>(a, CUBES) + load<f64>(b, CUBES);
      fourths += load<f64>(a, FOURTHS) + load<f64>(b, FOURTHS);
      growth *= load<f64>(a, GROWTH) * load<f64>(b, GROWTH);
      lowest = min(lowest, min(load<f64>(a, LOWEST), load<f64>(b, LOWEST)));
      products += load<f64>(a, OTHERS) + load<f64>(b, OTHERS);
      below += load<f64>(a, BELOW) + load<f64>(b, BELOW);
    }
    store<f64>(out, sum);
    store<f64>(out, squares, 8 * SUMMED_SEGMENTS);
    store<f64>(out, cubes, 16 * SUMMED_SEGMENTS);
    store<f64>(out, fourths, 24 * SUMMED_SEGMENTS);
    store<f64>(out, growth, 32 * SUMMED_SEGMENTS);
    if (s < after) before = min(before, lowest);
    else lowestAfter = min(lowestAfter, lowest);
  }
  out += <usize>(SUMMED_SEGMENTS - segments) * 8 + 32 * SUMMED_SEGMENTS;
  store<f64>(out, before);
  store<f64>(out, lowestAfter, 8);
  store<f64>(out, products, 16);
  store<f64>(out, below, 24);
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
 * Drawdown of one variant of a branch (extracted lane) with 8 variants of the other (tile). `owners` has a byte per piece of both
 * branches in the order of their days: not 0 where it is the first branch's. `state` has 8 lanes of value over high, then of the
 * lowest value so far; both are carried on.
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
 * Pieces of a mask over the days (first, last], cut at `cuts` (i32, from first + 1 to last + 1): a day belongs to the branch
 * that the day before chose. Writes the pieces of the branch where the mask holds to `a`, the others to `b`, and an owner per piece;
 * returns the number of pieces of the first branch. `total` (i32) receives the number of both.
 */
export function findPieces(mask: usize, cuts: usize, segments: i32, a: usize, b: usize, owners: usize, total: usize): i32 {
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
