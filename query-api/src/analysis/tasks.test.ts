import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runTask } from './tasks.ts';

it('takes the best of a column, lower combinations first among equals, as sorting it does', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NaN), fc.double());
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 1, max: 400 }), (numbers, size) => {
      const values = Float64Array.from(numbers);
      const { top } = runTask({ kind: 'sample', values, size }) as { top: Uint32Array };
      const sorted = [...values.keys()]
        .filter((k) => !Number.isNaN(values[k]))
        .sort((a, b) => {
          const [left, right] = [values[a] as number, values[b] as number];
          return left === right ? a - b : left > right ? -1 : 1;
        });
      expect([...top]).toEqual(sorted.slice(0, Math.max(10, Math.floor(size / 10))));
    }),
    { numRuns: 500 },
  );
});

it('compares two columns where both have a result: what is equal, higher, lower, and what only one has', () => {
  const none = Number.NaN;
  // Combinations 0 to 4 of this batch are 1 to 5 of the other one.
  const compared = runTask({
    kind: 'compare',
    own: Float64Array.of(1, 2, 3, none, 5, 6),
    other: Float64Array.of(9, 1, 4, 2, 7, none),
    targets: Int32Array.of(0, 1, 2, 3, 4),
    sources: Int32Array.of(1, 2, 3, 4, 5),
    limit: 2,
  });
  expect(compared).toMatchObject({
    matched: 3,
    unmatched: { this: 2, other: 2 },
    equal: 1,
    higher: 1,
    lower: 1,
    largest: [
      { target: 1, source: 2, own: 2, other: 4 },
      { target: 2, source: 3, own: 3, other: 2 },
    ],
  });
  // Differences 0, -2 and 1.
  expect((compared as { meanDifference: number }).meanDifference).toBeCloseTo(-1 / 3, 12);
});
