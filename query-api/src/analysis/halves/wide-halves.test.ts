import { isCompiled } from '@quantloom/compute/testing/assembly';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { type BlockSums, usableSums } from '@quantloom/domain/statistics/block-sums';
import { ranksOf, winnersOf } from '@quantloom/domain/statistics/overfitting';
import { describe, expect, it } from 'vitest';
import { HALVES } from '../../../testing/build-halves.ts';
import { wideRanks, wideWinners } from './wide-halves.ts';

const ROWS = 300;

/**
 * What rows of a batch are like: many of the same days, some copies of each other. Mixed: a few of other
 * days, a few that hold bills. Late: the first block gets shorter every 64 rows, as with the longest window
 * of a strategy that begins with its tickers.
 */
function rowsOf(seed: string, blocks: number, kind: 'alike' | 'mixed' | 'late'): BlockSums {
  const random = new Random(seed);
  const counts = new Int32Array(ROWS * blocks);
  const sums = new Float32Array(ROWS * blocks);
  const squares = new Float32Array(ROWS * blocks);
  for (let row = 0; row < ROWS; row += 1) {
    const isCopy = row > 0 && random.uniform() < 0.2;
    const from = isCopy ? Math.floor(random.uniform() * row) : row;
    const isCash = kind === 'mixed' && random.uniform() < 0.02;
    const missing = kind === 'mixed' && random.uniform() < 0.02 ? 3 : 0;
    for (let block = 0; block < blocks; block += 1) {
      const at = block * ROWS + row;
      if (isCopy) {
        for (const list of [counts, sums, squares]) list[at] = list[block * ROWS + from] as number;
        continue;
      }
      const late = kind === 'late' && block === 0 ? 17 * ((row >> 6) % 5) : 0;
      const n = 250 - missing - late;
      const deviation = isCash ? 0 : 0.01;
      const mean = (isCash ? 1e-4 : 5e-4 * random.normal()) + (deviation / Math.sqrt(n)) * random.normal();
      counts[at] = n;
      sums[at] = n * mean;
      squares[at] = n * (mean ** 2 + deviation ** 2);
    }
  }
  return { rows: ROWS, blocks, counts, sums, squares };
}

describe('rows side by side', () => {
  for (const kind of ['alike', 'mixed', 'late'] as const)
    for (const blocks of [4, 5, 8, 10, 12])
      it(`have the winners and ranks of rows one by one, to the bit (${blocks} blocks, ${kind} rows)`, () => {
        for (const seed of ['a', 'b', 'c']) {
          const sums = rowsOf(seed, blocks, kind);
          const usable = usableSums(sums);
          // Not a multiple of the rows that go together, nor from the beginning; and fewer than go together.
          for (const part of [
            { from: 5, to: usable.rows.length - 2 },
            { from: 40, to: 57 },
          ]) {
            const winners = winnersOf(sums, usable, part);
            expect(wideWinners(sums, usable, part)).toEqual(winners);
            const ranks = ranksOf(sums, usable, winners, part);
            expect(wideRanks(sums, usable, winners, part)).toEqual(ranks);
            expect(ranks.atMost.some((count) => count > 1)).toBe(true);
          }
        }
      });

  it('have the winners and ranks of rows one by one over cash as well, and these are others', () => {
    const plain = rowsOf('cash', 10, 'mixed');
    const sums = { ...plain, cash: Array.from({ length: 10 }, (_, block) => 2e-4 * (block % 4)) };
    const usable = usableSums(sums);
    const part = { from: 0, to: usable.rows.length };
    const winners = winnersOf(sums, usable, part);
    expect(wideWinners(sums, usable, part)).toEqual(winners);
    expect(wideRanks(sums, usable, winners, part)).toEqual(ranksOf(sums, usable, winners, part));
    expect(winners.rows).not.toEqual(winnersOf(plain, usable, part).rows);
  });

  it('are left to the plain way where there are more blocks than the tables hold, or too few', () => {
    for (const blocks of [2, 13, 14]) {
      const sums = rowsOf('d', blocks, 'alike');
      const usable = usableSums(sums);
      const part = { from: 0, to: 40 };
      const winners = winnersOf(sums, usable, part);
      expect(wideWinners(sums, usable, part)).toEqual(winners);
      expect(wideRanks(sums, usable, winners, part)).toEqual(ranksOf(sums, usable, winners, part));
    }
  });
});

it('the committed kernel is what its source compiles to', async () => {
  expect(await isCompiled(HALVES), 'run `npm run build:halves -w query-api`').toBe(true);
}, 60_000);
