import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { FIGURE_NAMES, RunTermsSchema } from '../../strategy-run/events.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const tag = 'Results';
const Figure = Type.Union([Type.Number(), Type.Null()]);

/** What was recorded of a run of a saved strategy. */
export const StrategyRunSchema = Type.Object({
  id: Type.String(),
  at: said('ISO 8601.', Type.String()),
  revision: said("The strategy's revision that was run.", Type.Integer()),
  terms: RunTermsSchema,
  data_version: Type.String(),
  engine_version: Type.String(),
  is_simulated: Type.Boolean(),
  result_hash: Type.String({
    description: 'SHA-256 of days, values and versions: the same for the same result',
  }),
  first_day: Type.String(),
  last_day: Type.String(),
  metrics: Type.Object(
    Object.fromEntries(FIGURE_NAMES.map((name) => [name, Figure])) as Record<
      (typeof FIGURE_NAMES)[number],
      typeof Figure
    >,
  ),
  line: Type.Optional(
    Type.Array(Type.Number(), {
      description: 'The value in units of the starting balance, at most 60 points',
    }),
  ),
});
export type StrategyRun = Static<typeof StrategyRunSchema>;

export const RunParams = Type.Object({
  ...IdParams.properties,
  run: Type.String({ minLength: 1, maxLength: 40, description: 'Id of a run, or `last`' }),
});

export const listStrategyRuns = defineRoute({
  id: 'listStrategyRuns',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/runs',
  side: 'query',
  tag,
  summary:
    "Recorded runs of one of the caller's trading bots, the newest first; `x-total-count` says how many there are",
  access: { kind: 'user', machine: true },
  params: IdParams,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  answer: Type.Array(StrategyRunSchema),
});

export const getStrategyRun = defineRoute({
  id: 'getStrategyRun',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/runs/{run}',
  side: 'query',
  tag,
  summary: "One recorded run of the caller's, or the last one",
  access: { kind: 'user', machine: true },
  params: RunParams,
  answer: StrategyRunSchema,
});
