/** The tolerance that golden cases state; anything but a number must be the same. */
export function isClose(actual: unknown, expected: unknown): boolean {
  if (typeof actual !== 'number' || typeof expected !== 'number') return actual === expected;
  return Math.abs(actual - expected) <= 1e-9 * Math.abs(expected) + 1e-12;
}
