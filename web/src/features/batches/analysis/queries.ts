import {
  getHeatMap,
  getHistograms,
  getPeaks,
  getScatter,
  getVariableEffects,
  getVerdict,
} from '@quantloom/domain/contracts/http/calls';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';

/** A finished batch does not change, so its analysis is asked once. */
const forever = { staleTime: Number.POSITIVE_INFINITY } as const;
const key = (id: string, ...parts: readonly unknown[]) => ['batch-backtests', id, 'analysis', ...parts];

export const verdictQuery = (id: string) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'verdict'),
    queryFn: ({ signal }) => api().call(getVerdict, { params: { id }, signal }),
  });
export const heatMapQuery = (id: string, x: string, y: string, metric: MetricColumn) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'heat-map', x, y, metric),
    queryFn: ({ signal }) => api().call(getHeatMap, { params: { id }, query: { x, y, metric }, signal }),
  });
export const scatterQuery = (id: string) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'scatter'),
    queryFn: ({ signal }) => api().call(getScatter, { params: { id }, query: { points: 5000 }, signal }),
  });
export const histogramsQuery = (id: string) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'histograms'),
    queryFn: ({ signal }) => api().call(getHistograms, { params: { id }, query: { bins: 50 }, signal }),
  });
export const effectsQuery = (id: string, metric: MetricColumn) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'effects', metric),
    queryFn: ({ signal }) => api().call(getVariableEffects, { params: { id }, query: { metric }, signal }),
  });
export const peaksQuery = (id: string, metric: MetricColumn) =>
  queryOptions({
    ...forever,
    queryKey: key(id, 'peaks', metric),
    queryFn: ({ signal }) => api().call(getPeaks, { params: { id }, query: { metric, limit: 20 }, signal }),
  });
