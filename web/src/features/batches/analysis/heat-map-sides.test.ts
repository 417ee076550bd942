import { describe, expect, test } from 'vitest';
import {
  bestCell,
  croppedTo,
  filterOf,
  labelOf,
  type Side,
  sideText,
  spanOf,
  ticksOf,
} from './heat-map-sides.ts';

const numbers = (count: number, step = 1, from = 0): Side => ({
  name: '$W',
  values: Array.from({ length: count }, (_, i) => 5 + from + i),
  step,
  from,
  total: 130,
  empty: 0,
});
const tickers: Side = {
  name: '$A',
  values: ['SPY', 'QQQ', 'SIM:TQQQ'],
  step: 1,
  from: 0,
  total: 3,
  empty: 0,
};

test('cells of several values are named and filtered by all of them', () => {
  const side = numbers(7, 2);
  expect([0, 3].map((cell) => labelOf(side, cell))).toEqual(['5 … 6', '11']);
  expect(filterOf(side, 1)).toEqual({ column: '$W', op: 'in', text: '7, 8' });
  expect(spanOf(side, [2, 1])).toEqual([2, 6]);
  expect(spanOf(side, [3, 3])).toEqual([6, 7]);
  expect(spanOf(numbers(7, 2, 40), null)).toEqual([40, 47]);
});

test('the best cell is the largest or the smallest, and cells without a result are none', () => {
  const grid = [
    [null, 2],
    [5, 1],
  ];
  expect(bestCell(grid, true)).toEqual({ x: 0, y: 1, value: 5 });
  expect(bestCell(grid, false)).toEqual({ x: 1, y: 1, value: 1 });
  expect(bestCell([[null]], true)).toBeNull();
});

describe('a part of a map', () => {
  const grid = <Value>(of: (x: number, y: number) => Value) =>
    Array.from({ length: 3 }, (_, y) => Array.from({ length: 4 }, (_, x) => of(x, y)));
  const map = {
    metric: 'sharpe_ratio' as const,
    x: numbers(7, 2, 20),
    y: tickers,
    count: grid(() => 1),
    best: grid((x, y) => 10 * y + x),
    mean: grid((x, y) => -10 * y - x),
    worst: grid(() => null),
  };

  test('is cut out of the cells that are there', () => {
    expect(croppedTo(map, { x: [22, 26], y: [1, 3] })).toMatchObject({
      x: { values: [27, 28, 29, 30], from: 22, step: 2, total: 130 },
      y: { values: ['QQQ', 'SIM:TQQQ'], from: 1 },
      best: [
        [11, 12],
        [21, 22],
      ],
      mean: [
        [-11, -12],
        [-21, -22],
      ],
    });
    // The last cell holds one value only.
    expect(croppedTo(map, { x: [24, 27], y: [0, 1] })?.best).toEqual([[2, 3]]);
  });

  test('is not made up where it begins within a cell or lies outside', () => {
    expect(croppedTo(map, { x: [21, 25], y: [0, 3] })).toBeNull();
    expect(croppedTo(map, { x: [22, 25], y: [0, 3] })).toBeNull();
    expect(croppedTo(map, { x: [10, 24], y: [0, 3] })).toBeNull();
    expect(croppedTo(map, { x: [22, 40], y: [0, 3] })).toBeNull();
  });
});

describe('the labels along an axis', () => {
  const named = (side: Side, pixels: number, direction: 'across' | 'down' = 'across') =>
    ticksOf(side, pixels, direction);

  test('name every cell where there is room', () => {
    expect(named(numbers(5), 400)).toMatchObject({ areTurned: false, ticks: { length: 5 } });
    expect(named(tickers, 400).ticks.map(({ text }) => text)).toEqual(['SPY', 'QQQ', 'SIM:TQQQ']);
  });

  test('turn tickers before leaving any out, and leave numbers out before turning them', () => {
    expect(named(tickers, 100)).toMatchObject({ areTurned: true, ticks: { length: 3 } });
    const few = named(numbers(120), 600);
    expect(few.areTurned).toBe(false);
    expect(few.ticks.map(({ cell }) => cell).slice(0, 3)).toEqual([0, 6, 12]);
  });

  test('leave out rows that are lower than a line', () => {
    expect(named(numbers(120), 640, 'down').ticks.length).toBeLessThanOrEqual(640 / 14);
    expect(named(tickers, 72, 'down').ticks).toHaveLength(3);
  });
});

test('an axis is spoken of where it is not simply all values in their order', () => {
  expect(sideText({ ...numbers(130), total: 130 })).toBe('');
  expect(sideText(numbers(130, 2))).toBe('$W: 130 values, 2 to a cell. ');
  expect(sideText(numbers(40, 1, 10))).toBe('$W: 11 to 50 of 130 values. ');
  expect(sideText({ ...tickers, values: ['QQQ'], from: 1 })).toBe('$A: value 2 of 3. ');
  expect(sideText({ ...tickers, empty: 2 })).toBe('$A: 3 values (2 without a result left out). ');
});
