import {
  type BlockSums,
  sharpeFromSums,
  squaresOverCash,
  sumOverCash,
  type UsableSums,
  usableSums,
} from './block-sums.ts';
import { rankCorrelation } from './describe.ts';

/** What kind of time a block was for the benchmark. */
export type Regime = 'bull' | 'bear' | 'high_volatility';
export const REGIMES: readonly Regime[] = ['bull', 'bear', 'high_volatility'];

/** What the benchmark did in one block: growth over it, and the deviation of its daily returns. */
export interface BlockOfBenchmark {
  readonly growth: number;
  readonly deviation: number;
}

/** A block swings much where its deviation is this many times the median block's. */
const MUCH = 1.25;

/**
 * The regime of each block: high volatility where the benchmark swung by a quarter more than in the median
 * block, else bull or bear by whether it rose. Known only afterwards: it sorts the past, it is no signal.
 * Null where the benchmark has no returns in the block.
 */
export function regimesOf(blocks: readonly (BlockOfBenchmark | null)[]): (Regime | null)[] {
  const sorted = blocks.flatMap((one) => (one ? [one.deviation] : [])).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1
      ? (sorted[middle] as number)
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
  return blocks.map((one) => {
    if (!one) return null;
    if (one.deviation > MUCH * median) return 'high_volatility';
    return one.growth >= 1 ? 'bull' : 'bear';
  });
}

/** How far the order of rows by Sharpe ratio, over cash where it is known, in one part of the time is that in another. Plain data. */
export interface RankStability {
  /** The blocks in use, ascending. */
  readonly blocks: readonly number[];
  /** Rows that took part. */
  readonly rows: number;
  /** Spearman's correlation between the blocks in use; symmetric, NaN where it is undefined. */
  readonly between: readonly (readonly number[])[];
  /** The same between regimes, each over all of its blocks. */
  readonly regimes: readonly { readonly one: Regime; readonly other: Regime; readonly correlation: number }[];
}

/** Rows that are ranked; of more an even sample. Its rank correlations are off by less than a hundredth. */
const MOST_RANKED = 20_000;

/**
 * Rank correlations of Sharpe ratios, over cash where it is known, between blocks, and between regimes.
 *
 * @param regimes of each block of `sums`
 */
export function rankStability(
  sums: BlockSums,
  regimes: readonly (Regime | null)[],
  usable: UsableSums = usableSums(sums),
): RankStability {
  const { blocks } = usable;
  const step = Math.max(1, usable.rows.length / MOST_RANKED);
  const count = Math.min(usable.rows.length, MOST_RANKED);
  const rows = Int32Array.from({ length: count }, (_, i) => usable.rows[Math.floor(i * step)] as number);
  const sharpe = (over: readonly number[]) =>
    Float64Array.from(rows, (row) => {
      let days = 0;
      let sum = 0;
      let squares = 0;
      for (const block of over) {
        const at = block * sums.rows + row;
        const [count, total, square] = [sums.counts[at], sums.sums[at], sums.squares[at]] as [
          number,
          number,
          number,
        ];
        const cash = sums.cash?.[block] ?? 0;
        days += count;
        sum += sumOverCash(count, total, cash);
        squares += squaresOverCash(count, total, square, cash);
      }
      return sharpeFromSums(days, sum, squares);
    });
  const byBlock = blocks.map((block) => sharpe([block]));
  const between = byBlock.map(() => byBlock.map(() => 1));
  for (const [i, one] of byBlock.entries())
    for (const [j, other] of byBlock.entries())
      if (j > i) {
        const correlation = rankCorrelation(one, other);
        (between[i] as number[])[j] = correlation;
        (between[j] as number[])[i] = correlation;
      }
  const ofRegime = REGIMES.flatMap((regime) => {
    const own = blocks.filter((block) => regimes[block] === regime);
    return own.length === 0 ? [] : [{ regime, values: sharpe(own) }];
  });
  const pairs = ofRegime.flatMap((one, i) =>
    ofRegime.slice(i + 1).map((other) => ({
      one: one.regime,
      other: other.regime,
      correlation: rankCorrelation(one.values, other.values),
    })),
  );
  return { blocks, rows: rows.length, between, regimes: pairs };
}

/** Mean rank correlation between each block and the next; NaN for fewer than two. */
export function neighbourCorrelation({ between }: Pick<RankStability, 'between'>): number {
  const next = between.slice(1).map((row, i) => row[i] as number);
  const known = next.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** What a mean rank correlation says, in words. */
export function wordsOfStability(correlation: number): string {
  if (Number.isNaN(correlation))
    return 'The periods are too few, or the rows too alike, to compare their order.';
  const shown = correlation.toFixed(2);
  if (correlation >= 0.5)
    return (
      'The order of the rows mostly stays: rows that led in one period led in the next (mean rank ' +
      `correlation ${shown}). That also happens where rows differ only in how much risk they take.`
    );
  if (correlation >= 0.2)
    return (
      'The order of the rows stays a little: who led in one period was somewhat above the middle in ' +
      `the next (mean rank correlation ${shown}).`
    );
  if (correlation > -0.2)
    return (
      'The order of the rows in one period says next to nothing about the next one (mean rank ' +
      `correlation ${shown}): a leader of the whole period mostly owes it to single periods.`
    );
  return (
    `The order of the rows turns round from period to period (mean rank correlation ${shown}): who ` +
    'led tended to fall behind, and choosing the leader did harm.'
  );
}
