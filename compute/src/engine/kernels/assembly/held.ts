/**
 * Portfolios whose tickers are the same on every day, two days at a time. Returns after costs: with the value growing by 1 + g,
 * cost is s * sum |w * (1 + g) - h * (1 + r)|, h the weights of the day before.
 */

import { ones } from './constants';

/**
 * `parts` describes the holdings, 24 bytes each: address of the returns earned (u32), 0 or the address of a share per day (u32), the
 * constant share (f64), address of the returns that costs follow from (u32). These are the same on days without a trade of the
 * part; where all of it is sold for another ticker they are -2 - r, so that |w * (1 + g) - h * (1 + c)| is the sum of what is bought
 * and what is sold. out[t] for the days [from, to), and possibly one more; moved[t] is what changes hands, as a part of
 * the day before's value.
 */
export function heldWeighted(parts: usize, count: i32, slippage: f64, from: i32, to: i32, out: usize, moved: usize): void {
  const one = ones(parts), zero = f64x2.splat(0.0);
  const slip = f64x2.splat(slippage);
  const end = parts + <usize>count * 24;
  for (let o = <usize>from << 3, last = <usize>to << 3; o < last; o += 16) {
    let g = zero;
    for (let p = parts; p < end; p += 24) {
      const r = v128.load(<usize>load<u32>(p) + o);
      const shares = <usize>load<u32>(p + 4);
      const h = shares == 0 ? v128.load64_splat(p + 8) : v128.load(shares + o - 8);
      g = f64x2.add(g, f64x2.mul(h, r));
    }
    const growth = f64x2.add(one, g);
    let turnover = zero;
    for (let p = parts; p < end; p += 24) {
      const r = v128.load(<usize>load<u32>(p + 16) + o);
      const shares = <usize>load<u32>(p + 4);
      if (shares == 0) {
        turnover = f64x2.add(turnover, f64x2.mul(v128.load64_splat(p + 8), f64x2.abs(f64x2.sub(g, r))));
      } else {
        const now = f64x2.mul(v128.load(shares + o), growth);
        const before = v128.load(shares + o - 8);
        turnover = f64x2.add(turnover, f64x2.abs(f64x2.sub(now, f64x2.add(before, f64x2.mul(before, r)))));
      }
    }
    v128.store(out + o, f64x2.sub(g, f64x2.mul(slip, turnover)));
    v128.store(moved + o, turnover);
  }
}
