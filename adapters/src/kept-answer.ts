/**
 * Asks once and keeps the answer for everybody who asks meanwhile and later. An answer that failed is not
 * kept: the next call asks again.
 */
export function keptAnswer<Args extends readonly unknown[], T>(
  ask: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<T> {
  let kept: Promise<T> | null = null;
  return (...args) => {
    if (kept) return kept;
    const asked = ask(...args);
    kept = asked;
    asked.catch(() => {
      if (kept === asked) kept = null;
    });
    return asked;
  };
}
