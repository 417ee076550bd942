import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { METRIC_COLUMNS, type MetricColumn } from '../result-block.ts';
import { BatchIdParams } from './batches.ts';
import { ResultsFilter } from './results.ts';
import { defineRoute } from './route.ts';

const Nullable = Type.Union([Type.Number(), Type.Null()]);
const MetricName = Type.Unsafe<MetricColumn>({ type: 'string', enum: [...METRIC_COLUMNS] });

export const getHistograms = defineRoute({
  method: 'GET',
  side: 'query',
  tag: 'Batch analysis',
  access: { kind: 'user', features: ['web.batch-backtests.create'], machine: true },
  params: BatchIdParams,
  id: 'getBatchHistograms',
  cost: 'query',
  path: '/api/v1/batch-backtests/{id}/analysis/histograms',
  summary: 'Distribution of every metric',
  query: Type.Object({
    bins: Type.Optional(Type.Integer({ minimum: 2, maximum: 200 })),
    filter: Type.Optional(ResultsFilter),
  }),
  answer: Type.Object({
    histograms: Type.Array(
      Type.Object({
        metric: MetricName,
        count: Type.Integer(),
        min: Nullable,
        max: Nullable,
        mean: Nullable,
        median: Nullable,
        deviation: Nullable,
        bins: said(
          'Half open, the last one closed.',
          Type.Array(Type.Object({ from: Type.Number(), to: Type.Number(), count: Type.Integer() })),
        ),
      }),
    ),
    days: said(
      'Median number of daily returns of the rows, on the days that they are ranked on; null where there is no row.',
      Nullable,
    ),
    benchmark: said(
      'The benchmark on the days that rows are ranked on; null where it has no prices, or could not be run just now.',
      Type.Union([
        Type.Null(),
        Type.Object({ ticker: Type.String(), metrics: Type.Record(Type.String(), Nullable) }),
      ]),
    ),
  }),
});
