/**
 * Codes say what is held on a day: 0 is cash, i the i-th ticker in use. Bytes, or two bytes where there are
 * many tickers.
 */

/** out = mask ? a : b on bytes. */
export function select8(mask: usize, a: usize, b: usize, out: usize, days: i32): void {
  for (const end = out + days; out < end; out += 16, mask += 16, a += 16, b += 16) {
    v128.store(out, v128.bitselect(v128.load(a), v128.load(b), v128.load(mask)));
  }
}

/** out = mask ? a : b on two-byte codes under a byte mask. */
export function select16(mask: usize, a: usize, b: usize, out: usize, days: i32): void {
  for (const end = out + 2 * days; out < end; out += 16, mask += 8, a += 16, b += 16) {
    const wide = v128.load_ext<i8>(mask);
    v128.store(out, v128.bitselect(v128.load(a), v128.load(b), wide));
  }
}

/** out = mask ? a : b on doubles under a byte mask. */
export function select64(mask: usize, a: usize, b: usize, out: usize, days: i32): void {
  for (const end = out + 8 * days; out < end; out += 16, mask += 2, a += 16, b += 16) {
    const two = i32(load<i16>(mask));
    const low = i64(i8(two)), high = i64(i8(two >> 8));
    v128.store(out, v128.bitselect(v128.load(a), v128.load(b), i64x2.replace_lane(i64x2.splat(low), 1, high)));
  }
}

@inline
function widths8(previous: v128, now: v128, toInvested: v128, toCash: v128): v128 {
  const zero = i8x16.splat(0);
  const offset = v128.bitselect(toCash, toInvested, i8x16.eq(now, zero));
  return i8x16.add(previous, v128.and(offset, i8x16.ne(now, previous)));
}

@inline
function widths16(previous: v128, now: v128, toInvested: v128, toCash: v128): v128 {
  const zero = i16x8.splat(0);
  const offset = v128.bitselect(toCash, toInvested, i16x8.eq(now, zero));
  return i16x8.add(previous, v128.and(offset, i16x8.ne(now, previous)));
}

/**
 * The root if, fused with the search for changes: out[t] = row of the return of day t = what was held at t-1,
 * plus `tickers` rows where the close of t switches to a ticker and 2 * `tickers` where it switches to cash.
 * Day 0 of the columns must not be asked for.
 */
export function changes8(mask: usize, a: usize, b: usize, out: usize, from: i32, to: i32, tickers: i32): void {
  const toInvested = i8x16.splat(<i8>tickers), toCash = i8x16.splat(<i8>(2 * tickers));
  for (let t = <usize>from, end = <usize>to; t < end; t += 16) {
    const now = v128.bitselect(v128.load(a + t), v128.load(b + t), v128.load(mask + t));
    const previous = v128.bitselect(v128.load(a + t - 1), v128.load(b + t - 1), v128.load(mask + t - 1));
    v128.store(out + t, widths8(previous, now, toInvested, toCash));
  }
}

export function changes16(mask: usize, a: usize, b: usize, out: usize, from: i32, to: i32, tickers: i32): void {
  const toInvested = i16x8.splat(<i16>tickers), toCash = i16x8.splat(<i16>(2 * tickers));
  for (let t = <usize>from, end = <usize>to; t < end; t += 8) {
    const o = t << 1;
    const now = v128.bitselect(v128.load(a + o), v128.load(b + o), v128.load_ext<i8>(mask + t));
    const previous = v128.bitselect(v128.load(a + o - 2), v128.load(b + o - 2), v128.load_ext<i8>(mask + t - 1));
    v128.store(out + o, widths16(previous, now, toInvested, toCash));
  }
}

/** The same for a root whose codes are there already. */
export function changesOf8(codes: usize, out: usize, from: i32, to: i32, tickers: i32): void {
  const toInvested = i8x16.splat(<i8>tickers), toCash = i8x16.splat(<i8>(2 * tickers));
  for (let t = <usize>from, end = <usize>to; t < end; t += 16) {
    v128.store(out + t, widths8(v128.load(codes + t - 1), v128.load(codes + t), toInvested, toCash));
  }
}

export function changesOf16(codes: usize, out: usize, from: i32, to: i32, tickers: i32): void {
  const toInvested = i16x8.splat(<i16>tickers), toCash = i16x8.splat(<i16>(2 * tickers));
  for (let t = <usize>from, end = <usize>to; t < end; t += 8) {
    const o = t << 1;
    v128.store(out + o, widths16(v128.load(codes + o - 2), v128.load(codes + o), toInvested, toCash));
  }
}

/** out |= codes where the mask holds: with masks that exclude each other, the code of the one that holds. */
export function maskedInto8(mask: usize, codes: usize, out: usize, days: i32): void {
  for (const end = out + days; out < end; out += 16, mask += 16, codes += 16) {
    v128.store(out, v128.or(v128.load(out), v128.and(v128.load(mask), v128.load(codes))));
  }
}

export function maskedInto16(mask: usize, codes: usize, out: usize, days: i32): void {
  for (const end = out + 2 * days; out < end; out += 16, mask += 8, codes += 16) {
    v128.store(out, v128.or(v128.load(out), v128.and(v128.load_ext<i8>(mask), v128.load(codes))));
  }
}

export function fill8(out: usize, value: i32, days: i32): void {
  const v = i8x16.splat(<i8>value);
  for (const end = out + days; out < end; out += 16) v128.store(out, v);
}

export function fill16(out: usize, value: i32, days: i32): void {
  const v = i16x8.splat(<i16>value);
  for (const end = out + 2 * days; out < end; out += 16) v128.store(out, v);
}

export function fill64(out: usize, value: f64, days: i32): void {
  const v = f64x2.splat(value);
  for (const end = out + 8 * days; out < end; out += 16) v128.store(out, v);
}
