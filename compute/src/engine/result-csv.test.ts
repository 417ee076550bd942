import { NO_DAY } from '@quantloom/domain/contracts/result-block';
import { combinationSpace } from '@quantloom/domain/strategy/combinations';
import { expect, test } from 'vitest';
import { allocateColumns, blockView, columnViews } from './result-columns.ts';
import { csvLine, resultRow } from './result-csv.ts';

test('cells with commas, quotes and line breaks are quoted, numbers are written whole, null is nothing', () => {
  expect(csvLine(['a', 1 / 3, null, -0.5, 'b,c', 'say "x"', 'two\nlines'])).toBe(
    'a,0.3333333333333333,,-0.5,"b,c","say ""x""","two\nlines"',
  );
});

test('a row shows its days, its values and its metrics, nothing where it could not run', () => {
  const columns = allocateColumns(4, 2);
  const views = columnViews(columns);
  views.startDay[0] = -1;
  views.endDay[0] = 0;
  (views.floats.sharpe_ratio as Float64Array)[0] = 1.5;
  const plan = {
    variables: [
      { name: '$A', values: ['X', 'Y', 'Z'] },
      { name: '$W', values: [10, 20] },
    ],
  };
  const block = blockView(columns, 'b', combinationSpace([3, 2]), []);
  expect(resultRow(plan, block, 0)).toEqual([
    '1969-12-31',
    '1970-01-01',
    'Z',
    10,
    null,
    null,
    null,
    null,
    null,
    1.5,
    null,
    null,
  ]);
  expect(resultRow(plan, block, 1)).toEqual([null, null, 'Z', 20, ...Array(8).fill(null)]);
  expect(block.endDay[1]).toBe(NO_DAY);
});
