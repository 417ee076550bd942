import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heatMapOf } from './heat-map.ts';

const variables = [
  { name: '$A', values: ['a', 'b', 'c'] },
  { name: '$W', values: [30, 10, 20, 40] },
  { name: '$B', values: ['p', 'q'] },
];
/** Combination numbers as values: $A counts eights, $W twos, $B ones. */
const values = Float64Array.from({ length: 24 }, (_, k) => k);
const whole = {
  variables,
  values,
  isLowerBetter: false,
  x: { name: '$W', order: 'given' },
  y: { name: '$A', order: 'given' },
  mostCells: 100,
} as const;

describe('a heat map', () => {
  it('has best, mean and worst of every pair, numbers ascending', () => {
    const map = heatMapOf(whole);
    expect(map.x).toEqual({ name: '$W', values: [10, 20, 30, 40], step: 1, from: 0, total: 4, empty: 0 });
    expect(map.y).toMatchObject({ values: ['a', 'b', 'c'], step: 1 });
    // $A = b, $W = 30 are the combinations 8 and 9.
    expect([map.best[1]?.[2], map.mean[1]?.[2], map.worst[1]?.[2], map.count[1]?.[2]]).toEqual([
      9, 8.5, 8, 2,
    ]);
    const lower = heatMapOf({ ...whole, isLowerBetter: true });
    expect([lower.best[1]?.[2], lower.worst[1]?.[2]]).toEqual([8, 9]);
  });

  it('orders tickers by their mean, the best first, and leaves out those without a row', () => {
    const without = values.map((value, k) => (k < 8 ? Number.NaN : value));
    const order = (isLowerBetter: boolean) =>
      heatMapOf({ ...whole, values: without, isLowerBetter, y: { name: '$A', order: 'mean' } }).y.values;
    expect(order(false)).toEqual(['c', 'b']);
    expect(order(true)).toEqual(['b', 'c']);
    expect(heatMapOf({ ...whole, values: without }).y).toMatchObject({ total: 2, empty: 1 });
  });

  it('shows a part of an axis, and lets neighbours share a cell where there are too many', () => {
    const map = heatMapOf({ ...whole, x: { name: '$W', order: 'given', from: 1, to: 4 }, mostCells: 2 });
    expect(map.x).toEqual({ name: '$W', values: [20, 30, 40], step: 2, from: 1, total: 4, empty: 0 });
    expect(map.best.map((row) => row.length)).toEqual([2, 2]);
    // $A in a, b and $W in 20, 30: combinations 4, 5, 0, 1, 12, 13, 8 and 9.
    expect([map.best[0]?.[0], map.mean[0]?.[0], map.worst[0]?.[0], map.count[0]?.[0]]).toEqual([
      13, 6.5, 0, 8,
    ]);
    expect(map.count[1]?.[1]).toBe(2);
  });

  it('shows nothing of an axis from beyond its end, and says where that is', () => {
    const map = heatMapOf({ ...whole, x: { name: '$W', order: 'given', from: 9, to: 12 } });
    expect(map.x).toEqual({ name: '$W', values: [], step: 1, from: 4, total: 4, empty: 0 });
    expect(map.best.map((row) => row.length)).toEqual([0, 0, 0]);
  });

  it('counts every row with a result once, and says nothing where there is none', () => {
    const cell = fc.oneof(fc.constant(Number.NaN), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(cell, { minLength: 24, maxLength: 24 }),
        fc.integer({ min: 1, max: 5 }),
        (numbers, mostCells) => {
          const map = heatMapOf({ ...whole, values: Float64Array.from(numbers), mostCells });
          const known = numbers.filter((value) => !Number.isNaN(value));
          const sum = map.mean
            .flatMap((row, y) =>
              [...row].map((mean, x) => (map.count[y]?.[x] ? mean * (map.count[y]?.[x] ?? 0) : 0)),
            )
            .reduce((a, b) => a + b, 0);
          expect(map.count.flatMap((row) => [...row]).reduce((a, b) => a + b, 0)).toBe(known.length);
          expect(sum).toBeCloseTo(
            known.reduce((a, b) => a + b, 0),
            9,
          );
          for (const [y, row] of map.count.entries())
            for (const [x, count] of row.entries()) expect(Number.isNaN(map.best[y]?.[x])).toBe(count === 0);
        },
      ),
    );
  });
});
