import { expect, test } from 'vitest';
import type { FactoredRunner } from './factored.ts';
import type { FactoredGroup } from './factored-parts.ts';
import { GroupRuns } from './group-runs.ts';
import type { Groups } from './groups.ts';
import type { Layout } from './layout.ts';
import type { Simulator } from './simulator.ts';
import type { Stretches, StretchRun } from './stretches.ts';

const DAYS = 100;

/** Rows of a condition. */
const ROWS = 128;
const INNER = 64;

/** Conditions, each with the same two variants of the outer branch and many of the inner. */
function groups(count: number, rows: number): Groups {
  const places = Array.from({ length: rows }, (_, i) => i);
  const group = (maskIndex: number) =>
    ({
      maskIndex,
      first: 0,
      last: DAYS,
      rows: places.map((i) => rows * maskIndex + i),
      outer: places.map((i) => Math.floor(i / INNER)),
      inner: places.map((i) => i % INNER),
      layout: { from: 0, to: DAYS } as Layout,
    }) as unknown as FactoredGroup;
  return { all: () => Array.from({ length: count }, (_, i) => group(i)) } as unknown as Groups;
}

/** Runs the groups where a row costs 1 day by day and as much as is given by sums and by stretches; tells which way each row went. */
function run(sums: number, stretches: number, conditions = 8, rowsOfEach = ROWS) {
  const summed: number[] = [];
  const stretched: number[] = [];
  let asked = 0;
  const runner = {
    expected: ({ rows }: FactoredGroup) => rows.length * Math.min(1, sums),
    run: ({ rows }: FactoredGroup) => {
      if (sums < 1) summed.push(...rows);
      return sums < 1;
    },
  } as unknown as FactoredRunner;
  const byStretches = {
    expected: (rows: readonly unknown[]) => {
      asked++;
      return rows.length * stretches;
    },
    add: (_run: StretchRun, row: number) => stretched.push(row),
  } as unknown as Stretches;
  const runs = new GroupRuns({
    runner,
    stretches: byStretches,
    simulator: {} as Simulator,
    cost: { simulating: (rows) => rows, tile: () => 0, composing: () => 0 },
    innerVariants: INNER,
  });
  runs.run(groups(conditions, rowsOfEach), {
    rows: {},
    digitsOf: () => new Int32Array(3),
    isCancelled: () => false,
  } as unknown as StretchRun);
  return { summed, stretched, asked };
}

const ALL = Array.from({ length: 8 * ROWS }, (_, row) => row);

test('stretches are taken where they are expected to cost less than sums, with conditions next to each other', () => {
  const { summed, stretched } = run(0.6, 0.3);
  expect(summed).toEqual([]);
  expect(stretched).toEqual(
    ALL.slice(0, ROWS).flatMap((variant) => ALL.filter((row) => row % ROWS === variant)),
  );
});

test('sums are taken where they cost less', () => {
  expect(run(0.3, 0.6)).toMatchObject({ summed: ALL, stretched: [] });
});

test('stretches are not tried where sums cost next to nothing, nor for few conditions or few rows', () => {
  expect(run(0.05, 0.01)).toEqual({ summed: ALL, stretched: [], asked: 0 });
  expect(run(0.6, 0.3, 8, ROWS - 1)).toMatchObject({ stretched: [], asked: 0 });
  expect(run(0.6, 0.3, 7)).toEqual({ summed: ALL.slice(0, 7 * ROWS), stretched: [], asked: 0 });
});

test('what neither pays for is left to the stretches, which go day by day then', () => {
  expect(run(2, 1).stretched).toEqual(ALL);
});
