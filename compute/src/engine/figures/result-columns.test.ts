import {
  COMMON_COLUMNS,
  FLOAT_COLUMNS,
  METRIC_COLUMNS,
  NO_DAY,
  OTHER_FILL_COLUMNS,
  SPLIT_COLUMNS,
} from '@quantloom/domain/contracts/result-block';
import { combinationSpace } from '@quantloom/domain/strategy/combinations';
import { expect, test } from 'vitest';
import { allocateColumns, blockView, bytesOfRows, columnViews } from './result-columns.ts';

test('a block numbers the values of its combinations, and is empty where nothing was written', () => {
  const columns = allocateColumns(4, 2);
  const views = columnViews(columns);
  views.startDay[0] = -1;
  views.endDay[0] = 0;
  (views.floats.sharpe_ratio as Float64Array)[0] = 1.5;
  const block = blockView(columns, 'b', combinationSpace([3, 2]), []);
  expect(block.variables.map((indexes) => [...indexes])).toEqual([
    [2, 2],
    [0, 1],
  ]);
  expect([...block.startDay, ...block.endDay]).toEqual([-1, NO_DAY, 0, NO_DAY]);
  for (const name of METRIC_COLUMNS)
    expect([...(block.floats[name] as Float64Array)]).toEqual([
      name === 'sharpe_ratio' ? 1.5 : Number.NaN,
      Number.NaN,
    ]);
});

test.each([
  { hasParts: true, hasOtherFill: true, without: [] },
  { hasParts: true, hasOtherFill: false, without: OTHER_FILL_COLUMNS },
  { hasParts: false, hasOtherFill: true, without: SPLIT_COLUMNS },
  { hasParts: false, hasOtherFill: false, without: [...SPLIT_COLUMNS, ...OTHER_FILL_COLUMNS] },
])('rows have room for what their batch has (%o)', ({ without, ...form }) => {
  const columns = allocateColumns(0, 3, form);
  const { floats, startDay, endDay } = columnViews(columns);
  const left = FLOAT_COLUMNS.filter((name) => !(without as readonly string[]).includes(name));
  expect(Object.keys(floats).sort()).toEqual([...left].sort());
  expect(bytesOfRows(3, form)).toBe(3 * (8 * left.length + 2 * 4));
  Object.values(floats).forEach((column, i) => {
    column.fill(i);
  });
  startDay.fill(-1);
  endDay.fill(-2);
  expect(Object.values(floats).map((column) => [...column])).toEqual(left.map((_, i) => [i, i, i]));
  expect([...startDay, ...endDay]).toEqual([-1, -1, -1, -2, -2, -2]);
});

test('every row has the columns that all rows have in the same place', () => {
  const least = Object.keys(
    columnViews(allocateColumns(0, 1, { hasParts: false, hasOtherFill: false })).floats,
  );
  const most = Object.keys(columnViews(allocateColumns(0, 1)).floats);
  expect(most.slice(0, least.length)).toEqual(least);
  const parts = SPLIT_COLUMNS as readonly string[];
  expect([...least].sort()).toEqual(COMMON_COLUMNS.filter((name) => !parts.includes(name)).sort());
});
