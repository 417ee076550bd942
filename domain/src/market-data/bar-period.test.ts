import { describe, expect, it } from 'vitest';
import { longerPeriod } from './bar-period.ts';

const every = (distance: number, count: number) =>
  Int32Array.from({ length: count }, (_, i) => 16_405 + i * distance);

describe('longerPeriod', () => {
  it.each([
    ['sessions of two weeks', Int32Array.of(0, 1, 2, 3, 4, 7, 8, 9, 10, 11), null],
    ['single days with long gaps', Int32Array.of(0, 1, 2, 30, 31, 32, 60, 61, 62, 90), null],
    ['weeks', every(7, 8), 'weekly'],
    ['months', every(30, 12), 'monthly'],
    ['quarters', every(91, 8), 'quarterly'],
    ['no weeks any more', every(20, 8), 'monthly'],
    ['no months any more', every(60, 8), 'quarterly'],
    ['too few to tell', every(7, 7), null],
  ])('%s', (_, days, period) => {
    expect(longerPeriod(days)).toBe(period);
  });
});
