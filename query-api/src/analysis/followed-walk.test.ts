import { expect, it } from 'vitest';
import { followWalk } from './followed-walk.ts';

const DAYS = ['2024-01-01', '2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05', '2024-01-08'];
const series = (...returns: number[]) => ({
  days: Float64Array.from(DAYS, (day) => Date.parse(day) / 1_000),
  returns: Float64Array.from(returns),
});
const ROWS = new Map([
  [3, series(0.1, 0.2, 0, 0, 0, 0.5)],
  [7, series(0, 0, 0.3, -0.1, 0, 0)],
]);
const held = (combination: number, from: number, to: number) => ({
  combination,
  from: DAYS[from] as string,
  to: DAYS[to] as string,
});

it('sells at the last close of one row and buys the next, which costs both ways, once for each change', () => {
  const walk = [held(3, 0, 1), held(7, 2, 2), held(7, 3, 4), held(3, 5, 5)];
  const found = followWalk(walk, ROWS, 0.01);
  expect(found.after_changes.changes).toBe(2);
  expect(found.stitched.days).toEqual(DAYS);
  const growth = found.stitched.value;
  expect(growth.at(-1)).toBeCloseTo(1.1 * 1.2 * 1.3 * 0.9 * 1.5, 12);
  expect(found.windows.map((one) => one.return)).toEqual([
    expect.closeTo(1.1 * 1.2 - 1, 12),
    expect.closeTo(0.3, 12),
    expect.closeTo(-0.1, 12),
    expect.closeTo(0.5, 12),
  ]);
  // The same figures as those of a walk of one row whose returns are less by two changes.
  const paid = series(0.1, 0.2, 1.3 * 0.99 ** 2 - 1, -0.1, 0, 1.5 * 0.99 ** 2 - 1);
  const same = followWalk([held(1, 0, 5)], new Map([[1, paid]]), 0);
  expect(found.after_changes.figures).toEqual(same.stitched.figures);
  expect(same.after_changes).toEqual({ changes: 0, figures: same.stitched.figures });
});

it('has nothing of a row that could not be run', () => {
  const found = followWalk([held(9, 0, 1)], ROWS, 0.01);
  expect(found.stitched).toMatchObject({ days: [], value: [] });
  expect(found.windows).toEqual([{ return: 0, sharpe: null, max_drawdown: null }]);
});
