import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';
import { TradingBotSchema } from './strategies.ts';
import { VariableListSchema } from './variable-lists.ts';

const signedIn = { kind: 'user', machine: true } as const;
const tag = 'History';

/** Who did something, and through what. */
export const ActorSchema = Type.Object({
  kind: Type.String({ description: 'user, apiClient or system' }),
  user_id: Type.Union([Type.String(), Type.Null()]),
  client_id: Type.Union([Type.String(), Type.Null()]),
  label: said(
    'For display: You, API client …, Administrator, or the name of a part of the system.',
    Type.String(),
  ),
});

export const HistoryEntrySchema = Type.Object({
  revision: Type.Integer(),
  id: Type.String(),
  event: Type.String(),
  at: said('ISO 8601.', Type.String()),
  actor: ActorSchema,
  summary: Type.String(),
  changes: Type.Array(
    Type.Object({ kind: Type.String(), text: Type.String(), node_id: Type.Optional(Type.String()) }),
  ),
  correlation_id: Type.String(),
});
export type HistoryEntryAnswer = Static<typeof HistoryEntrySchema>;

export const HistoryPageSchema = Type.Object({
  entries: said('The newest first.', Type.Array(HistoryEntrySchema)),
  next: said('`before` of the next page; null: there is none.', Type.Union([Type.Integer(), Type.Null()])),
});

const HistoryQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
const HistoryParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const RevisionParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  revision: Type.String({ pattern: '^[0-9]{1,9}$' }),
});

export const getTradingBotHistory = defineRoute({
  id: 'getTradingBotHistory',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/history',
  side: 'query',
  tag,
  summary: "Who changed one of the caller's trading bots when, and what",
  access: signedIn,
  params: HistoryParams,
  query: HistoryQuery,
  answer: HistoryPageSchema,
});

export const getTradingBotRevision = defineRoute({
  id: 'getTradingBotRevision',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/trading-bots/{id}/history/{revision}',
  side: 'query',
  tag,
  summary: 'A trading bot as it was',
  access: signedIn,
  params: RevisionParams,
  answer: TradingBotSchema,
});

export const restoreTradingBot = defineRoute({
  id: 'restoreTradingBot',
  cost: 'clone',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/history/{revision}/restore',
  side: 'command',
  tag,
  summary: 'Makes an earlier revision the current one; nothing of the history is lost',
  access: signedIn,
  params: RevisionParams,
  answer: TradingBotSchema,
});

export const getVariableListHistory = defineRoute({
  id: 'getVariableListHistory',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/variable-lists/{id}/history',
  side: 'query',
  tag,
  summary: "Who changed one of the caller's variable lists when, and what",
  access: signedIn,
  params: HistoryParams,
  query: HistoryQuery,
  answer: HistoryPageSchema,
});

export const getVariableListRevision = defineRoute({
  id: 'getVariableListRevision',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/variable-lists/{id}/history/{revision}',
  side: 'query',
  tag,
  summary: 'A variable list as it was',
  access: signedIn,
  params: RevisionParams,
  answer: VariableListSchema,
});

export const restoreVariableList = defineRoute({
  id: 'restoreVariableList',
  cost: 'clone',
  method: 'POST',
  path: '/api/v1/variable-lists/{id}/history/{revision}/restore',
  side: 'command',
  tag,
  summary: 'Makes an earlier revision the current one; nothing of the history is lost',
  access: { kind: 'user', features: ['web.batch-backtests.create'], machine: true },
  params: RevisionParams,
  answer: VariableListSchema,
});

/** One line of the account's history. */
export const AccountHistoryLineSchema = Type.Object({
  id: Type.String(),
  at: Type.String(),
  event: Type.String(),
  summary: Type.String(),
  actor: ActorSchema,
  subject: said(
    "What it was done to: the stream's category and id, for example strategy and 01J….",
    Type.Object({ kind: Type.String(), id: Type.String(), revision: Type.Integer() }),
  ),
  correlation_id: Type.String(),
});
export type AccountHistoryLine = Static<typeof AccountHistoryLineSchema>;

export const getAccountHistory = defineRoute({
  id: 'getAccountHistory',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/users/me/history',
  side: 'query',
  tag,
  summary: "Everything that was done with the caller's account, the oldest first, as JSON Lines",
  access: { kind: 'user', machine: false },
  query: Type.Object({
    after: said(
      'Position of the last line that is known; for reading on.',
      Type.Optional(Type.String({ pattern: '^[0-9]{1,19}$' })),
    ),
    limit: said('Default: all.', Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 }))),
    format: said(
      '`json`: an array, the newest first, at most 1000 lines.',
      Type.Optional(Type.Union([Type.Literal('jsonl'), Type.Literal('json')])),
    ),
  }),
  answer: Type.Array(AccountHistoryLineSchema),
  alsoProduces: ['application/x-ndjson'],
});
