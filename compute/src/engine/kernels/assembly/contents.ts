/**
 * Contents of columns, hashed, compared and kept: pieces of 16 bytes, and a mask for the last one where it is
 * not whole.
 */

@inline
export function field(plan: usize, at: usize): usize {
  return <usize>load<u32>(plan + at);
}

@inline
function hashed(h: u64, low: u64, high: u64): u64 {
  return (rotl<u64>(h, 29) ^ low) * 0x9e3779b97f4a7c15 + high * 0xc2b2ae3d27d4eb4f;
}

/** The hash of a content of so many bytes; `tail` says which of the last 16 count where they are not all there. */
@inline
export function hashOf(h: u64, at: usize, bytes: usize, tail: v128): u64 {
  const whole = bytes & ~15;
  for (let o: usize = 0; o < whole; o += 16) h = hashed(h, load<u64>(at + o), load<u64>(at + o, 8));
  if (whole == bytes) return h;
  const rest = v128.and(v128.load(at + whole), tail);
  return hashed(h, u64(i64x2.extract_lane(rest, 0)), u64(i64x2.extract_lane(rest, 1)));
}

/** Where to look for a hash first: its bits are the better the higher they are. */
@inline
export function placeOf(h: u64): usize {
  return <usize>(u32(h >> 40) ^ u32(h >> 52));
}

/** Whether two contents are the same; what is behind the end of the known one is 0. */
@inline
export function isKnown(answer: usize, known: usize, bytes: usize, tail: v128): bool {
  const whole = bytes & ~15;
  let difference = i64x2.splat(0);
  for (let o: usize = 0; o < whole; o += 16) {
    difference = v128.or(difference, v128.xor(v128.load(answer + o), v128.load(known + o)));
  }
  if (whole < bytes) {
    difference = v128.or(difference, v128.xor(v128.and(v128.load(answer + whole), tail), v128.load(known + whole)));
  }
  return !v128.any_true(difference);
}

/** Keeps a content, with 0 behind its end. */
@inline
export function keep(answer: usize, target: usize, bytes: usize, tail: v128): void {
  const whole = bytes & ~15;
  for (let o: usize = 0; o < whole; o += 16) v128.store(target + o, v128.load(answer + o));
  if (whole < bytes) v128.store(target + whole, v128.and(v128.load(answer + whole), tail));
}
