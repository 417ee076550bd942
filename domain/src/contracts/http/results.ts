import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { BatchIdParams } from './batches.ts';
import { defineRoute } from './route.ts';

const access = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const tag = 'Batch results';
const Cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);

/**
 * `column:op:value`, several joined by AND: ops eq, ne, gt, gte, lt, lte, in (values separated by `|`),
 * isNull, isNotNull.
 */
export const ResultsFilter = Type.Union([
  Type.String({ maxLength: 10_000 }),
  Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 50 }),
]);

/**
 * A request without any of `sort`, `filter`, `limit`, `cursor`, `format` and `link` gets all rows as CSV
 * text, in the order of the combinations.
 */
export const ResultsQuery = Type.Object({
  link: said(
    'Answer `{presigned_url}` instead: an address that works without a token until it expires.',
    Type.Optional(Type.Boolean()),
  ),
  sort: said('`column:asc` or `column:desc`.', Type.Optional(Type.String({ maxLength: 200 }))),
  filter: Type.Optional(ResultsFilter),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  cursor: said('`next_cursor` of the page before.', Type.Optional(Type.String({ maxLength: 100 }))),
  format: Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv'), Type.Literal('parquet')])),
  columns: said(
    'Comma-separated; default: the visible columns; `all`: every column that may be read, block sums and ' +
      'moments among them.',
    Type.Optional(Type.String({ maxLength: 5_000 })),
  ),
  partial: said(
    'While the batch runs: the rows of its first partitions that have finished, instead of the refusal ' +
      '`results_not_ready`. Of a batch that was stopped: the rows that it has, instead of `batch_stopped`.',
    Type.Optional(Type.Boolean()),
  ),
});
export type ResultsQueryInput = Static<typeof ResultsQuery>;

/** Its cells, in the order of `columns`. */
export const ResultRowSchema = Type.Array(Cell);

export const ResultsPageSchema = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(ResultRowSchema),
  total: said('Rows that match the filters.', Type.Integer()),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
  partial: said(
    'True where the batch still runs or was stopped, and these are the rows that it has; ' +
      'missing once it has all of them.',
    Type.Optional(Type.Boolean()),
  ),
  rows_so_far: said(
    'With `partial`: how many rows can be read, without filters. ' +
      'While the batch runs, those of its first combinations.',
    Type.Optional(Type.Integer()),
  ),
  combinations: said(
    'With `partial`: how many rows the batch would have in all.',
    Type.Optional(Type.Integer()),
  ),
});
export const PresignedSchema = Type.Object({ presigned_url: Type.String(), expires_at: Type.String() });

export const getBatchResults = defineRoute({
  id: 'getBatchResults',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/batch-backtests/{id}/results',
  side: 'query',
  tag,
  summary: 'Result rows: all as CSV text, a page as JSON, CSV or Parquet, or a link for downloading',
  access,
  params: BatchIdParams,
  query: ResultsQuery,
  answer: Type.Union([Type.String(), PresignedSchema, ResultsPageSchema]),
  alsoProduces: ['text/csv', 'application/vnd.apache.parquet'],
});

export const downloadBatchResults = defineRoute({
  id: 'downloadBatchResults',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/batch-backtests/{id}/results/download',
  side: 'query',
  tag,
  summary: 'The target of a presigned link; works without a token until the link expires',
  access: { kind: 'public' },
  params: BatchIdParams,
  query: Type.Object({
    expires: Type.String({ pattern: '^\\d{1,15}$' }),
    signature: Type.String({ maxLength: 200 }),
    query: Type.Optional(Type.String({ maxLength: 20_000 })),
  }),
  answer: Type.String(),
  alsoProduces: ['text/csv', 'application/vnd.apache.parquet'],
});

export const listBatchFailures = defineRoute({
  id: 'listBatchFailures',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/batch-backtests/{id}/results/failures',
  side: 'query',
  tag,
  summary: 'Combinations that could not be simulated, with the reason of each and the most frequent reasons',
  access,
  params: BatchIdParams,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    cursor: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  answer: Type.Object({
    total: Type.Integer(),
    failures: Type.Array(
      Type.Object({
        combination: Type.Integer(),
        values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        reason: Type.String(),
      }),
    ),
    reasons: said(
      'Reasons among the first failures of the batch, the most frequent first.',
      Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
});
