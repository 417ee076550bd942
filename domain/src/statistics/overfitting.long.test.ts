import { describe, expect, it } from 'vitest';
import { simulateBatch } from '../../testing/statistics/simulated-batch.ts';
import { deflate } from './verdict.ts';

describe('on simulated worthless strategies', () => {
  // 250 batches each; 5% would be 12 false discoveries. Fat tails (Student, 5 degrees of freedom) and common
  // factors as real strategies have them.
  it.each([
    [0, false],
    [0.5, false],
    [0.9, false],
    [0, true],
    [0.5, true],
  ])(
    'the deflated Sharpe ratio calls the best real in at most one batch of twenty (correlation %d, fat tails %s)',
    (correlation, fatTails) => {
      let called = 0;
      const batches = 250;
      for (let seed = 0; seed < batches; seed += 1) {
        const { best, deviation, rows } = simulateBatch({
          seed: seed + 1_000,
          rows: 60,
          days: 250,
          correlation,
          fatTails,
        });
        const verdict = deflate({
          best,
          deviation,
          batchTrials: rows,
          lineageTrials: rows,
          equivalentTrials: Number.NaN,
        });
        if (verdict.isReal) called += 1;
      }
      expect(called / batches).toBeLessThanOrEqual(0.05);
    },
  );

  it('would have called many of them real without deflation', () => {
    let called = 0;
    for (let seed = 0; seed < 100; seed += 1) {
      const { best, deviation } = simulateBatch({ seed, rows: 60, days: 250 });
      const { undeflated } = deflate({
        best,
        deviation,
        batchTrials: 60,
        lineageTrials: 60,
        equivalentTrials: Number.NaN,
      });
      if (undeflated > 0.95) called += 1;
    }
    expect(called).toBeGreaterThan(80);
  });

  it('does not take a small batch around the winner of a large search for skill', () => {
    // Ten near copies of the best of 5,000 worthless strategies: hardly any spread among them.
    const { best } = simulateBatch({ seed: 5, rows: 5_000, days: 250 });
    const copies = { best, deviation: 0.0005, batchTrials: 10, equivalentTrials: 1 };
    expect(deflate({ ...copies, lineageTrials: 10 }).isReal).toBe(true);
    expect(deflate({ ...copies, lineageTrials: 5_010 }).isReal).toBe(false);
  });

  it('still finds real skill', () => {
    const { best, deviation } = simulateBatch({ seed: 2, rows: 60, days: 2_500, skill: 0.12 });
    expect(
      deflate({ best, deviation, batchTrials: 60, lineageTrials: 60, equivalentTrials: Number.NaN }).isReal,
    ).toBe(true);
  });
});
