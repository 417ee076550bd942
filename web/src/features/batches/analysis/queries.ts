import type { getHeatMap as HeatMapRoute } from '@quantloom/domain/contracts/http/analysis';
import {
  getHeatMap,
  getHistograms,
  getParallelSample,
  getPeaks,
  getScatter,
  getVariableEffects,
  getVerdict,
} from '@quantloom/domain/contracts/http/calls';
import type { QueryOf } from '@quantloom/domain/contracts/http/route';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';
import { type ColumnFilter, filterQuery } from '../model/filters.ts';

/** A finished batch does not change, so its analysis is asked once. */
const forever = { staleTime: Number.POSITIVE_INFINITY } as const;
const key = (id: string, ...parts: readonly unknown[]) => ['batch-backtests', id, 'analysis', ...parts];
/** A picture stays until the one of other rows, or of another metric, is there. */
const narrowable = { ...forever, placeholderData: keepPreviousData } as const;
type Filters = readonly ColumnFilter[];
const rows = (filters: Filters) => (filters.length > 0 ? { filter: filters.map(filterQuery) } : {});

export const verdictQuery = (id: string) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'verdict'),
    queryFn: ({ signal }) => api().call(getVerdict, { params: { id }, signal }),
  });
export const heatMapQuery = (
  id: string,
  query: Omit<QueryOf<typeof HeatMapRoute>, 'filter'>,
  filters: Filters,
) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'heat-map', query, rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getHeatMap, { params: { id }, query: { ...query, ...rows(filters) }, signal }),
  });
export const scatterQuery = (id: string, filters: Filters) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'scatter', rows(filters)),
    queryFn: ({ signal }) =>
      api().call(getScatter, { params: { id }, query: { points: 5000, ...rows(filters) }, signal }),
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
export const peaksQuery = (id: string, metric: MetricColumn) =>
  queryOptions({
    ...narrowable,
    queryKey: key(id, 'peaks', metric),
    queryFn: ({ signal }) => api().call(getPeaks, { params: { id }, query: { metric, limit: 20 }, signal }),
  });
