import { type Static, Type } from 'typebox';
import { OWN_FIELD_ANSWERS } from '../../strategy/own-fields/own-fields.ts';
import { StrategyListQuery } from './list-query.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';
import { StrategyRunSchema } from './strategy-runs.ts';

/** A line of the drafts table. */
export const DraftSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  status: Type.String(),
  is_public: Type.Boolean(),
  variables: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
  algorithm_updated_at: Type.String(),
  revision: Type.Integer(),
  ...OWN_FIELD_ANSWERS,
  last_run: Type.Optional(
    Type.Union([StrategyRunSchema, Type.Null()], {
      description: 'The last recorded run; its `line` only where `lines` asks for it',
    }),
  ),
});
export type Draft = Static<typeof DraftSchema>;

export const listDrafts = defineRoute({
  id: 'listDrafts',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/drafts',
  side: 'query',
  tag: 'Trading bots',
  summary: "The caller's trading bots, the last changed first; `x-total-count` says how many match",
  access: { kind: 'user', machine: true },
  query: StrategyListQuery,
  answer: Type.Array(DraftSchema),
});

export const listDraftTags = defineRoute({
  id: 'listDraftTags',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/drafts/tags',
  side: 'query',
  tag: 'Trading bots',
  summary: "The tags that the caller's trading bots have, in lower case, with how many have each",
  access: { kind: 'user', machine: true },
  answer: Type.Array(Type.Object({ tag: Type.String(), count: Type.Integer() })),
});

export const DeletedSchema = Type.Object({
  id: Type.String(),
  deleted: Type.Boolean(),
  revision: Type.Integer(),
});

export const deleteDraft = defineRoute({
  id: 'deleteDraft',
  method: 'DELETE',
  path: '/api/v1/drafts/{id}',
  side: 'command',
  tag: 'Trading bots',
  summary: 'Deletes a trading bot; undo-delete brings it back',
  access: { kind: 'user', machine: true },
  params: IdParams,
  answer: DeletedSchema,
});
