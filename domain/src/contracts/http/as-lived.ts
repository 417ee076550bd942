import { type Static, Type } from 'typebox';
import { FOLLOW_METRICS } from '../../forward-test/follow.ts';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const Values = (text: string) => said(text, Type.Array(Type.Number()));

const MarkSchema = Type.Object({
  kind: Type.Enum(['late', 'resumed', 'revision', 'restated']),
  day: Type.String(),
  revision: Type.Union([
    said('Of a mark `revision`: the one that decides from that day on.', Type.Integer()),
    Type.Null(),
  ]),
  restated: said(
    'Of a mark `restated`: closes that were changed since; empty where the earlier ones are not kept any more.',
    Type.Array(
      Type.Object({ ticker: Type.String(), day: Type.String(), was: Type.Number(), is: Type.Number() }),
    ),
  ),
});

const BandSchema = Type.Object({
  number: said('1: the first year of the following, 2: the second one.', Type.Integer()),
  day: said('It was fixed with the closes of this day, for the days after it.', Type.String()),
  revision: said('The revision whose backtest it is drawn from.', Type.Integer()),
  data_version: Type.String(),
  engine_version: Type.String(),
  sample_from: said('First day of that backtest.', Type.String()),
  sample_days: said('Daily returns that the paths are drawn from.', Type.Integer()),
  block_length: said('Mean length of the runs of days that are drawn together.', Type.Integer()),
  draws: Type.Integer(),
  seed: Type.String(),
  days: said(
    'The day that it was fixed on and the trading days after it; those after the record are the expected ones.',
    Type.Array(Type.String()),
  ),
  lower: Values('Lower edge on these days: nine of ten paths are within both edges on all of them.'),
  upper: Values('Upper edge.'),
  inner_lower: Values('Lower edge of half of the paths.'),
  inner_upper: Values('Upper edge of half of the paths.'),
  left: Type.Union([
    Type.Object({
      day: said('The first day outside, as it was found when it was.', Type.String()),
      side: Type.Enum(['below', 'above']),
      value: said('What 1 had become since the band was fixed.', Type.Number()),
      edge: said('The edge of that day, as what 1 had become.', Type.Number()),
    }),
    Type.Null(),
  ]),
});

const RegisteredSchema = Type.Object({
  metric: Type.Enum([...FOLLOW_METRICS]),
  horizon_days: said('Calendar days from the start of the following.', Type.Integer()),
  registered_at: said('ISO 8601; with the start of the following.', Type.String()),
  revision: said('The revision that was registered.', Type.Integer()),
  end_day: said('The close at which it is decided: the last session within the horizon.', Type.String()),
  days: said('Trading days from the start to that close.', Type.Integer()),
  days_so_far: said('Those of them that have passed.', Type.Integer()),
  value: said(
    'The figure of `lived` up to that close, as a backtest counts it; null where there is none yet.',
    Type.Union([Type.Number(), Type.Null()]),
  ),
  is_decided: said('False: `value` is the figure so far.', Type.Boolean()),
  is_revised: said('Another revision than the registered one has decided part of it.', Type.Boolean()),
});

/** What came of decisions as they were made, beside the backtest of the same days. */
export const AsLivedSchema = Type.Object({
  days: said('Closes of a decision each; empty before the first one.', Type.Array(Type.String())),
  lived: Values('What 1 has become that was held as it was decided, after costs; 1 on the first day.'),
  backtest: Type.Union([
    Values(
      'The same of a backtest of the revision that decided first, on the prices of today; null where it cannot be run.',
    ),
    Type.Null(),
  ]),
  benchmark: Type.Union([Values('The same of the benchmark; null without its prices.'), Type.Null()]),
  benchmark_ticker: Type.String(),
  slippage_bps: Type.Number(),
  backtest_revision: Type.Union([Type.Integer(), Type.Null()]),
  gap: Type.Union([
    said('`lived` less `backtest` on the last day; null without a backtest.', Type.Number()),
    Type.Null(),
  ]),
  reasons: said(
    'What the gap can come from, in words; empty where there is none.',
    Type.Array(Type.String()),
  ),
  missing_closes: said(
    'Closes of what was held that the market data of today does not have, and what was assumed instead, ' +
      'in words; empty where none is missing.',
    Type.Array(Type.String()),
  ),
  marks: Type.Array(MarkSchema),
  bands: said(
    'What the caller’s record was expected to do, fixed when the following began and once a year since; ' +
      'the oldest first.',
    Type.Array(BandSchema),
  ),
  no_band: said(
    'Why there is no band, in words; null where there is one.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  registered: said(
    'What the caller said beforehand will count, and what has come of it; null where nothing was said.',
    Type.Union([RegisteredSchema, Type.Null()]),
  ),
  data_version: Type.Union([Type.String(), Type.Null()]),
  is_simulated: Type.Boolean(),
});
export type AsLived = Static<typeof AsLivedSchema>;

export const getAsLived = defineRoute({
  id: 'getAsLived',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/as-lived',
  side: 'query',
  tag: 'Forward tests',
  summary:
    'What came of the decisions of a followed trading bot as they were made, beside the backtest of the same days',
  access: { kind: 'user', machine: true },
  params: IdParams,
  answer: AsLivedSchema,
});
