import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import type { BlockSums } from './block-sums.ts';
import { bestByStretch, growthOf, walkForward } from './walk-forward.ts';

const BLOCKS = 10;
const DAYS = 250;

/** Daily returns of rows, the last of them like cash. */
function dailyReturns(seed: string, rows: number): number[][] {
  const random = new Random(seed);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: BLOCKS * DAYS }, () =>
      row === rows - 1
        ? 0.0001 + 0.000001 * random.normal()
        : 0.0004 * random.normal() + 0.012 * random.normal(),
    ),
  );
}

function sumsOf(returns: readonly (readonly number[])[]): BlockSums {
  const rows = returns.length;
  const [counts, sums, squares] = [
    new Uint16Array(rows * BLOCKS),
    new Float64Array(rows * BLOCKS),
    new Float64Array(rows * BLOCKS),
  ];
  for (const [row, daily] of returns.entries())
    for (const [day, value] of daily.entries()) {
      const at = Math.floor(day / DAYS) * rows + row;
      counts[at] = (counts[at] as number) + 1;
      sums[at] = (sums[at] as number) + value;
      squares[at] = (squares[at] as number) + value * value;
    }
  return { rows, blocks: BLOCKS, counts, sums, squares };
}

function sharpe(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return (mean / Math.sqrt(variance)) * Math.sqrt(252);
}

const grown = (values: readonly number[]): number => values.reduce((money, value) => money * (1 + value), 1);

describe('a walk forward over block sums', () => {
  it.each([
    ['rolling', 3],
    ['rolling', 1],
    ['anchored', 4],
    ['anchored', 9],
  ] as const)('chooses %s over %i blocks what a direct computation from daily returns chooses', (mode, k) => {
    const returns = dailyReturns(`${mode}${k}`, 60);
    const sums = sumsOf(returns);
    const walk = walkForward(sums, bestByStretch(sums), k, mode);
    expect(walk.windows.map(({ to }) => to)).toEqual(Array.from({ length: BLOCKS - k }, (_, i) => k + i));
    let [money, inside, insideDays] = [1, 0, 0];
    const held: number[] = [];
    for (const window of walk.windows) {
      const from = mode === 'rolling' ? window.to - k : 0;
      const part = (row: number) => (returns[row] as number[]).slice(from * DAYS, window.to * DAYS);
      const ranked = returns
        .map((_, row) => row)
        .slice(0, -1)
        .sort((a, b) => sharpe(part(b)) - sharpe(part(a)));
      expect(window.row).toBe(ranked[0]);
      const next = (returns[window.row] as number[]).slice(window.to * DAYS, (window.to + 1) * DAYS);
      expect(window.inSharpe).toBeCloseTo(sharpe(part(window.row)), 9);
      expect(window.outSharpe).toBeCloseTo(sharpe(next), 9);
      // The sum of cubes is what blocks lose: of 250 days of 1.2% some hundredths of a percent.
      expect(Math.abs(window.growth / grown(next) - 1)).toBeLessThan(3e-4);
      money *= grown(next);
      inside += Math.log(grown(part(window.row)));
      insideDays += (window.to - from) * DAYS;
      held.push(...next);
    }
    const yearly = money ** (252 / held.length) - 1;
    const inYearly = Math.expm1((inside * 252) / insideDays);
    expect(walk.yearly).toBeCloseTo(yearly, 3);
    expect(walk.sharpe).toBeCloseTo(sharpe(held), 9);
    expect(walk.efficiency).toBeCloseTo(yearly / inYearly, 2);
  });

  it('never chooses what is like cash, however high its Sharpe ratio', () => {
    const sums = sumsOf(dailyReturns('cash', 5));
    const table = bestByStretch(sums);
    expect(table.rows).toBe(4);
    expect([...table.best]).not.toContain(4);
  });

  it('keeps what a row with an edge earns, and little of what luck does', () => {
    const edge = dailyReturns('edge', 60).map((daily, row) =>
      row === 7 ? daily.map((value) => value + 0.002) : daily,
    );
    const real = sumsOf(edge);
    expect(walkForward(real, bestByStretch(real), 3, 'rolling').efficiency).toBeGreaterThan(0.8);
    const noise = sumsOf(dailyReturns('noise', 60));
    expect(walkForward(noise, bestByStretch(noise), 3, 'rolling').efficiency).toBeLessThan(0.5);
  });

  it('has nothing to choose from without rows', () => {
    const empty = { rows: 0, blocks: BLOCKS, counts: new Uint16Array(0), sums: new Float64Array(0) };
    const sums = { ...empty, squares: new Float64Array(0) };
    expect(walkForward(sums, bestByStretch(sums), 3, 'rolling').windows).toEqual([]);
    expect(growthOf(sums, 0, [])).toEqual([]);
  });
});

describe('a walk by hand', () => {
  /** Sums of rows of which each block has `mean` and a deviation of 1% a day. */
  const byMeans = (...means: readonly (readonly number[])[]): BlockSums => {
    const [rows, blocks] = [means.length, means[0]?.length ?? 0];
    const cells = Array.from({ length: blocks }, (_, block) => means.map((row) => row[block] ?? 0)).flat();
    return {
      rows,
      blocks,
      counts: Uint16Array.from(cells, () => 100),
      sums: Float64Array.from(cells, (mean) => 100 * mean),
      squares: Float64Array.from(cells, (mean) => 100 * (mean ** 2 + 1e-4)),
    };
  };
  const early = [0.003, 0.003, 0, 0];
  const late = [0, 0, 0.004, 0.004];

  it('chooses over cash what a direct computation from daily returns over cash chooses, block by block', () => {
    const cash = Array.from({ length: BLOCKS }, (_, block) => 0.0001 * (block % 3));
    const random = new Random('over cash');
    // A third of the rows moves as a short bond does, a tenth as much as the others.
    const returns = Array.from({ length: 30 }, (_, row) =>
      Array.from({ length: BLOCKS * DAYS }, (_, day) =>
        row % 3 === 0
          ? (cash[Math.floor(day / DAYS)] as number) + 0.0011 * random.normal()
          : 0.0004 + 0.011 * random.normal(),
      ),
    );
    const sums = { ...sumsOf(returns), cash };
    const { best } = bestByStretch(sums);
    let isOtherThanPlain = false;
    const { best: plain } = bestByStretch(sumsOf(returns));
    for (let from = 0; from < BLOCKS; from += 1)
      for (let to = from + 1; to <= BLOCKS; to += 1) {
        const ratios = returns.map((daily) =>
          sharpe(
            daily
              .slice(from * DAYS, to * DAYS)
              .map((value, day) => value - (cash[from + Math.floor(day / DAYS)] as number)),
          ),
        );
        const at = from * (BLOCKS + 1) + to;
        expect(best[at]).toBe(ratios.indexOf(Math.max(...ratios)));
        isOtherThanPlain ||= best[at] !== plain[at];
      }
    expect(isOtherThanPlain).toBe(true);
  });

  it('goes on by one block, and knows nothing of the one that it holds', () => {
    const sums = byMeans(early, late);
    const table = bestByStretch(sums);
    const windows = (k: number, mode: 'rolling' | 'anchored') =>
      walkForward(sums, table, k, mode).windows.map(({ from, to, row }) => [from, to, row]);
    expect(windows(1, 'rolling')).toEqual([
      [0, 1, 0],
      [1, 2, 0],
      [2, 3, 1],
    ]);
    expect(windows(1, 'anchored')).toEqual([
      [0, 1, 0],
      [0, 2, 0],
      [0, 3, 0],
    ]);
    expect(windows(3, 'rolling')).toEqual([[0, 3, 0]]);
    expect(windows(4, 'rolling')).toEqual([]);
  });

  it('goes on behind a stretch in which nothing could be chosen', () => {
    const sums = byMeans(early, late);
    const table = bestByStretch(sums);
    const best = table.best.with(0 * 5 + 1, -1);
    const { windows } = walkForward(sums, { ...table, best }, 1, 'rolling');
    expect(windows.map(({ from, row }) => [from, row])).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it('grows by what was held, and compares it with what was promised', () => {
    const sums = byMeans(early, late);
    const walk = walkForward(sums, bestByStretch(sums), 2, 'rolling');
    // Row 0 is chosen on blocks 0 and 1 and earns nothing in block 2; row 1, the better one of blocks 1 and
    // 2, is held in block 3.
    const log = (mean: number) => 100 * mean - (100 * (mean ** 2 + 1e-4)) / 2;
    expect(walk.windows.map(({ growth }) => growth)).toEqual([
      expect.closeTo(Math.exp(log(0)), 12),
      expect.closeTo(Math.exp(log(0.004)), 12),
    ]);
    expect(walk.yearly).toBeCloseTo(Math.expm1(((log(0) + log(0.004)) * 252) / 200), 12);
    const chosen = 2 * log(0.003) + log(0) + log(0.004);
    expect(walk.inYearly).toBeCloseTo(Math.expm1((chosen * 252) / 400), 12);
    expect(walk.efficiency).toBeCloseTo(walk.yearly / walk.inYearly, 12);
    expect(growthOf(sums, 1, [0, 3])).toEqual([
      expect.closeTo(Math.exp(log(0)), 12),
      expect.closeTo(Math.exp(log(0.004)), 12),
    ]);
  });

  it('keeps no share of what lost in sample already', () => {
    const losing = byMeans([-0.001, -0.001, -0.001, -0.001]);
    const walk = walkForward(losing, bestByStretch(losing), 2, 'rolling');
    expect(walk.windows).toHaveLength(2);
    expect(walk.inYearly).toBeLessThan(0);
    expect(walk.efficiency).toBeNaN();
    const none = walkForward(losing, bestByStretch(losing), 4, 'rolling');
    expect([none.yearly, none.inYearly, none.sharpe]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it('takes the first of equals, and of losses the smallest', () => {
    const table = (sums: BlockSums) => bestByStretch(sums).best[0 * 5 + 4];
    expect(table(byMeans(early, early))).toBe(0);
    expect(table(byMeans([-0.002, -0.002, -0.002, -0.002], [-0.001, -0.001, -0.001, -0.001]))).toBe(1);
  });
});
