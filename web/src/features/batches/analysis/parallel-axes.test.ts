import { expect, test } from 'vitest';
import { dimensionOf, filtersOfRanges, rangesOf, variableAxis } from './parallel-axes.ts';

const windows = variableAxis('$W', [20, 5, 10, 5, 40]);
const tickers = variableAxis('$A', ['SPY', 'QQQ', 'IWM', 'MDY']);
const drawdown = { column: 'max_drawdown', label: 'Max Drawdown', values: null, factor: 100 };
const texts = (filters: ReturnType<typeof filtersOfRanges>) =>
  filters.map(({ column, op, text }) => `${column} ${op} ${text}`);

test('numbers ascend, tickers keep their order; each stands where its value is', () => {
  expect(dimensionOf(windows, [40, null, 5], [])).toMatchObject({
    values: [40, null, 5],
    tickvals: [5, 10, 20, 40],
    multiselect: false,
  });
  expect(dimensionOf(tickers, ['IWM', 'SPY'], [])).toMatchObject({
    values: [2, 0],
    ticktext: ['SPY', 'QQQ', 'IWM', 'MDY'],
    // Also to those that no row has.
    range: [0, 3],
    multiselect: true,
  });
  expect(dimensionOf(windows, [10], []).range).toEqual([5, 40]);
  expect(dimensionOf(drawdown, [0.25], []).values).toEqual([25]);
});

test('a range on an axis becomes the filters that leave its values', () => {
  expect(texts(filtersOfRanges(windows, [[8, 25]]))).toEqual(['$W gte 10', '$W lte 20']);
  expect(texts(filtersOfRanges(windows, [[8, 99]]))).toEqual(['$W gte 10']);
  expect(texts(filtersOfRanges(windows, [[18, 25]]))).toEqual(['$W in 20']);
  expect(
    texts(
      filtersOfRanges(tickers, [
        [-0.2, 0.3],
        [1.8, 3.1],
      ]),
    ),
  ).toEqual(['$A in SPY, IWM, MDY']);
  // In the units of the axis, rounded outwards.
  expect(texts(filtersOfRanges(drawdown, [[10.00005, 20.00005]]))).toEqual([
    'max_drawdown gte 10.0000',
    'max_drawdown lte 20.0001',
  ]);
});

test('a range over everything, over nothing, or taken away, is no filter', () => {
  expect(filtersOfRanges(windows, [[0, 99]])).toEqual([]);
  expect(filtersOfRanges(windows, [[6, 7]])).toEqual([]);
  expect(filtersOfRanges(tickers, [])).toEqual([]);
});

test('filters from elsewhere are shown as ranges, and drawing those again gives the same filters', () => {
  for (const [axis, filters] of [
    [
      windows,
      [
        { column: '$W', op: 'gte', text: '10' },
        { column: '$W', op: 'lte', text: '20' },
      ],
    ],
    [windows, [{ column: '$W', op: 'in', text: '5, 20' }]],
    [tickers, [{ column: '$A', op: 'in', text: 'QQQ' }]],
    [
      drawdown,
      [
        { column: 'max_drawdown', op: 'gte', text: '10.0000' },
        { column: 'max_drawdown', op: 'lte', text: '20.0000' },
      ],
    ],
  ] as const)
    expect(filtersOfRanges(axis, rangesOf(axis, filters))).toEqual(filters);
  expect(rangesOf(tickers, [{ column: '$A', op: 'ne', text: 'qqq' }])).toEqual([
    [-0.3, 0.3],
    [1.7, 3.3],
  ]);
  expect(rangesOf(windows, [{ column: '$A', op: 'in', text: 'SPY' }])).toEqual([]);
});
