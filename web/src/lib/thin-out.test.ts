import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinOut } from './thin-out.ts';

describe('thinning out', () => {
  it('keeps first and last, at most the limit, and only values of the series', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 500 }),
        fc.integer({ min: 2, max: 80 }),
        (values, limit) => {
          const thin = thinOut(values, limit);
          expect(thin.length).toBe(Math.min(limit, values.length));
          expect(thin[0]).toBe(values[0]);
          expect(thin.at(-1)).toBe(values.at(-1));
          for (const value of thin) expect(values).toContain(value);
        },
      ),
    );
  });
});
