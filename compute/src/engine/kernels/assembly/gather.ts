import { ones } from './constants';

/**
 * Days that are gathered at a time: so few that the processor begins to gather the next ones while it still
 * follows these.
 */
export const BLOCK: i32 = 16;

/**
 * Address of a lane's return of a day. Row addresses are looked up: multiplying would keep a port busy that
 * the sums are short of. With `C` u32 a lane is not a column of codes but a row itself, that of one ticker.
 */
@inline
function at<C>(codes: usize, day: usize, rowsAt: usize): usize {
  if (sizeof<C>() == 4) return codes + (day << 3);
  return <usize>load<u32>(rowsAt + (<usize>load<C>(codes + day * sizeof<C>()) << 2)) + (day << 3);
}

@inline
function pair<C>(a: usize, b: usize, day: usize, rowsAt: usize): v128 {
  return v128.load64_lane(at<C>(b, day, rowsAt), v128.load64_zero(at<C>(a, day, rowsAt)), 1);
}

/**
 * Gathers 4 lanes of the days [from, to) into `buffer` (8 lanes a day) and adds their power sums to `sums`;
 * to `others` the sums of the products with the `benchmark`'s returns (a double a day). The squares of what
 * is below 0 are left to those who follow the returns: all in one loop would not fit the 16 vector registers.
 * Lanes that are rows themselves go on to the rows that `lanes` has 32 bytes further on the day `leaves`.
 */
@inline
export function gather<C>(
  lanes: usize,
  rowsAt: usize,
  from: i32,
  to: i32,
  leaves: i32,
  buffer: usize,
  sums: usize,
  benchmark: usize,
  others: usize,
): void {
  let c0 = <usize>load<u32>(lanes), c1 = <usize>load<u32>(lanes + 4);
  let c2 = <usize>load<u32>(lanes + 8), c3 = <usize>load<u32>(lanes + 12);
  let a0 = v128.load(sums), a1 = v128.load(sums + 16);
  let b0 = v128.load(sums + 64), b1 = v128.load(sums + 80);
  let d0 = v128.load(sums + 128), d1 = v128.load(sums + 144);
  let e0 = v128.load(sums + 192), e1 = v128.load(sums + 208);
  let p0 = v128.load(others), p1 = v128.load(others + 16);
  for (let t = <usize>from; t < <usize>to; t++) {
    if (sizeof<C>() == 4 && t == <usize>leaves) {
      c0 = <usize>load<u32>(lanes, 32); c1 = <usize>load<u32>(lanes, 36);
      c2 = <usize>load<u32>(lanes, 40); c3 = <usize>load<u32>(lanes, 44);
    }
    const r0 = pair<C>(c0, c1, t, rowsAt);
    const r1 = pair<C>(c2, c3, t, rowsAt);
    v128.store(buffer, r0);
    v128.store(buffer + 16, r1);
    buffer += 64;
    a0 = f64x2.add(a0, r0);
    a1 = f64x2.add(a1, r1);
    const s0 = f64x2.mul(r0, r0), s1 = f64x2.mul(r1, r1);
    b0 = f64x2.add(b0, s0);
    b1 = f64x2.add(b1, s1);
    d0 = f64x2.add(d0, f64x2.mul(s0, r0));
    d1 = f64x2.add(d1, f64x2.mul(s1, r1));
    e0 = f64x2.add(e0, f64x2.mul(s0, s0));
    e1 = f64x2.add(e1, f64x2.mul(s1, s1));
    const b = v128.load64_splat(benchmark + (t << 3));
    p0 = f64x2.add(p0, f64x2.mul(r0, b));
    p1 = f64x2.add(p1, f64x2.mul(r1, b));
  }
  v128.store(sums, a0); v128.store(sums + 16, a1);
  v128.store(sums + 64, b0); v128.store(sums + 80, b1);
  v128.store(sums + 128, d0); v128.store(sums + 144, d1);
  v128.store(sums + 192, e0); v128.store(sums + 208, e1);
  v128.store(others, p0); v128.store(others + 16, p1);
}
