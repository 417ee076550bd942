import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { withFieldsOf } from './closed-body.ts';
import { DeletedSchema } from './drafts.ts';
import { VariableListQuery } from './list-query.ts';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const withFeature = { kind: 'user', features: ['web.batch-backtests.create'], machine: true } as const;
const signedIn = { kind: 'user', machine: true } as const;
const tag = 'Variable lists';

export const VariableListSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  is_public: Type.Boolean(),
  user_id: Type.String(),
  variables: Type.Array(Type.String()),
  created_at: Type.String(),
  updated_at: Type.String(),
  revision: Type.Integer(),
  dropped: said(
    'Lines of the request that are no tickers and were left out.',
    Type.Optional(Type.Array(Type.String())),
  ),
  changed: said(
    'Lines of what was sent that are stored without some of their characters.',
    Type.Optional(Type.Array(Type.Object({ from: Type.String(), to: Type.String() }))),
  ),
});
export type VariableList = Static<typeof VariableListSchema>;

const Variables = Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 50_000 });
const Name = Type.String({ maxLength: 1000 });
/** A list may be sent back as it was answered: what nobody can set is ignored. */
export const VariableListBody = withFieldsOf(
  Type.Object({
    name: Name,
    is_public: Type.Optional(Type.Boolean()),
    variables: Variables,
  }),
  VariableListSchema,
);

export const listVariableLists = defineRoute({
  id: 'listVariableLists',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/variable-lists',
  side: 'query',
  tag,
  summary: "The caller's variable lists, the last changed first; `x-total-count` says how many match",
  access: withFeature,
  query: VariableListQuery,
  answer: Type.Array(VariableListSchema),
});

export const getVariableList = defineRoute({
  id: 'getVariableList',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/variable-lists/{id}',
  side: 'query',
  tag,
  summary: "One of the caller's variable lists, or anybody's public one",
  access: signedIn,
  params: IdParams,
  answer: VariableListSchema,
});

export const createVariableList = defineRoute({
  id: 'createVariableList',
  cost: 'save',
  method: 'POST',
  path: '/api/v1/variable-lists',
  side: 'command',
  tag,
  summary: 'Creates a variable list',
  access: withFeature,
  body: VariableListBody,
  answer: VariableListSchema,
  status: 201,
  example: { body: { name: 'Funds', is_public: false, variables: ['SPY', 'QQQ', 'IWM'] } },
});

export const updateVariableList = defineRoute({
  id: 'updateVariableList',
  cost: 'save',
  method: 'PATCH',
  path: '/api/v1/variable-lists/{id}',
  side: 'command',
  tag,
  summary: 'Changes name, visibility or tickers',
  access: withFeature,
  params: IdParams,
  body: Type.Partial(VariableListBody),
  answer: VariableListSchema,
});

export const cloneVariableList = defineRoute({
  id: 'cloneVariableList',
  cost: 'clone',
  method: 'POST',
  path: '/api/v1/variable-lists/{id}/clone',
  side: 'command',
  tag,
  summary: "Makes a private copy '… (Copy)' of a list that the caller can see",
  access: withFeature,
  params: IdParams,
  answer: VariableListSchema,
  status: 201,
});

export const deleteVariableList = defineRoute({
  id: 'deleteVariableList',
  method: 'DELETE',
  path: '/api/v1/variable-lists/{id}',
  side: 'command',
  tag,
  summary: 'Deletes a variable list; undo-delete brings it back',
  access: signedIn,
  params: IdParams,
  answer: DeletedSchema,
});

export const undoVariableListDeletion = defineRoute({
  id: 'undoVariableListDeletion',
  method: 'POST',
  path: '/api/v1/variable-lists/{id}/undo-delete',
  side: 'command',
  tag,
  summary: 'Brings a deleted variable list back',
  access: signedIn,
  params: IdParams,
  answer: VariableListSchema,
});
