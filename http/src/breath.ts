/**
 * Lets requests that have arrived meanwhile come first, between two steps that each take a while on the
 * thread that serves everybody.
 */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
