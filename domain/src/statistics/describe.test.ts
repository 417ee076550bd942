import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addTo,
  correlation,
  dot,
  grownBy,
  medianOf,
  momentsOf,
  quantile,
  rankCorrelation,
  ranks,
  shapeOf,
  squaresAround,
  sumOf,
} from './describe.ts';

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
    addTo(sums, Float64Array.of(4, 8, 12));
    expect([...sums]).toEqual([0, 0, 0]);
  });
});

const column = fc.array(fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN)), {
  maxLength: 20,
});
const numbers = (values: readonly number[]) => values.filter((value) => !Number.isNaN(value));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the moments of a column', () => {
  it('are those of its numbers by definition', () => {
    fc.assert(
      fc.property(column, (values) => {
        const known = numbers(values);
        const { count, mean, deviation, min, max } = momentsOf(values);
        expect(count).toBe(known.length);
        if (known.length === 0) {
          expect([mean, deviation, min, max]).toEqual(Array(4).fill(Number.NaN));
          return;
        }
        expect([min, max]).toEqual([Math.min(...known), Math.max(...known)]);
        expect(mean).toBeCloseTo(meanOf(known), 12);
        const squares = known.reduce((sum, value) => sum + (value - meanOf(known)) ** 2, 0);
        if (known.length === 1) expect(deviation).toBeNaN();
        else expect(deviation).toBeCloseTo(Math.sqrt(squares / (known.length - 1)), 12);
      }),
    );
  });

  it('keep the deviation of what lies far from 0', () => {
    expect(momentsOf([1e9, 1e9 + 1, 1e9 + 2]).deviation).toBe(1);
  });

  it('have the shape of two sides, and that of normal values where nothing varies', () => {
    // One in four away: skewness 2/√3, kurtosis 7/3.
    const { n, skewness, kurtosis } = shapeOf([0, 0, 0, 4]);
    expect(n).toBe(4);
    expect(skewness).toBeCloseTo(2 / Math.sqrt(3), 12);
    expect(kurtosis).toBeCloseTo(7 / 3, 12);
    expect(shapeOf([0, 0, 0, -4]).skewness).toBeCloseTo(-2 / Math.sqrt(3), 12);
    expect(shapeOf([2, 2, 2])).toEqual({ n: 3, skewness: 0, kurtosis: 3 });
    expect(shapeOf([])).toEqual({ n: 0, skewness: 0, kurtosis: 3 });
  });

  it('grow 1 by each return', () => {
    expect(grownBy(Float64Array.of(0.5, -0.5, 1))).toBe(1.5);
    expect(grownBy(new Float64Array(0))).toBe(1);
  });
});

describe('orders and how they agree', () => {
  it('have their quantiles between the two values on either side', () => {
    const sorted = [10, 20, 40, 80, 160];
    expect([0, 0.25, 0.3, 0.5, 0.9, 1].map((p) => quantile(sorted, p))).toEqual([
      10,
      20,
      expect.closeTo(24, 12),
      40,
      expect.closeTo(128, 12),
      160,
    ]);
    expect(quantile([7], 0.9)).toBe(7);
    expect(medianOf(Float64Array.of(9, Number.NaN, 1, 2))).toBe(2);
    expect(medianOf(Float64Array.of(Number.NaN))).toBeNaN();
  });

  it('rank each number by how many are below it, ties half', () => {
    fc.assert(
      fc.property(column, (values) => {
        const expected = values.map((own) => {
          if (Number.isNaN(own)) return Number.NaN;
          const below = values.filter((value) => value < own).length;
          const same = values.filter((value) => value === own).length;
          return below + (same + 1) / 2;
        });
        expect([...ranks(Float64Array.from(values))]).toEqual(expected);
      }),
    );
  });

  it('agree over the pairs of which both are numbers', () => {
    fc.assert(
      fc.property(fc.tuple(column, column), (pair) => {
        const length = Math.min(pair[0].length, pair[1].length);
        const [x, y] = pair.map((values) => Float64Array.from(values.slice(0, length))) as [
          Float64Array,
          Float64Array,
        ];
        const both = [...x.keys()].filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i]));
        const [a, b] = [x, y].map((values) => both.map((i) => values[i] as number)) as [number[], number[]];
        const [meanA, meanB] = [meanOf(a), meanOf(b)];
        const sum = (of: (i: number) => number) => a.reduce((total, _, i) => total + of(i), 0);
        const [awayA, awayB] = [(i: number) => (a[i] ?? 0) - meanA, (i: number) => (b[i] ?? 0) - meanB];
        const scale = Math.sqrt(sum((i) => awayA(i) ** 2) * sum((i) => awayB(i) ** 2));
        const found = correlation(x, y);
        if (scale < 1e-9) expect(found).toBeNaN();
        else expect(found).toBeCloseTo(sum((i) => awayA(i) * awayB(i)) / scale, 9);
        const ofRanks = correlation(ranks(Float64Array.from(a)), ranks(Float64Array.from(b)));
        expect(rankCorrelation(x, y)).toEqual(ofRanks);
      }),
    );
  });

  it('never agree by more than wholly', () => {
    const x = Float64Array.from({ length: 50 }, (_, i) => i * 0.1);
    expect(correlation(x, x)).toBeLessThanOrEqual(1);
    expect(correlation(x, x)).toBeCloseTo(1, 12);
    expect(
      correlation(
        x,
        x.map((value) => -value),
      ),
    ).toBeGreaterThanOrEqual(-1);
    expect(
      correlation(
        x,
        x.map((value) => -value),
      ),
    ).toBeCloseTo(-1, 12);
    expect(correlation(x, new Float64Array(50).fill(2))).toBeNaN();
    expect(correlation(new Float64Array(50).fill(2), x)).toBeNaN();
  });
});
