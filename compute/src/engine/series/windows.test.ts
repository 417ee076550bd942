import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../testing/fixtures.ts';
import { movingDeviation, movingDrawdown, movingSum } from './windows.ts';

const BARS = 10_000;
const WINDOWS = [2, 3, 10, 63, 252, 1999, 2000];

/**
 * Series that make sums drift: a fall over ten orders of magnitude, tiny moves on a high level, a walk with
 * flat stretches, tiny prices, jumps.
 */
const SERIES: Readonly<Record<string, Float64Array>> = {
  'a fall from 88 billion to 20': walk((t) => 88e9 * Math.exp((-22.2 * t) / BARS), 0.03),
  'small moves on a high level': walk(() => 1e11, 1e-9),
  'a rise from 1e-8': walk((t) => 1e-8 * Math.exp((18 * t) / BARS), 0.02),
  'a walk with flat stretches': flatWalk(),
  // 701 is no multiple of a window: a jump falls anywhere in a block.
  'jumps of thirteen orders of magnitude': walk((t) => (Math.floor(t / 701) % 2 === 0 ? 1e10 : 1e-3), 0.02),
};

function walk(level: (t: number) => number, noise: number): Float64Array {
  const random = randomFrom(7);
  return Float64Array.from({ length: BARS }, (_, t) => level(t) * (1 + noise * (random() - 0.5)));
}

function flatWalk(): Float64Array {
  const random = randomFrom(9);
  let price = 100;
  return Float64Array.from({ length: BARS }, (_, t) => {
    if (Math.floor(t / 700) % 2 === 0) price *= 1 + 0.02 * (random() - 0.5);
    return price;
  });
}

/** Neumaier's sum: exact to the last bits. */
function exactSum(values: Float64Array): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

function expectClose(actual: number | undefined, expected: number, what: string): void {
  const distance = Math.abs((actual as number) - expected);
  expect(distance <= 1e-9 * Math.abs(expected), `${what}: ${actual} instead of ${expected}`).toBe(true);
}

describe.each(Object.entries(SERIES))('windows over %s', (_, series) => {
  test.each(WINDOWS)('of %i stay with the direct sums', (window) => {
    const from = 17;
    const to = BARS - 5;
    const sums = new Float64Array(BARS).fill(Number.NaN);
    const distances = new Float64Array(BARS).fill(Number.NaN);
    const deviations = new Float64Array(BARS).fill(Number.NaN);
    const drawdowns = new Float64Array(BARS).fill(Number.NaN);
    movingSum(series, from, to, window, sums);
    movingDeviation(series, from, to, window, deviations, distances);
    movingDrawdown(series, from, to, window, drawdowns);
    for (const out of [sums, deviations, distances, drawdowns]) {
      expect(out.findIndex((value) => !Number.isNaN(value))).toBe(from + window - 1);
      expect(out.findLastIndex((value) => !Number.isNaN(value))).toBe(to);
    }
    for (let t = from + window - 1; t <= to; t += 97) {
      const values = series.slice(t - window + 1, t + 1);
      const sum = exactSum(values);
      expectClose(sums[t], sum, `sum at ${t}`);
      const base = values[0] as number;
      const moves = values.map((value) => value - base);
      const mean = exactSum(moves) / window;
      const deviation = Math.sqrt(exactSum(moves.map((move) => (move - mean) ** 2)) / (window - 1));
      if (values.every((value) => value === base)) expect(deviations[t]).toBe(0);
      else expectClose(deviations[t], deviation, `deviation at ${t}`);
      const distance = (moves.at(-1) as number) - mean;
      expect(Math.abs((distances[t] as number) - distance)).toBeLessThanOrEqual(1e-9 * deviation);
      expect(drawdowns[t]).toBe(drawdownOf(values));
    }
  });
});

function drawdownOf(values: Float64Array): number {
  let high = 0;
  let worst = 0;
  for (const value of values) {
    high = Math.max(high, value);
    worst = Math.max(worst, 1 - value / high);
  }
  return worst;
}

test('the window of one value is that value', () => {
  const series = Float64Array.of(3, 1, 2);
  const out = new Float64Array(3);
  movingSum(series, 0, 2, 1, out);
  expect([...out]).toEqual([3, 1, 2]);
  movingDrawdown(series, 0, 2, 1, out);
  expect([...out]).toEqual([0, 0, 0]);
});

test('a window longer than the series has no value', () => {
  const out = new Float64Array(3).fill(Number.NaN);
  movingSum(Float64Array.of(3, 1, 2), 0, 2, 4, out);
  movingDrawdown(Float64Array.of(3, 1, 2), 0, 2, 4, out);
  movingDeviation(Float64Array.of(3, 1, 2), 0, 2, 4, out);
  expect([...out]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
});
