import { type Static, Type } from 'typebox';
import { said, shownAs } from '../../kernel/said.ts';
import type { TemplateBot } from '../backtest.ts';
import { TermFields } from './backtests.ts';
import { withFieldsOf } from './closed-body.ts';
import { EXAMPLE_BATCH } from './examples.ts';
import { BatchListQuery } from './list-query.ts';
import { defineRoute } from './route.ts';
import { TradingBotSchema } from './strategies.ts';

const access = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const tag = 'Batch backtests';

/** A template and a list of values for each variable; a template alone may be 3 MB. */
export const BATCH_BODY_LIMIT = 12 * 1024 * 1024;

export const BatchIdParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const Value = Type.Union([Type.String({ maxLength: 100 }), Type.Number()]);
const Values = Type.Record(Type.String({ maxLength: 100 }), Type.Array(Value, { maxItems: 100_000 }));
const NullableString = Type.Union([Type.String(), Type.Null()]);
const NullableNumber = Type.Union([Type.Number(), Type.Null()]);

/** Lenient on purpose: what is missing or wrong is refused with a sentence, not with a schema error. */
export const BacktestConfigBody = Type.Object({
  ...TermFields,
  include: Type.Optional(Type.Union([Type.Object({ history: Type.Optional(Type.Boolean()) }), Type.Null()])),
  out_of_sample_date: said(
    'First day of the out-of-sample part, chosen before the run.',
    Type.Optional(NullableString),
  ),
  both_fills: said(
    'Computes every combination with the other fill as well: its rows then have the columns `other_fill_…`.',
    Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  ),
});

/** A trading bot as it was answered will do. */
export const TemplateBotBody = withFieldsOf(
  Type.Object({
    id: Type.Optional(Type.String({ maxLength: 100 })),
    name: Type.Optional(Type.String({ maxLength: 1000 })),
    type: Type.Optional(Type.String({ maxLength: 20 })),
    variables: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100 })),
    algorithm: Type.Unknown({ description: 'The strategy: its root block' }),
  }),
  TradingBotSchema,
);

const requestFields = {
  template_bot: TemplateBotBody,
  variables: Values,
  partitions: said('Hint of older clients; the server decides.', Type.Optional(Type.Integer({ minimum: 0 }))),
  backtest_config: BacktestConfigBody,
};

const BatchRequest = Type.Object(requestFields);
export type BatchRequestBody = Static<typeof BatchRequest>;

export const QuotaSchema = Type.Object({
  monthly_limit: Type.Integer(),
  current_monthly_usage: Type.Integer(),
  remaining: Type.Integer(),
});
export const EstimatedUsageSchema = Type.Object({
  ...QuotaSchema.properties,
  remaining_after_backtests: Type.Integer(),
});

/** Which date keeps the batch from ranking its last days, where its strategy holds days out. */
export const BatchHoldOutSchema = said(
  'The hold-out of the strategy as it was when the batch was made; null where it had none. `holds` ' +
    "says which date the batch keeps: the strategy's, an earlier one of its own, or none because its " +
    'period ends before.',
  Type.Union([
    Type.Null(),
    Type.Object({
      date: Type.String(),
      holds: Type.Union([Type.Literal('strategy'), Type.Literal('batch'), Type.Literal('not_reached')]),
    }),
  ]),
);

export const EstimateSchema = Type.Object({
  combinations: Type.Integer({ description: 'Distinct combinations' }),
  requested_combinations: Type.Integer({ description: 'Product of the values as given, duplicates counted' }),
  new_combinations: said(
    'What the quota will count: combinations that no earlier batch of yours has computed.',
    Type.Integer(),
  ),
  partitions: Type.Integer(),
  time_estimate: Type.Object({ seconds: Type.Number() }),
  usage: EstimatedUsageSchema,
  unknown_tickers: said(
    'Variable → its tickers without prices: their rows will fail.',
    Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  ),
  hold_out: Type.Optional(BatchHoldOutSchema),
});
export type Estimate = Static<typeof EstimateSchema>;

export const BatchStatusSchema = Type.Union([
  Type.Literal('Queued'),
  Type.Literal('Running'),
  Type.Literal('CompilingResults'),
  Type.Literal('Finished'),
  Type.Literal('Stopped'),
  Type.Literal('Error'),
]);

export const BatchListItemSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_public: Type.Boolean(),
  created_at: Type.String(),
  status: BatchStatusSchema,
  combinations: Type.Integer(),
  progress: said('Whole percent of the partitions that are finished.', Type.Integer()),
});
export type BatchListItem = Static<typeof BatchListItemSchema>;

const RankedRowSchema = Type.Object({
  combination: Type.Integer(),
  values: Type.Record(Type.String(), Value),
  metrics: Type.Record(Type.String(), NullableNumber),
});

/** Live figures of a running batch; `null` rates where nothing runs. */
export const BatchProgressSchema = Type.Object({
  percent: said('Whole percent of the partitions that are finished.', Type.Integer()),
  rows: said('Rows stored so far.', Type.Integer()),
  rate: said('Backtests a second, over all nodes.', NullableNumber),
  remaining_seconds: NullableNumber,
  nodes: Type.Array(
    Type.Object({
      node: Type.String(),
      partitions: Type.Array(Type.Integer()),
      rate: Type.Number(),
      at: said('ISO 8601: last sign of life.', Type.String()),
    }),
  ),
});
export type BatchProgress = Static<typeof BatchProgressSchema>;

export const BatchDetailSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_public: Type.Boolean(),
  is_owner: Type.Boolean(),
  user_id: Type.String(),
  created_at: Type.String(),
  status: BatchStatusSchema,
  backtest_config: Type.Object({
    start_date: Type.String(),
    end_date: Type.String(),
    slippage_bps: Type.Integer(),
    starting_balance: Type.Number(),
    benchmark_ticker: Type.String(),
    fill: said('Each where it is not the default: `close`, nothing, none.', Type.Optional(Type.String())),
    cash: Type.Optional(
      Type.Union([Type.Object({ rate: Type.Number() }), Type.Object({ ticker: Type.String() })]),
    ),
    benchmarks: Type.Optional(Type.Array(Type.String())),
    indicator_prices: said(
      'The closes that decisions were read from, where they are not the adjusted ones: `splits` or `raw`.',
      Type.Optional(Type.String()),
    ),
    out_of_sample_date: Type.Optional(Type.String()),
    both_fills: said(
      'Its rows have the columns `other_fill_…` as well. Missing where it was not asked for.',
      Type.Optional(Type.Boolean()),
    ),
  }),
  requested_combinations: Type.Integer(),
  combinations: Type.Integer(),
  new_combinations: Type.Integer(),
  partitions: Type.Integer(),
  job_names: said('Partitions that are still open.', Type.Array(Type.String())),
  time_estimate: Type.Object({ seconds: Type.Number() }),
  time_actual: Type.Object({ start_time: NullableString, end_time: NullableString }),
  variables: Type.Record(Type.String(), Type.Array(Value)),
  variable_names: said('The order that numbers the combinations.', Type.Array(Type.String())),
  template_bot: shownAs(
    'TemplateBot',
    Type.Unsafe<TemplateBot>({ type: 'object', additionalProperties: true }),
  ),
  progress: BatchProgressSchema,
  summary: Type.Union([
    Type.Null(),
    Type.Object({
      rows: Type.Integer(),
      failures: Type.Integer(),
      best: Type.Union([Type.Null(), RankedRowSchema]),
      medians: Type.Record(Type.String(), NullableNumber),
      part: said(
        'The metrics are those before the out-of-sample date.',
        Type.Optional(Type.Literal('in_sample')),
      ),
    }),
  ]),
  out_of_sample: said(
    'The part from its out-of-sample date on: while `opened` is null nothing shows it. ' +
      'Null where the batch names no date.',
    Type.Union([
      Type.Null(),
      Type.Object({
        date: Type.String(),
        opened: Type.Union([Type.Null(), Type.Object({ at: Type.String(), by_you: Type.Boolean() })]),
      }),
    ]),
  ),
  hold_out: Type.Optional(BatchHoldOutSchema),
  error: said('Why the batch stopped, while its status is `Error`.', NullableString),
  note: Type.String(),
  pins: Type.Array(
    Type.Object({ combination: Type.Integer(), note: Type.String(), pinned_at: Type.String() }),
  ),
  provenance: Type.Object({
    data_version: Type.String(),
    engine_version: Type.String(),
    result_hash: said(
      'SHA-256 over all rows and both versions; null while the batch runs, and of batches from before it was kept.',
      NullableString,
    ),
    is_simulated: said('True when the prices are simulated.', Type.Boolean()),
    strategy_id: NullableString,
    strategy_revision: NullableNumber,
    fills: said('One sentence on when trades are filled.', Type.String()),
    differs_today: said(
      'Why running it again today could give other rows; empty: it would not.',
      Type.Array(Type.String()),
    ),
  }),
  revision: said('To be sent as `If-Match` with the next change.', Type.Integer()),
});
export type BatchDetail = Static<typeof BatchDetailSchema>;

const EstimateFields = Type.Object({
  ...requestFields,
  planned_slippage_bps: Type.Optional({
    ...TermFields.slippage_bps,
    description:
      'Slippage of the batch that is to follow, where the estimate is asked for with another one: rows of ' +
      'earlier batches are looked for with it',
  }),
});
/** The body of the batch that is to follow will do, and what an earlier batch was answered with. */
export const EstimateBody = withFieldsOf(EstimateFields, EstimateSchema, BatchDetailSchema);
export type EstimateRequestBody = Static<typeof EstimateFields>;

/**
 * What the estimate said may come along (the server counts for itself), and so may what an earlier batch was
 * answered with.
 */
export const CreateBatchBody = withFieldsOf(
  Type.Object({
    ...requestFields,
    name: Type.Optional(Type.String({ maxLength: 1000 })),
    is_public: Type.Optional(Type.Boolean()),
    combinations: Type.Optional(Type.Integer({ minimum: 0 })),
    time_estimate: Type.Optional(Type.Object({ seconds: Type.Optional(Type.Number()) })),
  }),
  EstimateFields,
  EstimateSchema,
  BatchDetailSchema,
);
export const estimateBatchBacktest = defineRoute({
  id: 'estimateBatchBacktest',
  cost: 'estimate',
  method: 'POST',
  path: '/api/v1/batch-backtests/estimate',
  side: 'command',
  tag,
  summary: 'Counts combinations, measures the time on a sample and compares with the month’s quota',
  access,
  body: shownAs('EstimateRequest', EstimateBody),
  answer: EstimateSchema,
  bodyLimit: BATCH_BODY_LIMIT,
  document: 'batch',
  example: { body: EXAMPLE_BATCH },
});

export const createBatchBacktest = defineRoute({
  id: 'createBatchBacktest',
  cost: 'batch',
  method: 'POST',
  path: '/api/v1/batch-backtests',
  side: 'command',
  tag,
  summary: 'Reserves the quota and starts a batch; the server validates and counts for itself',
  access,
  body: shownAs('BatchRequest', CreateBatchBody),
  answer: Type.Object({
    ...EstimateSchema.properties,
    id: Type.String(),
    name: Type.String(),
    revision: Type.Integer(),
  }),
  status: 201,
  bodyLimit: BATCH_BODY_LIMIT,
  document: 'batch',
  example: { body: { name: 'Pairs of funds', ...EXAMPLE_BATCH } },
});

export const listBatchBacktests = defineRoute({
  id: 'listBatchBacktests',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/batch-backtests',
  side: 'query',
  tag,
  summary: 'The caller’s batch backtests, the newest first; `x-total-count` says how many match',
  access,
  query: BatchListQuery,
  answer: Type.Array(BatchListItemSchema),
});

export const getBatchQuota = defineRoute({
  id: 'getBatchQuota',
  method: 'GET',
  path: '/api/v1/batch-backtests/quota',
  side: 'query',
  tag,
  summary: 'How much of this month’s quota (New York time) is used',
  access,
  answer: QuotaSchema,
});

export const getBatchBacktest = defineRoute({
  id: 'getBatchBacktest',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/batch-backtests/{id}',
  side: 'query',
  tag,
  summary: 'One of the caller’s batch backtests, or anybody’s public one',
  access,
  params: BatchIdParams,
  answer: BatchDetailSchema,
});

export const followBatchBacktest = defineRoute({
  id: 'followBatchBacktest',
  method: 'GET',
  path: '/api/v1/batch-backtests/{id}/events',
  side: 'query',
  tag,
  summary:
    'Server-sent events `batch` with the status and progress of a batch until it is finished, failed or deleted',
  access,
  params: BatchIdParams,
  answer: Type.String(),
  alsoProduces: ['text/event-stream'],
});

/** Data of a server-sent event `batch`; `deleted` is the last event of a batch that was deleted. */
export const BatchEventSchema = Type.Object({
  id: Type.String(),
  status: Type.Union([...BatchStatusSchema.anyOf, Type.Literal('Deleted')]),
  job_names: Type.Array(Type.String()),
  time_actual: Type.Object({ start_time: NullableString, end_time: NullableString }),
  progress: BatchProgressSchema,
  error: NullableString,
  revision: Type.Integer(),
});
export type BatchServerEvent = Static<typeof BatchEventSchema>;

const Changed = Type.Object({ id: Type.String(), revision: Type.Integer() });

export const updateBatchBacktest = defineRoute({
  id: 'updateBatchBacktest',
  method: 'PATCH',
  path: '/api/v1/batch-backtests/{id}',
  side: 'command',
  tag,
  summary: 'Changes name, visibility or note, one of them at a time',
  access,
  params: BatchIdParams,
  body: shownAs(
    'BatchChange',
    Type.Object({
      name: Type.Optional(Type.String({ maxLength: 1000 })),
      is_public: Type.Optional(Type.Boolean()),
      note: Type.Optional(Type.String({ maxLength: 10_000 })),
    }),
  ),
  answer: Changed,
  example: { body: { note: 'Looks good, but three of its years made it' } },
});

export const deleteBatchBacktest = defineRoute({
  id: 'deleteBatchBacktest',
  method: 'DELETE',
  path: '/api/v1/batch-backtests/{id}',
  side: 'command',
  tag,
  summary: 'Stops the work, deletes the rows and gives unused quota back',
  access,
  params: BatchIdParams,
  answer: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
});

export const stopBatchBacktest = defineRoute({
  id: 'stopBatchBacktest',
  method: 'POST',
  path: '/api/v1/batch-backtests/{id}/stop',
  side: 'command',
  tag,
  summary: 'Stops a running batch for good and keeps the rows of its finished partitions as a partial result',
  access,
  params: BatchIdParams,
  answer: Changed,
});

export const pinResultRow = defineRoute({
  id: 'pinResultRow',
  method: 'POST',
  path: '/api/v1/batch-backtests/{id}/pins',
  side: 'command',
  tag,
  summary: 'Pins a result row, with a note or without; pinning again changes the note',
  access,
  params: BatchIdParams,
  body: withFieldsOf(
    Type.Object({
      combination: Type.Integer({ minimum: 0 }),
      note: Type.Optional(Type.String({ maxLength: 10_000 })),
    }),
    BatchDetailSchema.properties.pins.items,
  ),
  answer: Changed,
  status: 201,
});

export const unpinResultRow = defineRoute({
  id: 'unpinResultRow',
  method: 'DELETE',
  path: '/api/v1/batch-backtests/{id}/pins/{combination}',
  side: 'command',
  tag,
  summary: 'Takes a pin off a result row',
  access,
  params: Type.Object({
    id: BatchIdParams.properties.id,
    combination: Type.String({ pattern: '^\\d{1,12}$' }),
  }),
  answer: Changed,
});
