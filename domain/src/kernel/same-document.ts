/** Whether two JSON values are the same document, whatever the order of their keys. */
export function isSameDocument(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isSameDocument((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
}
