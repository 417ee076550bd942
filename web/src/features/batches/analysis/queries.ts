import type { getHeatMap as HeatMapRoute } from '@quantloom/domain/contracts/http/analysis';
import {
  getHeatMap,
  getHistograms,
  getParallelSample,
  getPeaks,
  getScatter,
  getStability,
  getVariableEffects,
  getVerdict,
  getWalkForward,
} from '@quantloom/domain/contracts/http/calls';
import type { QueryOf } from '@quantloom/domain/contracts/http/route';
import type { getWalkForward as WalkForwardRoute } from '@quantloom/domain/contracts/http/walk-forward';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../../lib/api.ts';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { croppedTo, type HeatMapAnswer } from './heat-map-sides.ts';

/** A finished batch does not change, so its analysis is asked once. */
const forever = { staleTime: Number.POSITIVE_INFINITY } as const;
const key = (id: string, ...parts: readonly unknown[]) => ['batch-backtests', id, 'analysis', ...parts];
/** A picture stays until the one of other rows, or of another metric, is there. */
const narrowable = { ...forever, placeholderData: keepPreviousData } as const;
type Filters = readonly ColumnFilter[];
const rows = (filters: Filters) => (filters.length > 0 ? { filter: filterQueries(filters) } : {});

export const verdictQuery = (id: string) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'verdict'),
    queryFn: ({ signal }) => api().call(getVerdict, { params: { id }, signal }),
  });
type HeatMapQuery = Omit<QueryOf<typeof HeatMapRoute>, 'filter'>;
/** Until its own cells are there a part is shown in those of the map that it was marked on. */
function enlarged(map: HeatMapAnswer | undefined, query: HeatMapQuery): HeatMapAnswer | undefined {
  const { x, y, x_from: left, x_to: right, y_from: top, y_to: bottom } = query;
  if (left === undefined || right === undefined || top === undefined || bottom === undefined) return map;
  if (map?.x.name !== x || map.y.name !== y) return map;
  return croppedTo(map, { x: [left, right], y: [top, bottom] }) ?? map;
}
export const heatMapQuery = (id: string, query: HeatMapQuery, filters: Filters) =>
  queryOptions<HeatMapAnswer>({
    ...forever,
    placeholderData: (map) => enlarged(map, query),
    queryKey: key(id, 'heat-map', query, rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getHeatMap, { params: { id }, query: { ...query, ...rows(filters) }, signal }),
  });
export const scatterQuery = (
  id: string,
  metrics: { readonly x: MetricColumn; readonly y: MetricColumn; readonly z?: MetricColumn },
  filters: Filters,
) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'scatter', metrics, rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getScatter, {
        params: { id },
        query: { points: 5000, ...metrics, ...rows(filters) },
        signal,
      }),
  });
export const histogramsQuery = (id: string, filters: Filters) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'histograms', rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getHistograms, { params: { id }, query: { bins: 50, ...rows(filters) }, signal }),
  });
export const effectsQuery = (id: string, metric: MetricColumn, filters: Filters) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'effects', metric, rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getVariableEffects, { params: { id }, query: { metric, ...rows(filters) }, signal }),
  });
export const parallelQuery = (id: string, metric: MetricColumn, filters: Filters) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'parallel', metric, rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getParallelSample, {
        params: { id },
        query: { metric, size: 2000, ...rows(filters) },
        signal,
      }),
  });
export const walkForwardQuery = (id: string, query: NonNullable<QueryOf<typeof WalkForwardRoute>>) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'walk-forward', query),
    queryFn: ({ signal }) => api().call(getWalkForward, { params: { id }, query, signal }),
  });
export const stabilityQuery = (id: string, picked: readonly number[]) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'stability', picked),
    queryFn: ({ signal }) =>
      api().call(getStability, {
        params: { id },
        query: picked.length > 0 ? { combinations: picked.join() } : {},
        signal,
      }),
  });
/** What the first picture of the analysis waits for, asked ahead. A failure is told where it is shown. */
export function prefetchAnalysis(id: string): void {
  void queryClient.prefetchQuery(verdictQuery(id));
  void queryClient.prefetchQuery(effectsQuery(id, 'sharpe_ratio', []));
}
export const peaksQuery = (id: string, metric: MetricColumn) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'peaks', metric),
    queryFn: ({ signal }) => api().call(getPeaks, { params: { id }, query: { metric, limit: 20 }, signal }),
  });
