import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailyReturns, returnsOn, sharedDays } from './shared-days.ts';

const days = fc.uniqueArray(fc.nat(15), { maxLength: 12 }).map((some) => Float64Array.from(some).sort());

describe('days that two series share', () => {
  it('are those that both have', () => {
    fc.assert(
      fc.property(days, days, (one, other) => {
        expect([...sharedDays(one, other)]).toEqual([...one].filter((day) => other.includes(day)));
      }),
    );
  });

  it('are the very list of the first where the other has all of them', () => {
    const one = Float64Array.of(2, 3);
    expect(sharedDays(one, one)).toBe(one);
    expect(sharedDays(one, Float64Array.of(1, 2, 3, 4))).toBe(one);
    expect(sharedDays(one, Float64Array.of(2))).not.toBe(one);
  });
});

describe('daily returns', () => {
  it('are what a value has changed by from the day before', () => {
    const on = Float64Array.of(10, 11);
    expect(dailyReturns([100, 150, 75], on)).toEqual({ days: on, returns: Float64Array.of(0.5, -0.5) });
    const written = new Float64Array(2);
    expect(dailyReturns([100, 150, 75], on, written).returns).toBe(written);
  });

  it('leave out days without two values', () => {
    const on = Float64Array.of(10, 11, 12, 13, 14);
    expect(dailyReturns([null, 100, null, 50, 100, 0], on)).toEqual({
      days: Float64Array.of(13, 14),
      returns: Float64Array.of(1, -1),
    });
    // The value ends before the days do.
    expect(dailyReturns([1, 2], on).days).toEqual(Float64Array.of(10));
  });

  it('on some days are found by day, and none where one of them is not there', () => {
    const series = {
      days: Float64Array.of(1, 2, 4, 7),
      returns: Float64Array.of(0.1, 0.2, 0.4, Number.NaN),
    };
    expect(returnsOn(Float64Array.of(1, 4), series)).toEqual(Float64Array.of(0.1, 0.4));
    expect(returnsOn(Float64Array.of(2), series)).toEqual(Float64Array.of(0.2));
    expect(returnsOn(new Float64Array(0), series)).toEqual(new Float64Array(0));
    for (const missing of [[3], [1, 3], [0], [4, 7], [8], [4, 9]])
      expect(returnsOn(Float64Array.from(missing), series), String(missing)).toBeNull();
  });
});
