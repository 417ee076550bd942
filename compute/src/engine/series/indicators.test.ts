import { describe, expect, test } from 'vitest';
import type { Column } from './column.ts';
import { indicatorColumn } from './indicators.ts';

/** A column that begins at its third day and ends one before the last. */
function column(...prices: number[]): Column {
  const values = Float64Array.from([Number.NaN, Number.NaN, ...prices, Number.NaN]);
  return { first: 2, last: prices.length + 1, values };
}

function defined({ first, last, values }: Column): number[] {
  values.forEach((value, i) => {
    expect(Number.isNaN(value), `day ${i}`).toBe(i < first || i > last);
  });
  return [...values.subarray(first, last + 1)];
}

describe('indicators by hand', () => {
  const prices = column(10, 11, 11, 8, 10);

  test.each([
    ['current-price', 9, [10, 11, 11, 8, 10]],
    ['moving-average-price', 2, [10.5, 11, 9.5, 9]],
    ['exponential-moving-average-price', 3, [32 / 3, 28 / 3, 29 / 3]],
    ['cumulative-return', 2, [10, (8 / 11 - 1) * 100, (10 / 11 - 1) * 100]],
    ['moving-average-return', 4, [((11 / 10 - 1 + 0 + 8 / 11 - 1 + 10 / 8 - 1) / 4) * 100]],
    ['standard-deviation-price', 2, [Math.SQRT1_2, 0, 3 * Math.SQRT1_2, 2 * Math.SQRT1_2]],
    ['max-drawdown', 3, [0, (1 - 8 / 11) * 100, (1 - 8 / 11) * 100]],
    ['relative-strength-index', 2, [100, (100 * 0.25) / (0.25 + 1.5), (100 * 1.125) / (1.125 + 0.75)]],
    ['z-score', 2, [Math.SQRT1_2, 0, -Math.SQRT1_2, Math.SQRT1_2]],
  ] as const)('%s over %i', (fn, window, expected) => {
    const actual = defined(indicatorColumn(prices, fn, window));
    expect(actual).toHaveLength(expected.length);
    actual.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i] as number, 12);
    });
  });

  test('a flat window has no deviation, no score, and the strength it had before', () => {
    const flat = column(7, 9, 0.1, 0.1, 0.1);
    expect(defined(indicatorColumn(flat, 'standard-deviation-price', 3)).at(-1)).toBe(0);
    expect(defined(indicatorColumn(flat, 'standard-deviation-return', 2)).at(-1)).toBe(0);
    expect(defined(indicatorColumn(flat, 'z-score', 3)).at(-1)).toBe(0);
    expect(defined(indicatorColumn(flat, 'relative-strength-index', 1))).toEqual([100, 0, 50, 50]);
  });

  test('an exponential average over one day is the price, whatever came before', () => {
    const fallen = [1e10, 0.0013, 0.0017];
    expect(defined(indicatorColumn(column(...fallen), 'exponential-moving-average-price', 1))).toEqual(
      fallen,
    );
  });

  test('years without a move do not wear the strength index out', () => {
    const still = column(100, 103, 102, ...new Array<number>(9000).fill(102), 102.5);
    for (const window of [2, 3, 10]) {
      const strength = defined(indicatorColumn(still, 'relative-strength-index', window));
      const before = strength[3] as number;
      expect(before).toBeGreaterThan(20);
      expect(strength.at(-2)).toBeCloseTo(before, 9);
      expect(strength.at(-1)).toBeGreaterThan(before);
    }
  });

  test('too few bars give no value at all', () => {
    const { first, last, values } = indicatorColumn(prices, 'relative-strength-index', 5);
    expect(first).toBeGreaterThan(last);
    expect(values.every(Number.isNaN)).toBe(true);
  });
});
