import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const tag = 'Results';
const owned = { kind: 'user', machine: true } as const;

/** A link to a result, as its owner sees it. */
export const SharedResultSchema = Type.Object({
  id: Type.String(),
  url: said(
    'Who has it can see the result.',
    Type.String({ description: 'Path of the page, to be put behind the address of the installation' }),
  ),
  strategy_id: Type.String(),
  run_id: Type.String(),
  revision: Type.Integer(),
  created_at: said('ISO 8601.', Type.String()),
  name: Type.String(),
  shows_strategy: Type.Boolean(),
  first_day: Type.String(),
  last_day: Type.String(),
});
export type SharedResult = Static<typeof SharedResultSchema>;

export const shareResult = defineRoute({
  id: 'shareResult',
  cost: 'run',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/shared-results',
  side: 'command',
  tag,
  summary:
    'Makes a link that opens exactly this recorded run, read-only, for anybody who has it; ' +
    'the run is made again to be sure of it',
  access: owned,
  params: IdParams,
  body: Type.Object({
    run_id: Type.String({ minLength: 1, maxLength: 40, description: 'A recorded run, or `last`' }),
    shows_strategy: Type.Optional(
      Type.Boolean({ description: 'Whether the page shows the strategy too; default: only its result' }),
    ),
  }),
  answer: SharedResultSchema,
  status: 201,
  example: { body: { run_id: 'last', shows_strategy: false } },
});

export const listSharedResults = defineRoute({
  id: 'listSharedResults',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/shared-results',
  side: 'query',
  tag,
  summary: "Links to results of one of the caller's trading bots, the newest first, at most 200",
  access: owned,
  params: IdParams,
  answer: Type.Array(SharedResultSchema),
});

export const withdrawSharedResult = defineRoute({
  id: 'withdrawSharedResult',
  method: 'DELETE',
  path: '/api/v1/shared-results/{id}',
  side: 'command',
  tag,
  summary: 'Withdraws a link: whoever has it finds nothing any more',
  access: owned,
  params: IdParams,
  answer: Type.Object({ id: Type.String(), withdrawn: Type.Boolean() }),
});
