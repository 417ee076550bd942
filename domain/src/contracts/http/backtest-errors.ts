import { type Static, Type } from 'typebox';
import type { DebugData } from '../../backtest-error/events.ts';
import { said, shownAs } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const access = { kind: 'admin' } as const;
const tag = 'Backtest errors';
const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });

export const ErrorOutcomeSchema = Type.Union([
  Type.Literal('open'),
  Type.Literal('succeeded'),
  Type.Literal('refused'),
  Type.Literal('failed'),
  Type.Literal('requeued'),
]);

export const BacktestErrorItemSchema = Type.Object({
  id: Type.String(),
  created_at: Type.String(),
  message: Type.String(),
  user_id: Type.String(),
  kind: Type.Union([Type.Literal('backtest'), Type.Literal('batch')]),
  outcome: said('Of the last replay; `open` before the first.', ErrorOutcomeSchema),
});

export const ReplaySchema = Type.Object({
  kind: ErrorOutcomeSchema,
  detail: Type.String(),
  at: Type.String(),
  engine_version: Type.String(),
});

export const BacktestErrorSchema = Type.Object({
  ...BacktestErrorItemSchema.properties,
  engine_version: Type.String(),
  batch_id: Type.Union([Type.String(), Type.Null()]),
  partition: Type.Union([Type.Integer(), Type.Null()]),
  data_version: Type.Union([Type.String(), Type.Null()]),
  request: shownAs('BacktestRequest', Type.Unknown()),
  debug_data: shownAs('DebugData', Type.Unsafe<DebugData>({ type: 'object', additionalProperties: true })),
  replays: Type.Array(ReplaySchema),
});

const filter = {
  outcome: Type.Optional(ErrorOutcomeSchema),
  kind: Type.Optional(Type.Union([Type.Literal('backtest'), Type.Literal('batch')])),
  search: said('Part of the message.', Type.Optional(Type.String({ maxLength: 200 }))),
  since: said('ISO 8601: recorded at or after.', Type.Optional(Type.String({ maxLength: 40 }))),
};
export const ErrorFilter = Type.Object(filter);
export type ErrorFilterInput = Static<typeof ErrorFilter>;

export const listBacktestErrors = defineRoute({
  id: 'listBacktestErrors',
  method: 'GET',
  path: '/api/v1/backtests/errors',
  side: 'query',
  tag,
  summary: 'Backtests and batches that ended with a defect, the newest first',
  access,
  query: Type.Object({
    ...filter,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    skip: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  answer: Type.Array(BacktestErrorItemSchema),
});

export const getBacktestError = defineRoute({
  id: 'getBacktestError',
  method: 'GET',
  path: '/api/v1/backtests/errors/{id}',
  side: 'query',
  tag,
  summary: 'One error with its debug data and its replays',
  access,
  params: Params,
  answer: BacktestErrorSchema,
});

const Outcome = Type.Object({ id: Type.String(), kind: ErrorOutcomeSchema, detail: Type.String() });

export const replayBacktestError = defineRoute({
  id: 'replayBacktestError',
  method: 'POST',
  path: '/api/v1/backtests/errors/{id}/replay',
  side: 'command',
  tag,
  summary:
    'Runs the very same request again on the same data version, or lets the failed part of a batch run again',
  access,
  params: Params,
  answer: Outcome,
});

export const replayBacktestErrors = defineRoute({
  id: 'replayBacktestErrors',
  method: 'POST',
  path: '/api/v1/backtests/errors/replay',
  side: 'command',
  tag,
  summary: 'Replays up to 100 errors that match the filter, the oldest first',
  access,
  body: ErrorFilter,
  answer: Type.Object({ outcomes: Type.Array(Outcome) }),
});
