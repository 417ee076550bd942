import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import type { BlockSums } from './block-sums.ts';
import { sharpesOverCash } from './over-cash.ts';
import { overfittingOf } from './overfitting.ts';

const BLOCKS = 10;
const IN_BLOCK = 60;
const CASH = Array.from({ length: BLOCKS }, (_, block) => (0.005 * block) / 252);
const cashOn = (day: number) => CASH[Math.floor(day / IN_BLOCK)] as number;

interface Row {
  /** Its first day. */
  readonly from: number;
  readonly returns: readonly number[];
}

/** Rows with and without an edge, some of which begin late; two of them hardly move. */
function rowsOf(seed: string, count: number): Row[] {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, k) => {
    const from = k % 3 === 0 ? random.below(IN_BLOCK / 2) : 0;
    const deviation = k < 2 ? 0.0003 : 0.01;
    const returns = Array.from(
      { length: BLOCKS * IN_BLOCK - from },
      (_, i) => cashOn(from + i) + (k === 2 ? 0.002 : 0) + deviation * random.normal(),
    );
    return { from, returns };
  });
}

/** The plain reading: mean and deviation of what a list of numbers holds. */
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1));

function sumsOf(rows: readonly Row[]) {
  const at = rows.length * BLOCKS;
  const [counts, sums, squares] = [new Uint16Array(at), new Float64Array(at), new Float64Array(at)];
  for (const [k, { from, returns }] of rows.entries())
    for (const [i, value] of returns.entries()) {
      const cell = Math.floor((from + i) / IN_BLOCK) * rows.length + k;
      counts[cell] = (counts[cell] as number) + 1;
      sums[cell] = (sums[cell] as number) + value;
      squares[cell] = (squares[cell] as number) + value * value;
    }
  return { rows: rows.length, blocks: BLOCKS, counts, sums, squares } satisfies BlockSums;
}

const stored = (rows: readonly Row[]) => {
  const deviations = Float64Array.from(rows, ({ returns }) => deviation(returns) * Math.sqrt(252));
  return {
    deviations,
    sharpes: Float64Array.from(rows, ({ returns }, k) => (mean(returns) * 252) / (deviations[k] as number)),
    counts: sumsOf(rows).counts,
    cash: { shares: Array<number>(BLOCKS).fill(1), daily: CASH },
  };
};

describe('Sharpe ratios over cash', () => {
  const rows = rowsOf('over cash', 40);

  it('are what the daily returns beyond cash show, over their deviation, to 1e-9', () => {
    const into = new Float64Array(rows.length);
    expect(sharpesOverCash(stored(rows), into)).toBe(true);
    for (const [k, { from, returns }] of rows.entries()) {
      const beyond = returns.map((value, i) => value - cashOn(from + i));
      expect(into[k]).toBeCloseTo((mean(beyond) / deviation(returns)) * Math.sqrt(252), 9);
      // The textbook's ratio, whose deviation is that of the difference.
      expect(into[k]).toBeCloseTo((mean(beyond) / deviation(beyond)) * Math.sqrt(252), 1);
    }
  });

  it('put a row that hardly moves behind one that earns more than cash', () => {
    const input = stored(rows);
    const into = new Float64Array(rows.length);
    sharpesOverCash(input, into);
    const bestOf = (values: Float64Array) => values.indexOf(Math.max(...values));
    expect([bestOf(input.sharpes) < 2, bestOf(into)]).toEqual([true, 2]);
  });

  it('weigh the days of a part of the period', () => {
    const shares = CASH.map((_, block) => (block < 5 ? 1 : block === 5 ? 0.5 : 0));
    const one = { ...stored(rows), cash: { shares, daily: CASH } };
    const into = new Float64Array(rows.length);
    sharpesOverCash(one, into);
    const c = (CASH.slice(0, 5).reduce((sum, daily) => sum + daily, 0) + 0.5 * (CASH[5] as number)) / 5.5;
    expect(into[1]).toBeCloseTo((one.sharpes[1] as number) - (252 * c) / (one.deviations[1] as number), 9);
  });

  it('take a row without block sums to have been there on every day of the part', () => {
    const shares = CASH.map((_, block) => (block < 5 ? 1 : block === 5 ? 0.5 : 0));
    const one = { ...stored(rows), cash: { shares, daily: CASH } };
    const [into, without] = [new Float64Array(rows.length), new Float64Array(rows.length)];
    sharpesOverCash(one, into);
    sharpesOverCash({ ...one, counts: new Uint16Array(one.counts.length) }, without);
    // The second row is there from the first day on.
    expect(without[1]).toBeCloseTo(into[1] as number, 9);
  });

  it('are those that are stored where a row has no deviation, and leave out rows that failed', () => {
    const input = stored(rows);
    const into = new Float64Array(rows.length);
    input.deviations[7] = input.sharpes[7] = Number.NaN;
    expect(sharpesOverCash(input, into)).toBe(true);
    expect([into[7], into[8] !== input.sharpes[8]]).toEqual([Number.NaN, true]);
    input.deviations[8] = Number.NaN;
    expect(sharpesOverCash(input, into)).toBe(false);
    expect(into).toEqual(input.sharpes);
  });
});

describe('the cross-validation over cash', () => {
  it('is that of the returns beyond cash, day by day', () => {
    const rows = rowsOf('cross', 30);
    const beyond = rows.map(({ from, returns }) => ({
      from,
      returns: returns.map((value, i) => value - cashOn(from + i)),
    }));
    const [taken, direct] = [overfittingOf({ ...sumsOf(rows), cash: CASH }), overfittingOf(sumsOf(beyond))];
    expect(taken.pbo).toBe(direct.pbo);
    expect(taken.probabilityOfLoss).toBe(direct.probabilityOfLoss);
    for (const part of ['inSample', 'outOfSample'] as const) {
      expect(taken[part].length).toBe(252);
      for (const [split, value] of direct[part].entries()) expect(taken[part][split]).toBeCloseTo(value, 9);
    }
    // Without it the rows that hardly move win.
    expect(overfittingOf(sumsOf(rows)).inSample).not.toEqual(taken.inSample);
  });
});
