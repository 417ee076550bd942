import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extentOf, isFlatOnLinear, logTicks, movedRange, rangeBetween, scaledRange } from './chart-axis.ts';

describe('ticks of a log axis', () => {
  it.each([
    [0.9, 1.3, ['0.9 ×', '1 ×', '1.1 ×', '1.2 ×', '1.3 ×']],
    [0.8, 32, ['1 ×', '2 ×', '5 ×', '10 ×', '20 ×']],
    [0.8, 80, ['1 ×', '3 ×', '10 ×', '30 ×']],
    [0.5, 8000, ['1 ×', '10 ×', '100 ×', '1,000 ×']],
    [1e-6, 1e9, ['0.0001 ×', '1 ×', '10,000 ×', '100,000,000 ×']],
  ])('from %d to %d are %j', (low, high, texts) => {
    expect(logTicks(low, high).texts).toEqual(texts);
  });
  it('are two to five, in order, inside and without doubles, at any span', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -8, max: 8, noNaN: true }),
        fc.double({ min: 0.01, max: 12, noNaN: true }),
        (at, span) => {
          const [low, high] = [10 ** at, 10 ** (at + span)];
          const { values, texts } = logTicks(low, high);
          expect(values.length).toBeGreaterThanOrEqual(1);
          expect(values.length).toBeLessThanOrEqual(5);
          expect(new Set(texts).size).toBe(texts.length);
          expect([...values].sort((a, b) => a - b)).toEqual(values);
          for (const value of values) {
            expect(value).toBeGreaterThanOrEqual(low);
            expect(value).toBeLessThanOrEqual(high);
          }
        },
      ),
    );
  });
});

describe('a zoom', () => {
  const days = Array.from({ length: 100 }, (_, index) =>
    new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
  );
  it('holds the days between, at least a few of them, and is none where it shows all', () => {
    expect(rangeBetween(days, '2024-01-11 12:00', '2024-02-01')).toEqual({ from: 10, to: 31 });
    expect(rangeBetween(days, '2024-01-11', '2024-01-11')).toEqual({ from: 10, to: 15 });
    expect(rangeBetween(days, '2030-01-01', '2030-01-02')).toEqual({ from: 94, to: 99 });
    expect(rangeBetween(days, '2020-01-01', '2030-01-01')).toBeNull();
    expect(rangeBetween(days, '2024-01-01', '2024-04-09')).toBeNull();
    expect(rangeBetween(days, '2024-01-02', '2024-04-09')).toEqual({ from: 1, to: 99 });
  });
  it('moves and grows inside the days there are', () => {
    expect(movedRange({ from: 10, to: 30 }, 0.25, 100)).toEqual({ from: 15, to: 35 });
    expect(movedRange({ from: 90, to: 99 }, 0.5, 100)).toEqual({ from: 90, to: 99 });
    // By a day at least: a key that is pressed does something.
    expect(movedRange({ from: 10, to: 16 }, 0.05, 100)).toEqual({ from: 11, to: 17 });
    expect(movedRange({ from: 10, to: 16 }, -0.05, 100)).toEqual({ from: 9, to: 15 });
    expect(scaledRange(null, 0.5, 101)).toEqual({ from: 25, to: 75 });
    expect(scaledRange({ from: 25, to: 75 }, 4, 101)).toBeNull();
    // As long as all there is: everything. A day less is a part.
    expect(scaledRange({ from: 25, to: 75 }, 2, 101)).toBeNull();
    expect(scaledRange({ from: 25, to: 75 }, 1.98, 101)).toEqual({ from: 1, to: 100 });
    expect(scaledRange({ from: 90, to: 99 }, 2, 100)).toEqual({ from: 81, to: 99 });
  });
  it('fits what is in sight', () => {
    expect(
      extentOf(
        [
          [1, 5, 2, Number.NaN],
          [9, 3, 3, 3],
        ],
        { from: 1, to: 3 },
      ),
    ).toEqual([2, 5]);
    expect(extentOf([[Number.NaN]], { from: 0, to: 0 })).toBeNull();
  });
});

it('a line is flat on a linear axis when it ends twenty times higher', () => {
  expect(isFlatOnLinear([[1, 5, 19]])).toBe(false);
  expect(isFlatOnLinear([[1, 5, 20]])).toBe(true);
  expect(isFlatOnLinear([[1, 5, 21]])).toBe(true);
  expect(isFlatOnLinear([[1, 0]])).toBe(false);
  expect(isFlatOnLinear([])).toBe(false);
});
