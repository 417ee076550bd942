/**
 * Portfolios whose tickers are the same on every day, two days at a time. Returns after costs: with the value
 * growing by 1 + g, cost is s * sum |w * (1 + g) - h * (1 + r)|, h the weights of the day before.
 */

import { ones } from './constants';
import { PART_BYTES, PART_COSTS, PART_SHARE, PART_SHARES } from '../shared';

/** What changes hands of a part whose share follows from a column, two days of it: |w * (1 + g) - h * (1 + r)|. */
@inline
function moves(shares: usize, grown: v128, r: v128): v128 {
  const before = v128.load(shares - 8);
  return f64x2.abs(f64x2.sub(f64x2.mul(v128.load(shares), grown), f64x2.add(before, f64x2.mul(before, r))));
}

/**
 * `parts` describes the holdings (`shared.ts`). The returns that costs follow from are those that are earned
 * on days without a trade of the part; where all of it is sold for another ticker they are -2 - r, so that |w
 * * (1 + g) - h * (1 + c)| is the sum of what is bought and what is sold. out[t] for the days [from, to), and
 * possibly one more; moved[t] is what changes hands, as a part of the day before's value.
 */
export function heldWeighted(
  parts: usize,
  count: i32,
  slippage: f64,
  from: i32,
  to: i32,
  out: usize,
  moved: usize,
): void {
  const one = ones(parts),
    zero = f64x2.splat(0.0);
  const slip = f64x2.splat(slippage);
  const end = parts + <usize>count * PART_BYTES;
  let o = <usize>from << 3;
  const last = <usize>to << 3;
  // Four days at a time: what a part is has to be read for each pass over it.
  for (; o + 32 <= last; o += 32) {
    let g0 = zero, g1 = zero;
    for (let p = parts; p < end; p += PART_BYTES) {
      const r = <usize>load<u32>(p) + o, shares = <usize>load<u32>(p + PART_SHARES);
      if (shares == 0) {
        const h = v128.load64_splat(p + PART_SHARE);
        g0 = f64x2.add(g0, f64x2.mul(h, v128.load(r)));
        g1 = f64x2.add(g1, f64x2.mul(h, v128.load(r, 16)));
      } else {
        g0 = f64x2.add(g0, f64x2.mul(v128.load(shares + o - 8), v128.load(r)));
        g1 = f64x2.add(g1, f64x2.mul(v128.load(shares + o + 8), v128.load(r, 16)));
      }
    }
    const grown0 = f64x2.add(one, g0), grown1 = f64x2.add(one, g1);
    let t0 = zero, t1 = zero;
    for (let p = parts; p < end; p += PART_BYTES) {
      const r = <usize>load<u32>(p + PART_COSTS) + o, shares = <usize>load<u32>(p + PART_SHARES);
      if (shares == 0) {
        const h = v128.load64_splat(p + PART_SHARE);
        t0 = f64x2.add(t0, f64x2.mul(h, f64x2.abs(f64x2.sub(g0, v128.load(r)))));
        t1 = f64x2.add(t1, f64x2.mul(h, f64x2.abs(f64x2.sub(g1, v128.load(r, 16)))));
      } else {
        t0 = f64x2.add(t0, moves(shares + o, grown0, v128.load(r)));
        t1 = f64x2.add(t1, moves(shares + o + 16, grown1, v128.load(r, 16)));
      }
    }
    v128.store(out + o, f64x2.sub(g0, f64x2.mul(slip, t0)));
    v128.store(out + o, f64x2.sub(g1, f64x2.mul(slip, t1)), 16);
    v128.store(moved + o, t0);
    v128.store(moved + o, t1, 16);
  }
  for (; o < last; o += 16) {
    let g = zero;
    for (let p = parts; p < end; p += PART_BYTES) {
      const r = v128.load(<usize>load<u32>(p) + o);
      const shares = <usize>load<u32>(p + PART_SHARES);
      const h = shares == 0 ? v128.load64_splat(p + PART_SHARE) : v128.load(shares + o - 8);
      g = f64x2.add(g, f64x2.mul(h, r));
    }
    const grown = f64x2.add(one, g);
    let turnover = zero;
    for (let p = parts; p < end; p += PART_BYTES) {
      const r = v128.load(<usize>load<u32>(p + PART_COSTS) + o);
      const shares = <usize>load<u32>(p + PART_SHARES);
      if (shares == 0)
        turnover = f64x2.add(
          turnover,
          f64x2.mul(v128.load64_splat(p + PART_SHARE), f64x2.abs(f64x2.sub(g, r))),
        );
      else turnover = f64x2.add(turnover, moves(shares + o, grown, r));
    }
    v128.store(out + o, f64x2.sub(g, f64x2.mul(slip, turnover)));
    v128.store(moved + o, turnover);
  }
}
