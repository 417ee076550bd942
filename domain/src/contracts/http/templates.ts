import { Type } from 'typebox';
import { DraftSchema } from './drafts.ts';
import { StrategyListQuery } from './list-query.ts';
import { defineRoute } from './route.ts';

export const listTemplates = defineRoute({
  id: 'listTemplates',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/templates',
  side: 'query',
  tag: 'Trading bots',
  summary: "The caller's trading bots that hold variables",
  access: { kind: 'user', features: ['web.batch-backtests.create'], machine: true },
  query: StrategyListQuery,
  answer: Type.Array(DraftSchema),
});
