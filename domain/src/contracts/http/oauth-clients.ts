import { type Static, Type } from 'typebox';
import { API_SCOPE } from '../../identity/issuer.ts';
import { defineRoute } from './route.ts';

/** A machine client; `id` and `secret` are null where there is none. */
export const ApiClientSchema = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  secret: Type.Union([Type.String(), Type.Null()]),
  scopes: Type.Array(Type.String()),
  created_at: Type.Union([Type.String(), Type.Null()], {
    description: 'ISO 8601; null where there is no client',
  }),
  requests_per_minute: Type.Integer({ description: 'Limit of the plan' }),
  requests_this_month: Type.Integer({
    description: 'Requests of this client in the calendar month (New York time)',
  }),
});
export type ApiClient = Static<typeof ApiClientSchema>;

const EXAMPLE: ApiClient = {
  id: 'Yw3J0bq5nEXAMPLEclientid',
  secret: 'kS9-EXAMPLE-secret',
  scopes: [API_SCOPE],
  created_at: '2026-01-02T03:04:05.678Z',
  requests_per_minute: 300,
  requests_this_month: 1234,
};

const people = { kind: 'user', machine: false } as const;

export const getApiClient = defineRoute({
  id: 'getApiClient',
  method: 'GET',
  path: '/api/v1/oauth/clients',
  side: 'query',
  tag: 'Account',
  summary: "The user's machine client with its secret; id and secret are null where there is none",
  access: people,
  answer: ApiClientSchema,
  holdsSecret: true,
  example: { answer: EXAMPLE },
});

export const createApiClient = defineRoute({
  id: 'createApiClient',
  method: 'POST',
  path: '/api/v1/oauth/clients',
  side: 'command',
  tag: 'Account',
  summary: 'Creates the machine client; answers the existing one when there is one',
  access: { ...people, features: ['web.settings.api-clients.view'] },
  body: Type.Object({
    grants: Type.Optional(Type.Array(Type.Literal('client_credentials'), { minItems: 1, maxItems: 1 })),
    scopes: Type.Optional(Type.Array(Type.Literal(API_SCOPE), { minItems: 1, maxItems: 1 })),
  }),
  answer: ApiClientSchema,
  status: 201,
  holdsSecret: true,
  example: { body: { grants: ['client_credentials'], scopes: [API_SCOPE] }, answer: EXAMPLE },
});

export const deleteApiClient = defineRoute({
  id: 'deleteApiClient',
  method: 'DELETE',
  path: '/api/v1/oauth/clients',
  side: 'command',
  tag: 'Account',
  summary: 'Deletes the machine client; its tokens stop working at once',
  access: people,
  answer: Type.Object({ deleted: Type.Boolean() }),
  example: { answer: { deleted: true } },
});
