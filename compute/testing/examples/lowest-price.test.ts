import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lowestPrice } from './lowest-price.ts';

/** Few different prices, so that some are equal; `empty` days come before the first. */
const history = fc.record({
  prices: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 60 }),
  empty: fc.nat({ max: 5 }),
  window: fc.integer({ min: 1, max: 12 }),
});

it('is the lowest price of the window, looked for from scratch on every day', () => {
  fc.assert(
    fc.property(history, ({ prices, empty, window }) => {
      const values = Float64Array.from([...Array(empty).fill(Number.NaN), ...prices]);
      const out = new Float64Array(values.length).fill(Number.NaN);
      const first = empty + window - 1;
      lowestPrice({ first: empty, last: values.length - 1, values }, window, first, out);
      const expected = Array.from(values, (_, i) =>
        i < first ? Number.NaN : Math.min(...values.slice(i - window + 1, i + 1)),
      );
      expect([...out]).toEqual(expected);
    }),
  );
});
