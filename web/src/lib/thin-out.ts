/** Every `n`-th value so that at most `limit` stay, first and last included. */
export function thinOut(values: readonly number[], limit = 60): number[] {
  if (values.length <= limit) return [...values];
  return Array.from(
    { length: limit },
    (_, i) => values[Math.round((i * (values.length - 1)) / (limit - 1))] ?? Number.NaN,
  );
}
