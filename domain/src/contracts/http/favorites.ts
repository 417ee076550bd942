import { Type } from 'typebox';
import { defineRoute } from './route.ts';
import { IdParams } from './strategies.ts';

const tag = 'Trading bots';
const signedIn = { kind: 'user', machine: true } as const;
const MarkedSchema = Type.Object({ strategy_id: Type.String(), is_favorite: Type.Boolean() });

export const listFavorites = defineRoute({
  id: 'listFavorites',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/favorites',
  side: 'query',
  tag,
  summary: 'Ids of the trading bots that the caller marked as favorites, the first marked first',
  access: signedIn,
  answer: Type.Object({ strategy_ids: Type.Array(Type.String()) }),
});

export const addFavorite = defineRoute({
  id: 'addFavorite',
  method: 'POST',
  path: '/api/v1/trading-bots/{id}/favorite',
  side: 'command',
  tag,
  summary: 'Marks an own or public trading bot as a favorite of the caller',
  access: signedIn,
  params: IdParams,
  answer: MarkedSchema,
  status: 200,
});

export const removeFavorite = defineRoute({
  id: 'removeFavorite',
  method: 'DELETE',
  path: '/api/v1/trading-bots/{id}/favorite',
  side: 'command',
  tag,
  summary: 'Takes a trading bot out of the caller’s favorites',
  access: signedIn,
  params: IdParams,
  answer: MarkedSchema,
});
