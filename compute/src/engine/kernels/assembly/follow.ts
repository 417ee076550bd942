import { ones } from './constants';

/** Follows 4 lanes over gathered days. `piece` has growth, lowest, end over high (64 bytes apart); `own` the lowest of the last. */
@inline
export function follow(buffer: usize, days: i32, piece: usize, own: usize): void {
  const one = ones(piece);
  let v0 = v128.load(piece), v1 = v128.load(piece + 16);
  let l0 = v128.load(piece + 64), l1 = v128.load(piece + 80);
  let q0 = v128.load(piece + 128), q1 = v128.load(piece + 144);
  let m0 = v128.load(own), m1 = v128.load(own + 16);
  for (let end = buffer + <usize>days * 64; buffer < end; buffer += 64) {
    const f0 = v128.load(buffer), f1 = v128.load(buffer, 16);
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
}

@inline
export function fillDoubles(at: usize, bytes: usize, value: f64): void {
  const v = f64x2.splat(value);
  for (const end = at + bytes; at < end; at += 16) v128.store(at, v);
}
