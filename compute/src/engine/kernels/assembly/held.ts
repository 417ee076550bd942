/**
 * Portfolios whose tickers are the same on every day, two days at a time. Returns after costs: with the value growing by 1 + g,
 * cost is s * sum |w * (1 + g) - h * (1 + r)|, h the weights of the day before.
 */

/**
 * `parts` describes the holdings, 24 bytes each: address of the returns earned (u32), 0 or the address of a share per day (u32), the
 * constant share (f64), address of the returns that costs follow from (u32). These are the same on days without a trade of the
 * part; where all of it is sold for another ticker they are -2 - r, so that |w * (1 + g) - h * (1 + c)| is the sum of what is bought
 * and what is sold. out[t] for the days [from, to), and possibly one more.
 */
export function heldWeighted(parts: usize, count: i32, slippage: f64, from: i32, to: i32, out: usize): void {
  const one = f64x2.splat(1.0), zero = f64x2.splat(0.0);
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
  }
}

/** out[t] = u[t-1] * (1 + return[t]) for the days [from, to). */
export function grown(u: usize, returns: usize, out: usize, from: i32, to: i32): void {
  for (let o = <usize>from << 3, last = <usize>to << 3; o < last; o += 8) {
    store<f64>(out + o, load<f64>(u + o - 8) * (1.0 + load<f64>(returns + o)));
  }
}

@inline
function inverseOfSum(parts: usize, end: usize, o: usize): v128 {
  let w = v128.load(<usize>load<u32>(parts) + o);
  for (let p = parts + 8; p < end; p += 8) w = f64x2.add(w, v128.load(<usize>load<u32>(p) + o));
  return f64x2.div(f64x2.splat(1.0), w);
}

/**
 * Inverse volatility over tickers: `parts` holds per ticker the addresses of u and a (u32 each). With W the sum of u, S that of a,
 * and V the W of the day before, the value grows by S / V, and the cost is s / V * sum |u * S / W - a|. Begins with an even day.
 */
export function inverseWeighted(parts: usize, count: i32, slippage: f64, from: i32, to: i32, out: usize): void {
  const end = parts + <usize>count * 8;
  const one = f64x2.splat(1.0);
  const slip = f64x2.splat(slippage);
  let o = <usize>(from & ~1) << 3;
  let scale = inverseOfSum(parts, end, o - 16);
  for (const last = <usize>to << 3; o < last; o += 16) {
    const next = inverseOfSum(parts, end, o);
    const before = v128.shuffle<f64>(scale, next, 1, 2);
    let s = v128.load(<usize>load<u32>(parts + 4) + o);
    for (let p = parts + 8; p < end; p += 8) s = f64x2.add(s, v128.load(<usize>load<u32>(p + 4) + o));
    const now = f64x2.mul(next, s);
    let turnover = f64x2.splat(0.0);
    for (let p = parts; p < end; p += 8) {
      const wanted = f64x2.mul(v128.load(<usize>load<u32>(p) + o), now);
      turnover = f64x2.add(turnover, f64x2.abs(f64x2.sub(wanted, v128.load(<usize>load<u32>(p + 4) + o))));
    }
    v128.store(out + o, f64x2.sub(f64x2.mul(before, f64x2.sub(s, f64x2.mul(slip, turnover))), one));
    scale = next;
  }
}

/** The same for exactly three tickers, without loops. */
export function inverseWeighted3(parts: usize, slippage: f64, from: i32, to: i32, out: usize): void {
  const one = f64x2.splat(1.0);
  const slip = f64x2.splat(2.0 * slippage);
  let o = <usize>(from & ~1) << 3;
  const u0 = <usize>load<u32>(parts), a0 = <usize>load<u32>(parts + 4);
  const u1 = <usize>load<u32>(parts + 8), a1 = <usize>load<u32>(parts + 12);
  const u2 = <usize>load<u32>(parts + 16), a2 = <usize>load<u32>(parts + 20);
  let scale = inverseOfSum(parts, parts + 24, o - 16);
  for (const last = <usize>to << 3; o < last; o += 16) {
    const x0 = v128.load(u0 + o), x1 = v128.load(u1 + o), x2 = v128.load(u2 + o);
    const y0 = v128.load(a0 + o), y1 = v128.load(a1 + o), y2 = v128.load(a2 + o);
    const next = f64x2.div(one, f64x2.add(f64x2.add(x0, x1), x2));
    const before = v128.shuffle<f64>(scale, next, 1, 2);
    const s = f64x2.add(f64x2.add(y0, y1), y2);
    const now = f64x2.mul(next, s);
    // The three differences add up to 0: the largest is as large as the other two together.
    const d0 = f64x2.sub(f64x2.mul(x0, now), y0), d1 = f64x2.sub(f64x2.mul(x1, now), y1);
    const largest = f64x2.pmax(f64x2.pmax(f64x2.abs(d0), f64x2.abs(d1)), f64x2.abs(f64x2.add(d0, d1)));
    v128.store(out + o, f64x2.sub(f64x2.mul(before, f64x2.sub(s, f64x2.mul(slip, largest))), one));
    scale = next;
  }
}
