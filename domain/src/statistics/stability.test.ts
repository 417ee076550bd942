import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import {
  neighbourCorrelation,
  type Regime,
  rankStability,
  regimesOf,
  wordsOfStability,
} from './stability.ts';

const BLOCKS = 6;
const DAYS = 100;

/** Sums of rows whose mean daily return in a block is `meanOf`. */
function sumsOf(rows: number, meanOf: (row: number, block: number) => number) {
  const size = rows * BLOCKS;
  const [counts, sums, squares] = [new Int32Array(size), new Float64Array(size), new Float64Array(size)];
  for (let block = 0; block < BLOCKS; block += 1)
    for (let row = 0; row < rows; row += 1) {
      const at = block * rows + row;
      const mean = meanOf(row, block);
      counts[at] = DAYS;
      sums[at] = DAYS * mean;
      squares[at] = DAYS * (mean ** 2 + 1e-4);
    }
  return { rows, blocks: BLOCKS, counts, sums, squares };
}
const NONE: (Regime | null)[] = Array.from({ length: BLOCKS }, () => null);

describe('the order of rows from period to period', () => {
  it('stays where rows keep what they earn', () => {
    const { between, rows, blocks } = rankStability(
      sumsOf(50, (row) => row * 1e-5),
      NONE,
    );
    expect(rows).toBe(50);
    expect(blocks).toEqual([0, 1, 2, 3, 4, 5]);
    expect(neighbourCorrelation({ between })).toBeCloseTo(1, 12);
    expect(between[0]?.[3]).toBeCloseTo(1, 12);
  });

  it('turns round where good periods follow bad ones', () => {
    const { between, regimes } = rankStability(
      sumsOf(50, (row, block) => (block % 2 === 0 ? 1 : -1) * row * 1e-5),
      Array.from({ length: BLOCKS }, (_, block) => (block % 2 === 0 ? 'bull' : 'bear')),
    );
    expect(neighbourCorrelation({ between })).toBeCloseTo(-1, 12);
    expect(between[0]?.[2]).toBeCloseTo(1, 12);
    expect(regimes).toEqual([{ one: 'bull', other: 'bear', correlation: expect.closeTo(-1, 12) }]);
  });

  it('is near 0 for noise, of more rows than are ranked too', () => {
    const random = new Random('stability');
    const { between, rows } = rankStability(
      sumsOf(30_000, () => random.normal() * 1e-3),
      NONE,
    );
    expect(rows).toBe(20_000);
    expect(Math.abs(neighbourCorrelation({ between }))).toBeLessThan(0.03);
  });

  it('is said in words', () => {
    expect(wordsOfStability(0.7)).toMatch(/mostly stays.*0\.70.*risk/);
    expect(wordsOfStability(0.3)).toMatch(/stays a little/);
    expect(wordsOfStability(0)).toMatch(/next to nothing/);
    expect(wordsOfStability(-0.6)).toMatch(/turns round/);
    expect(wordsOfStability(Number.NaN)).toMatch(/too few/);
  });
});

describe('kinds of market', () => {
  it('are told apart by the benchmark: first by swing, then by where it ended', () => {
    const calm = { deviation: 0.01 };
    expect(
      regimesOf([
        { growth: 1.1, ...calm },
        { growth: 0.9, ...calm },
        { growth: 1.2, deviation: 0.02 },
        { growth: 1, ...calm },
        null,
      ]),
    ).toEqual(['bull', 'bear', 'high_volatility', 'bull', null]);
    expect(regimesOf([])).toEqual([]);
  });
});
