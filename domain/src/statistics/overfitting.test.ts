import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalSource, simulateBatch } from '../../testing/statistics/simulated-batch.ts';
import { type BlockSums, sharpeFromSums, usableSums } from './block-sums.ts';
import { halfSplits } from './halves.ts';
import {
  allRanks,
  allWinners,
  conclusionOf,
  overfittingOf,
  ranksOf,
  slope,
  winnersOf,
} from './overfitting.ts';

type Returns = readonly (readonly (readonly number[])[])[];

/** The plain definition: every half of the blocks, Sharpe ratios from the joined returns, ranks by sorting. */
function plainly(returns: Returns, blocks: number) {
  const sharpe = (values: readonly number[]) => {
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const square = values.reduce((a, b) => a + (b - mean) ** 2, 0);
    return mean / Math.sqrt(square / (values.length - 1));
  };
  const all: { inSample: number; outOfSample: number; relative: number }[] = [];
  for (let mask = 0; mask < 1 << blocks; mask += 1) {
    const inside = [...Array(blocks).keys()].filter((b) => (mask >> b) & 1);
    if (inside.length !== blocks / 2) continue;
    const outside = [...Array(blocks).keys()].filter((b) => !inside.includes(b));
    const left = returns.map((row) => sharpe(inside.flatMap((b) => row[b] ?? [])));
    const right = returns.map((row) => sharpe(outside.flatMap((b) => row[b] ?? [])));
    const winner = left.indexOf(Math.max(...left));
    const own = right[winner] as number;
    const relative = (right.filter((value) => value < own).length + 1) / (right.length + 1);
    all.push({ inSample: left[winner] as number, outOfSample: own, relative });
  }
  const share = (is: (split: (typeof all)[number]) => boolean) => all.filter(is).length / all.length;
  return {
    pbo: share(({ relative }) => relative <= 0.5),
    probabilityOfLoss: share(({ outOfSample }) => outOfSample < 0),
    // In no order of the splits.
    inSample: all.map(({ inSample }) => inSample).sort((a, b) => a - b),
    outOfSample: all.map(({ outOfSample }) => outOfSample).sort((a, b) => a - b),
    logits: all.map(({ relative }) => Math.log(relative / (1 - relative))).sort((a, b) => a - b),
  };
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
        const { splits, ...result } = overfittingOf(sumsOf(returns, 6));
        expect(splits).toBe(20);
        const expected = plainly(returns, 6);
        expect(result.pbo).toBeCloseTo(expected.pbo, 12);
        expect(result.probabilityOfLoss).toBeCloseTo(expected.probabilityOfLoss, 12);
        for (const name of ['inSample', 'outOfSample', 'logits'] as const)
          for (const [i, value] of result[name].toSorted().entries())
            expect(value).toBeCloseTo(expected[name][i] ?? Number.NaN, 9);
        expect(result.degradationSlope).toBe(slope(result.inSample, result.outOfSample));
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

  it('is the same in parts, put together in their order', () => {
    const { sums } = simulateBatch({ seed: 4, rows: 30 });
    const twice = { ...sums, sums: sums.sums.slice(), squares: sums.squares.slice() };
    // Equal rows in different parts: the first of them wins.
    for (let block = 0; block < 10; block += 1)
      for (const name of ['sums', 'squares'] as const)
        twice[name][block * 30 + 25] = twice[name][block * 30 + 3] as number;
    const usable = usableSums(twice);
    const whole = overfittingOf(twice, usable);
    const parts = [0, 7, 8, 20].map((from, i) => ({ from, to: [7, 8, 20, 30][i] as number }));
    const winners = allWinners(parts.map((part) => winnersOf(twice, usable, part)));
    expect(winners).toEqual(winnersOf(twice, usable, { from: 0, to: 30 }));
    const ranks = allRanks(parts.map((part) => ranksOf(twice, usable, winners, part)));
    expect(ranks).toEqual(ranksOf(twice, usable, winners, { from: 0, to: 30 }));
    expect(conclusionOf(twice, usable, winners, ranks)).toEqual(whole);
    expect([...winners.rows]).not.toContain(25);
    expect(allWinners([])).toMatchObject({ taking: 0, rows: new Int32Array(0) });
    expect(allRanks([])).toEqual({ below: new Int32Array(0), atMost: new Int32Array(0) });
  });

  it('counts a winner that is equal to others in the middle of them', () => {
    const { sums } = simulateBatch({ seed: 4, rows: 1 });
    const many = 4;
    const repeated = (values: ArrayLike<number>) =>
      Array.from(values).flatMap((one) => Array(many).fill(one));
    const same = {
      rows: many,
      blocks: 10,
      counts: Int32Array.from(repeated(sums.counts)),
      sums: Float64Array.from(repeated(sums.sums)),
      squares: Float64Array.from(repeated(sums.squares)),
    };
    const { pbo, logits, rows } = overfittingOf(same);
    expect(rows).toBe(4);
    expect(pbo).toBe(1);
    expect(Math.max(...logits.map(Math.abs))).toBeCloseTo(0, 12);
  });

  it('leaves out rows that do not move in some half, and needs two that do', () => {
    const { sums } = simulateBatch({ seed: 6, rows: 3 });
    const still = (...rows: readonly number[]) => {
      const stilled = { ...sums, sums: sums.sums.slice(), squares: sums.squares.slice() };
      for (const row of rows)
        for (let block = 0; block < 5; block += 1) {
          stilled.sums[block * 3 + row] = 0;
          stilled.squares[block * 3 + row] = 0;
        }
      return overfittingOf(stilled);
    };
    expect(still()).toMatchObject({ rows: 3, splits: 252 });
    expect(still(1)).toMatchObject({ rows: 2, splits: 252 });
    expect(still(0, 1)).toMatchObject({ rows: 0, splits: 0, pbo: Number.NaN });
  });
});

describe('the line through points', () => {
  it('is that of the least squares', () => {
    expect(slope([0, 1, 2], [1, 3, 5])).toBeCloseTo(2, 12);
    expect(slope([0, 1, 2, 3], [0, 1, 0, 1])).toBeCloseTo(0.2, 12);
    expect(slope([2, 2], [1, 3])).toBeNaN();
  });
});

describe('what is used of the blocks', () => {
  /** Returns by block and row. */
  const counted = (...blocks: readonly (readonly number[])[]) => {
    const rows = blocks[0]?.length ?? 0;
    const size = rows * blocks.length;
    const counts = Int32Array.from(blocks.flat());
    return {
      rows,
      blocks: blocks.length,
      counts,
      sums: new Float64Array(size),
      squares: new Float64Array(size),
    };
  };
  const used = (...blocks: readonly (readonly number[])[]) => {
    const { blocks: kept, rows } = usableSums(counted(...blocks));
    return [kept, [...rows]];
  };

  it('has five returns or more, of nine rows in ten', () => {
    const full = [5, 5, 5];
    expect(used(full, full, full, full)).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2],
    ]);
    expect(used([5, 5, 4], full, full, full, full)).toEqual([
      [1, 2, 3, 4],
      [0, 1, 2],
    ]);
    const ten = Array<number>(10).fill(9);
    const nine = [4, ...ten.slice(1)];
    expect(used(nine, ten, ten, ten)).toEqual([
      [0, 1, 2, 3],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]);
    expect(used([4, 4, ...ten.slice(2)], ten, ten, ten, ten)[0]).toEqual([1, 2, 3, 4]);
  });

  it('is an even number of them, four or more, the latest', () => {
    const full = [5];
    expect(used(full, full, full, full, full)[0]).toEqual([1, 2, 3, 4]);
    expect(used(full, full, full)).toEqual([[], []]);
    expect(used([0], [0], [0], [0])).toEqual([[], []]);
  });

  it('does not depend on rows that have nothing at all', () => {
    const one = [5, 0, 0];
    expect(used(one, one, one, one)).toEqual([[0, 1, 2, 3], [0]]);
  });
});

describe('a Sharpe ratio from sums', () => {
  it('is the mean over the sample deviation', () => {
    // 1, 2 and 3: mean 2, deviation 1.
    expect(sharpeFromSums(3, 6, 14)).toBeCloseTo(2, 12);
    expect(sharpeFromSums(2, 2, 4)).toBeCloseTo(1 / Math.sqrt(2), 12);
    expect(sharpeFromSums(1, 1, 1)).toBeNaN();
    expect(sharpeFromSums(0, 0, 0)).toBeNaN();
  });
  it('is none where rounding alone deviates', () => {
    expect(sharpeFromSums(3, 0.003, 3e-6 + 1e-18)).toBeNaN();
    expect(sharpeFromSums(3, 0.003, 3e-6 + 4e-18)).toBeGreaterThan(0);
  });
});
