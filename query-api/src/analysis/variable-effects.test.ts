import type { AggregateRequest } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import type { BatchResults } from '../in-sample-results.ts';
import { variableEffectsOf } from './variable-effects.ts';

const FILTER = [{ column: 'n', op: 'gte', value: 1 }] as const;
const VARIABLES = [
  { name: '$N', values: [10, 9, 100, 20] },
  { name: '$T', values: ['TLT', 'SPY'] },
];

/** What rows of a batch come to: by their value of a variable, as a store groups them. */
function storeOf(whole: object, groups: Readonly<Record<string, readonly object[]>>) {
  const requests: AggregateRequest[] = [];
  const store = {
    aggregate: async (_: string, request: AggregateRequest) => {
      requests.push(request);
      return request.groupBy ? (groups[String(request.groupBy[0])] ?? []) : [whole];
    },
  } as unknown as BatchResults;
  return { store, requests };
}
const group = (name: string, value: number | string, n: number, mean: number | null) => ({
  ...{ [name]: value, n, mean },
  ...{ best: 9, median: 5, worst: 1 },
});

it('shares out the squares around the mean, and finds the steepest step between neighbouring numbers', async () => {
  // Rows 0, 2, 2, 4 and 10, 12: by their number 0 and 2, 2 and 4, 10 and 12.
  const { store } = storeOf(
    { n: 6, mean: 5, deviation: Math.sqrt(118 / 5) },
    {
      $N: [group('$N', 20, 2, 1), group('$N', 9, 2, 11), group('$N', 10, 2, 3)],
      $T: [group('$T', 'SPY', 3, 5), group('$T', 'TLT', 3, 5)],
    },
  );
  const { count, variables } = await variableEffectsOf(store, 'b', VARIABLES, 'sharpe_ratio', []);
  const [numbers, tickers] = variables;
  expect(count).toBe(6);
  // (2 · 16 + 2 · 36 + 2 · 4) of 118.
  expect(numbers?.explained).toBeCloseTo(112 / 118, 12);
  // A value that has failed throughout is told, and no step leads to it.
  expect(numbers?.slices.map(({ value, count: rows, mean }) => [value, rows, mean])).toEqual([
    ...[
      [9, 2, 11],
      [10, 2, 3],
      [20, 2, 1],
      [100, 0, null],
    ],
  ]);
  expect(numbers?.steepest).toEqual({ from: 9, to: 10, change: -8 });
  // What is no number stands as it was listed, has no steps, and explains nothing here.
  expect(tickers).toMatchObject({ is_numeric: false, steepest: null, explained: 0 });
  expect(tickers?.slices.map(({ value }) => value)).toEqual(['TLT', 'SPY']);
});

it('leaves out values that the filters leave nothing of, and asks the store for the same rows throughout', async () => {
  const { store, requests } = storeOf(
    { n: 4, mean: 2, deviation: 0 },
    { $N: [group('$N', 20, 2, 2), group('$N', 9, 2, 2)] },
  );
  const { variables } = await variableEffectsOf(store, 'b', VARIABLES, 'max_drawdown', FILTER);
  const [numbers] = variables;
  expect(numbers?.slices.map(({ value }) => value)).toEqual([9, 20]);
  // Rows that are all alike: there is nothing to explain.
  expect(numbers).toMatchObject({ explained: null, steepest: { from: 9, to: 20, change: 0 } });
  expect(requests.map(({ filters }) => filters)).toEqual([FILTER, FILTER, FILTER]);
  // The smallest drawdown is the best one.
  const measures = Object.fromEntries(requests[1]?.measures.map(({ as, fn }) => [as, fn]) ?? []);
  expect(measures).toMatchObject({ best: 'min', worst: 'max', median: 'median' });
});

it('takes the first of steps that are equally steep, and explains no more than all', async () => {
  const { store } = storeOf(
    { n: 3, mean: 2, deviation: 0.9 },
    { $N: [group('$N', 9, 1, 1), group('$N', 10, 1, 2), group('$N', 20, 1, 3)] },
  );
  const { variables } = await variableEffectsOf(store, 'b', VARIABLES, 'sharpe_ratio', []);
  // Rounding of the store's may leave more between the values than there is in all.
  expect(variables[0]).toMatchObject({ explained: 1, steepest: { from: 9, to: 10, change: 1 } });
});
