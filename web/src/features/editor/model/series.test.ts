import { describe, expect, it } from 'vitest';
import { dailyReturns, drawdowns, percentReturns } from './series.ts';

const NONE = Number.NaN;

describe('series of a run', () => {
  it('change against the first value that is there', () => {
    expect(percentReturns([NONE, 50, 100, 25])).toEqual([NONE, 0, 100, -50]);
    expect(percentReturns([NONE])).toEqual([NONE]);
    expect(percentReturns([])).toEqual([]);
  });

  it('are as far below their highest value so far, and never above it', () => {
    expect(drawdowns([100, 50, 200, 150, 200])).toEqual([0, -50, 0, -25, 0]);
    // Days without a value, as before a benchmark began, hide none of those that follow.
    expect(drawdowns([NONE, 100, NONE, 50])).toEqual([NONE, 0, NONE, -50]);
  });

  it('change from day to day', () => {
    expect(dailyReturns([100, 150, 75])).toEqual([0.5, -0.5]);
    expect(dailyReturns([100])).toEqual([]);
  });
});
