import { Type } from 'typebox';
import { defineRoute } from '../../src/contracts/http/route.ts';
import { IdParams } from '../../src/contracts/http/strategies.ts';

export const getStarCount = defineRoute({
  id: 'getStarCount',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/star-count',
  side: 'query',
  tag: 'Trading bots',
  summary: "How many people have marked one of the caller's trading bots with a star",
  access: { kind: 'user', machine: true },
  params: IdParams,
  answer: Type.Object({ strategy_id: Type.String(), stars: Type.Integer() }),
});
