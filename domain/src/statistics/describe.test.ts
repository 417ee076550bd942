import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addTo, dot, squaresAround, sumOf } from './describe.ts';

const series = fc
  .array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
    maxLength: 30,
  })
  .map((pairs) => ({
    values: Float64Array.from(pairs, ([value]) => value),
    others: Float64Array.from(pairs, ([, other]) => other),
  }));
const total = (values: Float64Array) => Array.from(values).reduce((sum, value) => sum + value, 0);

describe('sums over a series, several side by side', () => {
  it('are those of one value after the other, whatever the length', () => {
    fc.assert(
      fc.property(series, fc.double({ min: -1, max: 1, noNaN: true }), ({ values, others }, centre) => {
        expect(sumOf(values)).toBeCloseTo(total(values), 12);
        expect(dot(values, others)).toBeCloseTo(
          total(values.map((value, i) => value * (others[i] ?? 0))),
          12,
        );
        expect(squaresAround(centre, values)).toBeCloseTo(
          total(values.map((value) => (value - centre) ** 2)),
          12,
        );
      }),
    );
  });

  it('add a multiple of each value in its place', () => {
    const sums = Float64Array.of(1, 2, 3);
    addTo(sums, Float64Array.of(10, 20, 30), -0.5);
    expect([...sums]).toEqual([-4, -8, -12]);
  });
});
