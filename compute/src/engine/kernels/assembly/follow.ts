import { ones } from './constants';

/**
 * Follows 4 lanes over gathered days. `piece` has growth, lowest, end over high (64 bytes apart), which begin
 * here where `isFirst`; `own` the lowest of the last; `belowAt` the sum of the squares of returns below 0.
 */
@inline
export function follow(buffer: usize, days: i32, isFirst: bool, piece: usize, own: usize, belowAt: usize): void {
  const one = ones(piece), zero = f64x2.splat(0.0), none = f64x2.splat(Infinity);
  let v0 = one, v1 = one, l0 = none, l1 = none, q0 = none, q1 = none;
  if (!isFirst) {
    v0 = v128.load(piece); v1 = v128.load(piece + 16);
    l0 = v128.load(piece + 64); l1 = v128.load(piece + 80);
    q0 = v128.load(piece + 128); q1 = v128.load(piece + 144);
  }
  let m0 = v128.load(own), m1 = v128.load(own + 16);
  let n0 = v128.load(belowAt), n1 = v128.load(belowAt + 16);
  for (let end = buffer + <usize>days * 64; buffer < end; buffer += 64) {
    const r0 = v128.load(buffer), r1 = v128.load(buffer, 16);
    n0 = f64x2.add(n0, f64x2.mul(r0, f64x2.pmin(zero, r0)));
    n1 = f64x2.add(n1, f64x2.mul(r1, f64x2.pmin(zero, r1)));
    const f0 = f64x2.add(r0, one), f1 = f64x2.add(r1, one);
    v0 = f64x2.mul(v0, f0);
    v1 = f64x2.mul(v1, f1);
    l0 = f64x2.pmin(l0, v0);
    l1 = f64x2.pmin(l1, v1);
    q0 = f64x2.pmin(one, f64x2.mul(q0, f0));
    q1 = f64x2.pmin(one, f64x2.mul(q1, f1));
    m0 = f64x2.pmin(m0, q0);
    m1 = f64x2.pmin(m1, q1);
  }
  v128.store(piece, v0); v128.store(piece + 16, v1);
  v128.store(piece + 64, l0); v128.store(piece + 80, l1);
  v128.store(piece + 128, q0); v128.store(piece + 144, q1);
  v128.store(own, m0); v128.store(own + 16, m1);
  v128.store(belowAt, n0); v128.store(belowAt + 16, n1);
}

@inline
export function fillDoubles(at: usize, bytes: usize, value: f64): void {
  const v = f64x2.splat(value);
  for (const end = at + bytes; at < end; at += 16) v128.store(at, v);
}
