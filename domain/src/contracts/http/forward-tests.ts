import { type Static, Type } from 'typebox';
import { FOLLOW_METRICS } from '../../forward-test/follow.ts';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const tag = 'Forward tests';
const signedIn = { kind: 'user', machine: true } as const;
const Metric = Type.Enum([...FOLLOW_METRICS]);
const Weights = Type.Record(Type.String(), Type.Number(), {
  description: 'Ticker → percent of the portfolio; what is not held is missing',
});

const Failure = said(
  'The last night on which it could not be evaluated, and which no later decision has made good; null: none.',
  Type.Union([
    Type.Object({
      day: Type.String({ description: 'The day that could not be decided' }),
      code: Type.String({ description: 'Of the refusal, as a backtest would answer it' }),
      failed_at: Type.String({ description: 'ISO 8601' }),
    }),
    Type.Null(),
  ]),
);

/** A strategy that the caller follows. */
export const FollowSchema = Type.Object({
  strategy_id: Type.String(),
  /** Null where the strategy was deleted or is not public any more: nothing of it is shown then. */
  name: Type.Union([Type.String(), Type.Null()]),
  /** The revision that was registered at the start. */
  revision: Type.Integer(),
  start_day: Type.String({ description: 'The newest day of the market data when the following began' }),
  /** ISO 8601. */
  followed_at: Type.String(),
  metric: Type.Union([Metric, Type.Null()]),
  horizon_days: Type.Union([Type.Integer(), Type.Null()]),
  last_decided_day: Type.Union([Type.String(), Type.Null()]),
  failure: Failure,
});
export type Follow = Static<typeof FollowSchema>;

const Reason = Type.Object({
  id: Type.String({ description: 'Id of the condition' }),
  lhs: Type.Number(),
  rhs: Type.Number(),
  holds: Type.Boolean(),
  margin: Type.Number({ description: '`lhs - rhs`: it flips where this changes its sign' }),
  flip: said(
    'The close of one ticker on the next day from which on the condition is the opposite, where ' +
      'all others close as they did. Null: no single price does it. Missing: it was not worked out.',
    Type.Optional(
      Type.Union([
        Type.Object({
          ticker: Type.String(),
          price: Type.Number(),
          side: said('On which side of the price it is the opposite.', Type.Enum(['below', 'above'])),
        }),
        Type.Null(),
      ]),
    ),
  ),
});

/** A decision as it was made; what the prices of today would come to stands beside it. */
export const DecisionSchema = Type.Object({
  strategy_id: Type.String(),
  revision: Type.Integer(),
  day: Type.String({ description: 'The last day whose closes were known' }),
  /** ISO 8601. */
  decided_at: Type.String(),
  is_late: Type.Boolean({ description: 'Made when the closes of a later day were known already' }),
  run_from: Type.String({ description: 'A backtest from this day to `day` holds the same on its last day' }),
  data_version: Type.String(),
  engine_version: Type.String(),
  is_simulated: Type.Boolean(),
  weights: Weights,
  closes: Type.Record(Type.String(), Type.Number()),
  conditions: Type.Array(Reason),
  branches: Type.Array(Type.Object({ id: Type.String(), is_then: Type.Boolean() })),
  correction: Type.Union([
    Type.Object({
      data_version: Type.String(),
      weights: Weights,
      restated: Type.Array(
        Type.Object({ ticker: Type.String(), day: Type.String(), was: Type.Number(), is: Type.Number() }),
      ),
    }),
    Type.Null(),
  ]),
});
export type DecisionAnswer = Static<typeof DecisionSchema>;

export const followStrategy = defineRoute({
  id: 'followStrategy',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/follow',
  side: 'command',
  tag,
  summary:
    'Follows an own or public trading bot: from now on its decision for every new day is kept, and ' +
    'none can be dated back',
  access: signedIn,
  params: IdParams,
  body: Type.Object({
    metric: Type.Optional(Metric),
    horizon_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
  }),
  answer: Type.Object({
    strategy_id: Type.String(),
    revision: Type.Integer(),
    start_day: Type.String(),
    metric: Type.Union([Metric, Type.Null()]),
    horizon_days: Type.Union([Type.Integer(), Type.Null()]),
  }),
  status: 201,
  example: { body: { metric: 'sharpe', horizon_days: 180 } },
});

export const unfollowStrategy = defineRoute({
  id: 'unfollowStrategy',
  method: 'DELETE',
  path: '/api/v1/trading-bots/{id}/follow',
  side: 'command',
  tag,
  summary: 'Ends following a trading bot; what was decided stays in the log',
  access: signedIn,
  params: IdParams,
  answer: Type.Object({ strategy_id: Type.String(), is_followed: Type.Boolean() }),
});

export const listFollows = defineRoute({
  id: 'listFollows',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/follows',
  side: 'query',
  tag,
  summary: 'Trading bots that the caller follows, the newest first',
  access: signedIn,
  answer: Type.Array(FollowSchema),
});

export const listDecisions = defineRoute({
  id: 'listDecisions',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/decisions',
  side: 'query',
  tag,
  summary: 'Decisions of a followed trading bot as they were made, the newest day first',
  access: signedIn,
  params: IdParams,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  answer: Type.Array(DecisionSchema),
});

/** What becomes of one ticker at the next trade. Percent of the whole portfolio. */
const OrderSchema = Type.Object({
  ticker: Type.String(),
  side: Type.Enum(['buy', 'sell', 'hold']),
  from_percent: Type.Number(),
  to_percent: Type.Number(),
  close: Type.Union([Type.Number(), Type.Null()]),
  /** Null without an amount. */
  money: Type.Union([Type.Number(), Type.Null()]),
  shares: Type.Union([
    Type.Integer({ description: 'Whole shares held after the trade, rounded down, at the close of the day' }),
    Type.Null(),
  ]),
});

export const getTomorrow = defineRoute({
  id: 'getTomorrow',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/tomorrow',
  side: 'query',
  tag,
  summary:
    'What every followed trading bot holds next, beside what it held before; with an amount also in money and shares',
  access: signedIn,
  query: Type.Object({
    amount: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 1e12, description: 'Money in each strategy' }),
    ),
  }),
  answer: Type.Array(
    Type.Object({
      strategy_id: Type.String(),
      name: Type.String(),
      day: Type.String(),
      is_late: Type.Boolean(),
      is_current: said(
        'Whether `day` is the newest day of the market data: false while that is being decided, or ' +
          'where it could not be.',
        Type.Boolean(),
      ),
      failure: Failure,
      is_simulated: Type.Boolean(),
      orders: Type.Array(OrderSchema),
      conditions: Type.Array(Reason),
    }),
  ),
});
