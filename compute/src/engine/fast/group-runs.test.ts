import { expect, test } from 'vitest';
import type { FactoredRunner } from './factored.ts';
import type { FactoredGroup } from './factored-parts.ts';
import { GroupRuns } from './group-runs.ts';
import type { Groups } from './groups.ts';
import type { Layout } from './layout.ts';
import type { Simulator } from './simulator.ts';
import type { Stretches, StretchRun } from './stretches.ts';

const DAYS = 100;

/** Two conditions, each with the same two variants of the outer branch and three of the inner. */
function groups(): Groups {
  const group = (maskIndex: number, rows: number[]) =>
    ({
      maskIndex,
      first: 0,
      last: DAYS,
      rows,
      outer: [0, 0, 0, 1, 1, 1],
      inner: [0, 1, 2, 0, 1, 2],
      layout: { from: 0, to: DAYS } as Layout,
    }) as unknown as FactoredGroup;
  return { all: () => [group(0, [0, 1, 2, 3, 4, 5]), group(1, [6, 7, 8, 9, 10, 11])] } as unknown as Groups;
}

/** Runs the groups where a row costs 1 day by day and as much as is given by sums and by stretches; tells which way each row went. */
function run(sums: number, stretches: number) {
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
    innerVariants: 3,
  });
  runs.run(groups(), {
    rows: {},
    digitsOf: () => new Int32Array(3),
    isCancelled: () => false,
  } as unknown as StretchRun);
  return { summed, stretched, asked };
}

test('stretches are taken where they are expected to cost less than sums, with conditions next to each other', () => {
  const { summed, stretched } = run(0.6, 0.3);
  expect(summed).toEqual([]);
  expect(stretched).toEqual([0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]);
});

test('sums are taken where they cost less, and stretches are not tried where sums cost next to nothing', () => {
  expect(run(0.3, 0.6)).toMatchObject({ summed: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], stretched: [] });
  expect(run(0.05, 0.01)).toMatchObject({ stretched: [], asked: 0 });
});

test('what neither pays for is left to the stretches, which go day by day then', () => {
  expect(run(2, 1).stretched).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});
