import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalSource, simulateBatch } from '../../testing/statistics/simulated-batch.ts';
import { type BlockSums, sharpeFromSums, usableSums } from './block-sums.ts';
import { halfSplits } from './halves.ts';
import { overfittingOf } from './overfitting.ts';
import { deflate } from './verdict.ts';

/** The plain definition: every half of the blocks, Sharpe ratios from the joined returns, ranks by sorting. */
function slowPbo(returns: readonly (readonly (readonly number[])[])[], blocks: number): number {
  const sharpe = (values: readonly number[]) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const square = values.reduce((a, b) => a + (b - mean) ** 2, 0);
    return mean / Math.sqrt(square / (values.length - 1));
  };
  let notAbove = 0;
  let splits = 0;
  for (let mask = 0; mask < 1 << blocks; mask += 1) {
    const inside = [...Array(blocks).keys()].filter((b) => (mask >> b) & 1);
    if (inside.length !== blocks / 2) continue;
    const outside = [...Array(blocks).keys()].filter((b) => !inside.includes(b));
    const left = returns.map((row) => sharpe(inside.flatMap((b) => row[b] ?? [])));
    const right = returns.map((row) => sharpe(outside.flatMap((b) => row[b] ?? [])));
    const winner = left.indexOf(Math.max(...left));
    const rank = right.filter((value) => value < (right[winner] as number)).length + 1;
    if (rank / (right.length + 1) <= 0.5) notAbove += 1;
    splits += 1;
  }
  return notAbove / splits;
}

function sumsOf(returns: readonly (readonly (readonly number[])[])[], blocks: number): BlockSums {
  const rows = returns.length;
  const counts = new Int32Array(rows * blocks);
  const sums = new Float64Array(rows * blocks);
  const squares = new Float64Array(rows * blocks);
  for (const [row, series] of returns.entries())
    for (const [block, values] of series.entries()) {
      counts[block * rows + row] = values.length;
      sums[block * rows + row] = values.reduce((a, b) => a + b, 0);
      squares[block * rows + row] = values.reduce((a, b) => a + b * b, 0);
    }
  return { rows, blocks, counts, sums, squares };
}

describe('cross-validation over blocks', () => {
  it('has 252 splits for 10 blocks', () => {
    expect(halfSplits(10)).toHaveLength(126);
  });

  it('equals the plain definition on random returns', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 3, max: 12 }), (seed, rows) => {
        const normal = normalSource(seed);
        const returns = Array.from({ length: rows }, () =>
          Array.from({ length: 6 }, () => Array.from({ length: 8 }, () => 0.01 * normal())),
        );
        const result = overfittingOf(sumsOf(returns, 6));
        expect(result.splits).toBe(20);
        expect(result.pbo).toBeCloseTo(slowPbo(returns, 6), 12);
      }),
      { numRuns: 40 },
    );
  });

  it('is about a half for worthless strategies and near 0 where one is truly better', () => {
    const pbos = Array.from(
      { length: 20 },
      (_, seed) => overfittingOf(simulateBatch({ seed, rows: 50 }).sums).pbo,
    );
    const mean = pbos.reduce((a, b) => a + b, 0) / pbos.length;
    expect(mean).toBeGreaterThan(0.35);
    expect(mean).toBeLessThan(0.65);
    const skilled = overfittingOf(simulateBatch({ seed: 1, rows: 50, days: 2_500, skill: 0.15 }).sums);
    expect(skilled.pbo).toBeLessThan(0.05);
    expect(skilled.probabilityOfLoss).toBe(0);
  });

  it('leaves out blocks before the strategies begin, and says how much is left', () => {
    const { sums } = simulateBatch({ seed: 3, rows: 30 });
    const late = {
      ...sums,
      counts: sums.counts.slice(),
      sums: sums.sums.slice(),
      squares: sums.squares.slice(),
    };
    for (let block = 0; block < 3; block += 1)
      for (let row = 0; row < 30; row += 1) late.counts[block * 30 + row] = 0;
    // One more row has nothing at all.
    for (let block = 0; block < 10; block += 1) late.counts[block * 30 + 7] = 0;
    const usable = usableSums(late);
    expect(usable.blocks).toEqual([4, 5, 6, 7, 8, 9]);
    expect(usable.rows).toHaveLength(29);
    expect(overfittingOf(late)).toMatchObject({ splits: 20, blocks: 6, rows: 29 });
  });

  it('has no answer for too little', () => {
    expect(
      overfittingOf({
        rows: 0,
        blocks: 10,
        counts: new Int32Array(0),
        sums: new Float64Array(0),
        squares: new Float64Array(0),
      }).pbo,
    ).toBeNaN();
    expect(sharpeFromSums(5, 0, 0)).toBeNaN();
  });
});

describe('on simulated worthless strategies', () => {
  // 250 batches each; 5 % would be 12 false discoveries. Fat tails (Student, 5 degrees of freedom) and common factors as real strategies have them.
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
