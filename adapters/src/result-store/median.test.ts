import fc from 'fast-check';
import { expect, it } from 'vitest';
import { medianWithin } from './median.ts';

/** By a sort. */
function expected(values: readonly number[]): number | null {
  const sorted = Float64Array.from(values.filter((value) => !Number.isNaN(value))).sort();
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return lower === undefined || upper === undefined ? null : lower + (upper - lower) / 2;
}

it('is that of the sorted numbers', () => {
  const few = fc.constantFrom(0, 1, 2, Number.NaN);
  const any = fc.oneof(few, fc.double({ noDefaultInfinity: true, min: -1e300, max: 1e300 }));
  fc.assert(
    fc.property(fc.array(any, { maxLength: 60 }), (values) => {
      const found = medianWithin(Float64Array.from(values));
      // Zeros of both signs are equal.
      expect(found === null ? null : found + 0).toBe(expected(values.map((value) => value + 0)));
    }),
    { numRuns: 2_000 },
  );
});

it('takes sorted, reversed and equal values in their stride', () => {
  const n = 100_001;
  for (const value of [
    (i: number) => i,
    (i: number) => n - 1 - i,
    (i: number) => Math.min(i, n - 1 - i),
    () => 7,
  ])
    expect(medianWithin(Float64Array.from({ length: n }, (_, i) => value(i)))).toBe(
      expected(Array.from({ length: n }, (_, i) => value(i))),
    );
});
