/**
 * The pass that turns daily returns into everything a result row needs, for 8 combinations side by side. All addresses are byte
 * offsets into the imported memory; nothing is checked here, the caller passes areas that are long enough.
 *
 * Days go in blocks small enough for the first-level cache, twice over: first the returns are gathered and their power sums
 * taken, then growth and drawdown follow from the gathered returns. In one loop the state would not fit the 16 vector registers.
 *
 * `lanes` holds 8 addresses (u32). `cuts` holds `segments + 1` days (i32): segment i runs over the days [cuts[i], cuts[i+1]).
 * Per segment 56 doubles are written to `out`, 8 lanes of each: sum of r, r^2, r^3, r^4 and growth within the segment, then
 * value over its high, and the lowest of that so far (1 - lowest is the drawdown; both run on from segment to segment).
 * `scratch` has room for BLOCK * 8 doubles. With `half` other than 0 only the first 4 lanes have a result, at less cost.
 */
import { BLOCK, gather } from './gather';

/** Growth and drawdown of 8 lanes over `days` gathered days; `state` is growth, value over high, and the lowest of that. */
@inline
function grow(buffer: usize, days: i32, state: usize): void {
  const one = f64x2.splat(1.0);
  let v0 = v128.load(state), v1 = v128.load(state + 16), v2 = v128.load(state + 32), v3 = v128.load(state + 48);
  let q0 = v128.load(state + 64), q1 = v128.load(state + 80), q2 = v128.load(state + 96), q3 = v128.load(state + 112);
  let m0 = v128.load(state + 128), m1 = v128.load(state + 144), m2 = v128.load(state + 160), m3 = v128.load(state + 176);
  for (let end = buffer + <usize>days * 64; buffer < end; buffer += 64) {
    let f = f64x2.add(v128.load(buffer), one);
    v0 = f64x2.mul(v0, f);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f));
    m0 = f64x2.pmin(m0, q0);
    f = f64x2.add(v128.load(buffer + 16), one);
    v1 = f64x2.mul(v1, f);
    q1 = f64x2.pmin(one, f64x2.mul(q1, f));
    m1 = f64x2.pmin(m1, q1);
    f = f64x2.add(v128.load(buffer + 32), one);
    v2 = f64x2.mul(v2, f);
    q2 = f64x2.pmin(one, f64x2.mul(q2, f));
    m2 = f64x2.pmin(m2, q2);
    f = f64x2.add(v128.load(buffer + 48), one);
    v3 = f64x2.mul(v3, f);
    q3 = f64x2.pmin(one, f64x2.mul(q3, f));
    m3 = f64x2.pmin(m3, q3);
  }
  v128.store(state, v0); v128.store(state + 16, v1); v128.store(state + 32, v2); v128.store(state + 48, v3);
  v128.store(state + 64, q0); v128.store(state + 80, q1); v128.store(state + 96, q2); v128.store(state + 112, q3);
  v128.store(state + 128, m0); v128.store(state + 144, m1); v128.store(state + 160, m2); v128.store(state + 176, m3);
}

@inline
function simulate<C>(lanes: usize, table: usize, stride: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32): void {
  for (let i = 0; i < segments; i++, out += 448, cuts += 4) {
    memory.fill(out, 0, 256);
    const one = f64x2.splat(1.0);
    for (let o: usize = 256; o < 320; o += 16) v128.store(out + o, one);
    for (let o: usize = 320; o < 448; o += 16) v128.store(out + o, i == 0 ? one : v128.load(out + o - 448));
    const end = load<i32>(cuts + 4);
    for (let t = load<i32>(cuts); t < end; t += BLOCK) {
      const to = min(t + BLOCK, end);
      gather<C>(lanes, table, stride, t, to, scratch, out);
      if (half == 0) gather<C>(lanes + 16, table, stride, t, to, scratch + 32, out + 32);
      grow(scratch, to - t, out + 256);
    }
  }
}

/** Returns are rows of a table `stride` bytes apart; lane i is in row `codes_i[day]` (u8) on each day. */
export function simulateSelected8(
  lanes: usize, table: usize, stride: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32,
): void {
  simulate<u8>(lanes, table, stride, cuts, segments, out, scratch, half);
}

/** The same with u16 codes. */
export function simulateSelected16(
  lanes: usize, table: usize, stride: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32,
): void {
  simulate<u16>(lanes, table, stride, cuts, segments, out, scratch, half);
}

/** Each lane is a column of returns. */
export function simulateColumns(lanes: usize, cuts: usize, segments: i32, out: usize, scratch: usize, half: i32): void {
  simulate<f64>(lanes, 0, 0, cuts, segments, out, scratch, half);
}
