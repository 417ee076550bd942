import { METRIC_COLUMNS, NO_DAY } from '@quantloom/domain/contracts/result-block';
import { combinationSpace } from '@quantloom/domain/strategy/combinations';
import { expect, test } from 'vitest';
import { allocateColumns, blockView, columnViews } from './result-columns.ts';

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
