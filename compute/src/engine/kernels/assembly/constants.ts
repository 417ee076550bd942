/**
 * 1 in both lanes. The compiler must not know that `address` is never 0: V8 would put a constant together
 * anew, in four instructions, wherever a loop uses it.
 */
@inline
export function ones(address: usize): v128 {
  return f64x2.splat(f64(i32(address != 0)));
}
