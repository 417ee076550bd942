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

  it('is that of what they earn over cash, in each block and in each kind of market', () => {
    const cash = Array.from({ length: BLOCKS }, () => 1e-4);
    const swings = (row: number) => 1e-3 * (row + 1);
    // Row by row less over cash and more risk, so that the plain ratio falls and the one over cash rises.
    const sums = sumsOf(50, (row) => 1e-4 - 1e-5 / (row + 1));
    for (let block = 0; block < BLOCKS; block += 1)
      for (let row = 0; row < 50; row += 1) {
        const at = block * 50 + row;
        const mean = (sums.sums[at] as number) / DAYS;
        // In the last two blocks all swing alike: there the plain ratio goes with the mean, too.
        const deviation = block < 4 ? swings(row) : 1e-3;
        sums.squares[at] = (DAYS - 1) * deviation ** 2 + DAYS * mean ** 2;
      }
    const regimes = Array.from({ length: BLOCKS }, (_, block): Regime => (block < 4 ? 'bull' : 'bear'));
    const plain = rankStability(sums, regimes);
    expect(plain.between[0]?.[5]).toBeCloseTo(-1, 12);
    expect(plain.regimes[0]?.correlation).toBeCloseTo(-1, 12);
    const over = rankStability({ ...sums, cash }, regimes);
    expect(over.between[0]?.[5]).toBeCloseTo(1, 12);
    expect(over.regimes[0]?.correlation).toBeCloseTo(1, 12);
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

describe('the borders of words and kinds', () => {
  it('of the order of rows', () => {
    const says = (correlation: number) => wordsOfStability(correlation);
    expect(says(0.5)).toMatch(/mostly stays.* 0\.50/);
    expect(says(0.499)).toMatch(/stays a little.* 0\.50/);
    expect(says(0.2)).toMatch(/stays a little.* 0\.20/);
    expect(says(0.199)).toMatch(/next to nothing.* 0\.20/);
    expect(says(-0.199)).toMatch(/next to nothing.* -0\.20/);
    expect(says(-0.2)).toMatch(/turns round.* -0\.20/);
  });

  it('of a market: a quarter more than the median block, and no loss', () => {
    const block = (deviation: number, growth = 1) => ({ deviation, growth });
    const kindsOf = (...blocks: ReturnType<typeof block>[]) => regimesOf(blocks);
    // The median of an even number lies between the two in the middle.
    expect(kindsOf(block(0.01), block(0.014), block(0.02), block(0.0213))).toEqual([
      'bull',
      'bull',
      'bull',
      'high_volatility',
    ]);
    expect(kindsOf(block(0.04), block(0.05), block(0.02))).toEqual(['bull', 'bull', 'bull']);
    expect(kindsOf(block(0.04), block(0.0501), block(0.02))[1]).toBe('high_volatility');
    expect(kindsOf(block(0.04, 0.999), block(0.04, 1))).toEqual(['bear', 'bull']);
  });

  it('of neighbours: those of which an order is known', () => {
    const nan = Number.NaN;
    expect(
      neighbourCorrelation({
        between: [
          [1, 0.4, nan],
          [0.4, 1, 0.8],
          [nan, 0.8, 1],
        ],
      }),
    ).toBeCloseTo(0.6, 12);
    expect(
      neighbourCorrelation({
        between: [
          [1, nan],
          [nan, 1],
        ],
      }),
    ).toBeNaN();
    expect(neighbourCorrelation({ between: [[1]] })).toBeNaN();
  });

  it('of regimes, each over all of its blocks', () => {
    // Rows are ordered one way in the bull blocks together, though not in each of them, and the other way in
    // the bear ones.
    const means = [
      [0.004, -0.001, 0, 0, -0.001, 0.004],
      [0.001, 0.001, 0.002, 0.002, 0.001, 0.001],
      [0.0005, 0.0005, 0.003, 0.003, 0.0005, 0.0005],
    ];
    const { regimes } = rankStability(
      sumsOf(3, (row, block) => means[row]?.[block] ?? 0),
      ['bull', 'bull', 'bear', 'bear', 'high_volatility', 'high_volatility'],
    );
    expect(regimes.map(({ one, other }) => [one, other])).toEqual([
      ['bull', 'bear'],
      ['bull', 'high_volatility'],
      ['bear', 'high_volatility'],
    ]);
    expect(regimes.map(({ correlation }) => Math.round(correlation * 100) / 100)).toEqual([-1, 1, -1]);
  });
});
