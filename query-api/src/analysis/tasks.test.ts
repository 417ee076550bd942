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
