import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { paretoSet } from './pareto.ts';

type Point = readonly [number, number, number];
const column = (points: readonly Point[], i: 0 | 1 | 2) => Float64Array.from(points, (point) => point[i]);
const setOf = (points: readonly Point[]) => [
  ...paretoSet([column(points, 0), column(points, 1), column(points, 2)]),
];
/** By the plain definition, comparing every row with every other one. */
const plainly = (points: readonly Point[]) =>
  points
    .map((point, combination) => ({ point, combination }))
    .filter(({ point }) => point.every(Number.isFinite))
    .filter(
      (own, _, all) =>
        !all.some(
          (other) =>
            other.point.every((value, i) => value >= (own.point[i] as number)) &&
            (other.point.some((value, i) => value > (own.point[i] as number)) ||
              other.combination < own.combination),
        ),
    )
    .map(({ combination }) => combination);

describe('rows that none beats in three metrics', () => {
  it('leave out what is worse in all, equal to an earlier one, or without a value', () => {
    expect(
      setOf([
        [1, 1, 3],
        [1, 3, 1],
        [3, 1, 1],
        [1, 1, 1],
        [3, 1, 1],
        [Number.NaN, 9, 9],
        [9, 9, Number.POSITIVE_INFINITY],
      ]),
    ).toEqual([0, 1, 2]);
    expect(setOf([])).toEqual([]);
  });

  it('are the same where many rows share the parts that the search cuts the range into', () => {
    const random = new Random('pareto');
    for (const of of ['independent', 'against each other'] as const) {
      const points = Array.from({ length: 1_500 }, (): Point => {
        const a = random.uniform();
        const b = of === 'independent' ? random.uniform() : 1 - a + 0.05 * random.uniform();
        return [a, b, random.uniform()];
      });
      expect(setOf(points)).toEqual(plainly(points));
    }
  });

  it('equal the plain definition, whatever the points', () => {
    const value = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.constantFrom(Number.NaN, 0, -0, 5e-324),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { maxLength: 60 }), (points) => {
        expect(setOf(points)).toEqual(plainly(points));
      }),
      { numRuns: 400 },
    );
  });
});
