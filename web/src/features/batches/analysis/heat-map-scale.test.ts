import { describe, expect, test } from 'vitest';
import { colorAt, colorScaleOf, pixelsOf } from './heat-map-scale.ts';

/** 0, 1, … 99 in ten rows. */
const even = Array.from({ length: 10 }, (_, y) => Array.from({ length: 10 }, (_, x) => 10 * y + x));
const withCell = (value: number | null) => [[value, ...(even[0] ?? []).slice(1)], ...even.slice(1)];

describe('the ends of the colours', () => {
  test('are the smallest and the largest value where the cells lie evenly', () => {
    expect(colorScaleOf(even)).toEqual({ low: 0, high: 99, min: 0, max: 99, below: 0, above: 0 });
  });

  test('are the 98th percentile where one value lies far above, which is counted', () => {
    const scale = colorScaleOf(withCell(1e6));
    expect(scale).toMatchObject({ low: 1, max: 1e6, below: 0 });
    expect(scale?.high).toBeGreaterThan(95);
    expect(scale?.high).toBeLessThan(100);
    expect(scale?.above).toBe(2);
  });

  test('are the 2nd percentile where one value lies far below', () => {
    const scale = colorScaleOf(withCell(-1e6));
    expect(scale).toMatchObject({ high: 99, min: -1e6, above: 0, below: 2 });
    expect(scale?.low).toBeGreaterThan(0);
  });

  test('stay those of all cells where nearly all are alike, and of one value', () => {
    const alike = even.map((row, y) => row.map((_, x) => (x === 0 && y === 0 ? 7 : 1)));
    expect(colorScaleOf(alike)).toMatchObject({ low: 1, high: 7, below: 0, above: 0 });
    expect(colorScaleOf([[3, null]])).toMatchObject({ low: 3, high: 3 });
  });

  test('are none without a value', () => {
    expect(colorScaleOf([[null], [null]])).toBeNull();
    expect(colorScaleOf([])).toBeNull();
  });
});

describe('the pixels', () => {
  const pixelAt = (pixels: Uint8ClampedArray, at: number) => [...pixels.slice(4 * at, 4 * at + 4)];

  test('go from the worst to the best colour; beyond the ends they keep it; nothing where there is no value', () => {
    const grid = [[0, 5, 10, 99, null]];
    const scale = { low: 0, high: 10, min: 0, max: 99, below: 0, above: 1 };
    const pixels = pixelsOf(grid, scale, true);
    expect(pixelAt(pixels, 0)).toEqual([...colorAt(0), 255]);
    expect(pixelAt(pixels, 1)).toEqual([...colorAt(0.5), 255]);
    expect(pixelAt(pixels, 2)).toEqual([...colorAt(1), 255]);
    expect(pixelAt(pixels, 3)).toEqual(pixelAt(pixels, 2));
    expect(pixelAt(pixels, 4)).toEqual([0, 0, 0, 0]);
    // The smallest drawdown is the best.
    expect(pixelAt(pixelsOf(grid, scale, false), 0)).toEqual([...colorAt(1), 255]);
  });

  test('grow lighter with every step, so that they can be told apart without colour', () => {
    const light = Array.from({ length: 50 }, (_, i) => {
      const [red, green, blue] = colorAt(i / 49);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    expect(light).toEqual(light.toSorted((a, b) => a - b));
  });
});
