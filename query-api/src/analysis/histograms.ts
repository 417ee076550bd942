import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import type { ResultFilter } from '@quantloom/domain/ports/result-store';
import type { BatchResults } from '../in-sample-results.ts';
import { orNull } from './analysed-batch.ts';

export interface Histogram {
  metric: MetricColumn;
  count: number;
  min: number | null;
  max: number | null;
  mean: number | null;
  median: number | null;
  deviation: number | null;
  bins: { from: number; to: number; count: number }[];
}

/**
 * Equal-width bins over the whole range of every metric, with its figures, of the rows that meet the filters.
 *
 * @param medians of all rows, from the batch's summary: exact medians are the one figure here that is dear
 */
export async function histogramsOf(
  store: BatchResults,
  batchId: string,
  bins: number,
  medians: Readonly<Record<string, number | null>>,
  filters: readonly ResultFilter[],
): Promise<{ readonly histograms: Histogram[]; readonly days: number | null }> {
  const areAll = filters.length === 0;
  const [figures = {}] = await store.aggregate(batchId, {
    filters,
    measures: [
      { as: 'days', fn: 'median', column: 'n' },
      ...METRIC_COLUMNS.flatMap((column) => [
        { as: `${column}_n`, fn: 'count', column } as const,
        { as: `${column}_min`, fn: 'min', column } as const,
        { as: `${column}_max`, fn: 'max', column } as const,
        { as: `${column}_avg`, fn: 'avg', column } as const,
        { as: `${column}_stddev`, fn: 'stddev', column } as const,
        ...(areAll ? [] : [{ as: `${column}_median`, fn: 'median', column } as const]),
      ]),
    ],
  });
  const histograms = await Promise.all(
    METRIC_COLUMNS.map(async (metric): Promise<Histogram> => {
      const min = orNull(figures[`${metric}_min`]);
      const max = orNull(figures[`${metric}_max`]);
      return {
        metric,
        count: Number(figures[`${metric}_n`] ?? 0),
        min,
        max,
        mean: orNull(figures[`${metric}_avg`]),
        median: orNull(areAll ? medians[metric] : figures[`${metric}_median`]),
        deviation: orNull(figures[`${metric}_stddev`]),
        bins:
          min === null || max === null
            ? []
            : await binsOf(store, batchId, metric, { bins, min, max, filters }),
      };
    }),
  );
  return { histograms, days: orNull(figures.days) };
}

async function binsOf(
  store: BatchResults,
  batchId: string,
  metric: MetricColumn,
  { bins, min, max, filters }: { bins: number; min: number; max: number; filters: readonly ResultFilter[] },
): Promise<Histogram['bins']> {
  const groups = await store.aggregate(batchId, {
    filters,
    groupBy: [{ column: metric, bins, min, max }],
    measures: [{ as: 'rows_in_bin', fn: 'count' }],
  });
  const counts = new Map(groups.map((group) => [Number(group[metric]), Number(group.rows_in_bin)]));
  const width = (max - min) / bins;
  // All values are the same: one bin says it.
  if (width === 0) return [{ from: min, to: max, count: counts.get(0) ?? 0 }];
  return Array.from({ length: bins }, (_, i) => ({
    from: min + i * width,
    to: i === bins - 1 ? max : min + (i + 1) * width,
    count: counts.get(i) ?? 0,
  }));
}
