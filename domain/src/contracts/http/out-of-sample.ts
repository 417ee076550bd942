import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { BatchHoldOutSchema, BatchIdParams } from './batches.ts';
import { defineRoute } from './route.ts';

const access = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const tag = 'Batch analysis';
const path = '/api/v1/batch-backtests/{id}/out-of-sample';
const Nullable = Type.Union([Type.Number(), Type.Null()]);
const Value = Type.Union([Type.String(), Type.Number()]);

/**
 * The judged row, the best strategy in sample, with the metrics of both parts, and how the order of all
 * strategies held.
 */
export const OutOfSampleFiguresSchema = Type.Object({
  date: Type.String(),
  combination: Type.Integer(),
  values: Type.Record(Type.String(), Value),
  in_sample: Type.Record(Type.String(), Nullable),
  out_of_sample: Type.Record(Type.String(), Nullable),
  rank_correlation: said('Between the Sharpe ratios of both parts, over all strategies.', Nullable),
  top_stays_above_median: said(
    'Share of the best tenth in sample that stays above the median out of sample.',
    Nullable,
  ),
  median_in: Nullable,
  median_out: Nullable,
});

export const OutOfSampleSchema = Type.Object({
  date: said(
    'First day of the part that is locked away; null where the batch names none.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  hold_out: Type.Optional(BatchHoldOutSchema),
  opened: said(
    'Null while nobody has looked.',
    Type.Union([Type.Null(), Type.Object({ at: Type.String(), by_you: Type.Boolean() })]),
  ),
  ranked_whole: said(
    'The rows were ranked over the whole period when the batch finished, as all batches once were: ' +
      'nothing was locked away.',
    Type.Boolean(),
  ),
  seen_before: said(
    'Batches of the same lineage that had ranked days from the date on before this batch was created, the ' +
      'earliest first.',
    Type.Object({
      count: Type.Integer(),
      batches: said(
        "The caller's own among them, at most 20; those of other people have no name here.",
        Type.Array(
          Type.Object({ id: Type.String(), name: Type.String(), at: Type.String(), until: Type.String() }),
        ),
      ),
    }),
  ),
});
export type OutOfSample = Static<typeof OutOfSampleSchema>;

export const getOutOfSample = defineRoute({
  id: 'getBatchOutOfSample',
  method: 'GET',
  side: 'query',
  tag,
  access,
  path,
  params: BatchIdParams,
  summary: 'Whether the out-of-sample part was opened, and what the lineage had seen of it before the batch',
  answer: OutOfSampleSchema,
});

export const openOutOfSample = defineRoute({
  id: 'openBatchOutOfSample',
  method: 'POST',
  side: 'command',
  tag,
  access,
  path,
  params: BatchIdParams,
  summary:
    'Opens the out-of-sample part of a finished batch, once and for good; the event log keeps when and by whom',
  answer: Type.Object({ id: Type.String(), revision: Type.Integer() }),
});
