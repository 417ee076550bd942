import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { isLowerBetter, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import type { ResultFilter } from '@quantloom/domain/ports/result-store';
import type { BatchResults } from '../in-sample-results.ts';
import { orNull } from './analysed-batch.ts';

export interface Slice {
  value: string | number;
  count: number;
  best: number | null;
  mean: number | null;
  median: number | null;
  worst: number | null;
}

/**
 * How much of a metric's variance lies between the values of each variable (eta squared of a one-way analysis
 * of variance, the first-order Sobol index of a full grid), and the metric along each variable; of the rows
 * that meet the filters.
 */
export async function variableEffectsOf(
  store: BatchResults,
  batchId: string,
  variables: readonly BatchVariable[],
  metric: MetricColumn,
  filters: readonly ResultFilter[],
) {
  const [whole = {}] = await store.aggregate(batchId, {
    filters,
    measures: [
      { as: 'n', fn: 'count', column: metric },
      { as: 'mean', fn: 'avg', column: metric },
      { as: 'deviation', fn: 'stddev', column: metric },
    ],
  });
  const count = Number(whole.n ?? 0);
  const mean = Number(whole.mean ?? 0);
  const deviation = orNull(whole.deviation);
  const isLower = isLowerBetter(metric);
  const total = deviation === null ? 0 : deviation * deviation * (count - 1);
  const effects = await Promise.all(
    variables.map(async ({ name, values }) => {
      const groups = await store.aggregate(batchId, {
        filters,
        groupBy: [name],
        measures: [
          { as: 'n', fn: 'count', column: metric },
          { as: 'best', fn: isLower ? 'min' : 'max', column: metric },
          { as: 'mean', fn: 'avg', column: metric },
          { as: 'median', fn: 'median', column: metric },
          { as: 'worst', fn: isLower ? 'max' : 'min', column: metric },
        ],
      });
      const byValue = new Map(groups.map((group) => [group[name], group]));
      const isNumeric = values.every((value) => typeof value === 'number');
      const ordered = isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
      const every = ordered.map((value): Slice => {
        const group = byValue.get(value);
        return {
          value,
          count: Number(group?.n ?? 0),
          best: orNull(group?.best),
          mean: orNull(group?.mean),
          median: orNull(group?.median),
          worst: orNull(group?.worst),
        };
      });
      // A value that failed throughout is told; one that the filters leave out is not.
      const slices = filters.length === 0 ? every : every.filter(({ count }) => count > 0);
      const between = slices.reduce(
        (sum, slice) => sum + (slice.mean === null ? 0 : slice.count * (slice.mean - mean) ** 2),
        0,
      );
      return {
        name,
        is_numeric: isNumeric,
        explained: total > 0 ? Math.min(1, between / total) : null,
        steepest: isNumeric ? steepestOf(slices) : null,
        slices,
      };
    }),
  );
  return { metric, count, deviation, variables: effects };
}

/** The step between neighbouring numbers over which the mean changes most. */
function steepestOf(slices: readonly Slice[]): { from: number; to: number; change: number } | null {
  let steepest: { from: number; to: number; change: number } | null = null;
  for (let i = 1; i < slices.length; i += 1) {
    const [before, after] = [slices[i - 1], slices[i]];
    if (before?.mean == null || after?.mean == null) continue;
    const change = after.mean - before.mean;
    if (steepest === null || Math.abs(change) > Math.abs(steepest.change))
      steepest = { from: Number(before.value), to: Number(after.value), change };
  }
  return steepest;
}
