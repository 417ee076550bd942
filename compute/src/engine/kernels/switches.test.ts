import { describe, expect, test } from 'vitest';
import { Bench } from '../../../testing/kernel-memory.ts';

/** More days than a byte can count sixteen times over. */
const DAYS = 16 * 255 + 700;
const HALVES = 2 ** 24;

/**
 * The count of some days by the words of the kernel: a row from `codes` on is a switch, the first of them
 * from cash, from twice as many on to cash.
 */
function counted(rows: readonly number[], codes: number): number {
  return rows
    .filter((row) => row >= codes)
    .reduce((sum, row) => sum + 1 + HALVES * (row === codes || row >= 2 * codes ? 1 : 2), 0);
}

describe.each([
  { width: 1, codes: 40 },
  { width: 2, codes: 3_000 },
])('switches of a portfolio, $width bytes a day', ({ width, codes }) => {
  const bench = new Bench(width, DAYS + 64);
  const { kernels, random } = bench;
  /** Held, from cash, from one ticker to another, to cash. */
  const row = () =>
    [random() * codes, codes, codes + 1 + random() * (codes - 1), 2 * codes + random() * codes][
      Math.floor(random() * 4)
    ] as number;
  const rows = Array.from({ length: DAYS + 64 }, () => Math.floor(row()));
  const count = width === 1 ? kernels.countSwitches8 : kernels.countSwitches16;
  const columnOf = (codesByDay: readonly number[]) => {
    const at = bench.area(codesByDay.length * width);
    const cells = width === 1 ? bench.u8 : new Uint16Array(bench.u8.buffer);
    cells.set(codesByDay, at / width);
    return at;
  };
  const column = columnOf(rows);

  test.each([
    [0, 16],
    [5, 12],
    [3, 20],
    [7, 40],
    [1, DAYS],
    [9, 9],
  ])('are counted on the days from %i to %i', (from, to) => {
    expect(count(column, from, to, codes)).toBe(counted(rows.slice(from, to), codes));
  });

  test('are counted where there is one on every day', () => {
    const all = rows.map(() => 2 * codes);
    expect(count(columnOf(all), 0, DAYS, codes)).toBe(counted(all.slice(0, DAYS), codes));
  });

  test('are counted step by step on the days that a branch was chosen for', () => {
    const mask = bench.bytes(() => (random() < 0.6 ? 255 : 0));
    const chosen = bench.readBytes(mask);
    const cuts = [2, 9, 30, 31, 300, DAYS];
    const out = bench.area(cuts.length * 64);
    const countBranch = width === 1 ? kernels.countBranch8 : kernels.countBranch16;
    for (const isThen of [true, false]) {
      countBranch(mask, isThen ? 1 : 0, column, codes, 1, bench.words(cuts), cuts.length - 1, out);
      const found = cuts.map((_, i) => bench.f64[out / 8 + 8 * i]);
      const own = (cut: number) => rows.slice(2, cut).filter((_, i) => (chosen[i + 1] === 255) === isThen);
      expect(found).toEqual(cuts.map((cut) => counted(own(cut), codes)));
      // Where nothing is bought or sold for cash the count is the same without looking.
      const tickers = columnOf(rows.map((row) => (row === codes ? 1 : row % (2 * codes))));
      const counts = [0, 1].map((hasCash) => {
        countBranch(mask, isThen ? 1 : 0, tickers, codes, hasCash, bench.words(cuts), cuts.length - 1, out);
        return cuts.map((_, i) => bench.f64[out / 8 + 8 * i]);
      });
      expect(counts[0]).toEqual(counts[1]);
      expect(counts[0]?.at(-1)).toBeGreaterThan(0);
    }
  });
});
