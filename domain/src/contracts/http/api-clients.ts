import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const Scope = said(
  '`read`: look at everything of the account; `backtest`: strategies and single backtests; ' +
    '`batches`: batches, their results, and variable lists.',
  Type.Union([Type.Literal('read'), Type.Literal('backtest'), Type.Literal('batches')]),
);
const Moment = Type.Union([Type.String(), Type.Null()]);

/** A machine client of the account, without its secret. */
export const NamedApiClientSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Scope),
  created_at: said('ISO 8601.', Type.String()),
  ends_at: said('ISO 8601; refused from then on. Null: it does not end by itself.', Moment),
  replaced_by: said('Id of the client that took its place; null: none did.', Moment),
  last_used_at: said('ISO 8601, to the minute; null: not within a year.', Moment),
  requests_this_month: Type.Integer({ description: 'In the calendar month at the exchange' }),
});
export type NamedApiClient = Static<typeof NamedApiClientSchema>;

export const ApiClientListSchema = Type.Object({
  clients: said('The oldest first.', Type.Array(NamedApiClientSchema)),
  requests_per_minute: Type.Integer({ description: 'Limit of the plan, for all clients together' }),
});

const Credentials = Type.Object({ id: Type.String(), secret: Type.String() });
const ClientParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });
const people = { kind: 'user', machine: false } as const;
const onAPlan = { ...people, features: ['web.settings.api-clients.view'] } as const;
const tag = 'Account';

const EXAMPLE: NamedApiClient = {
  id: 'Yw3J0bq5nEXAMPLEclientid',
  name: 'Nightly batches',
  scopes: ['read', 'batches'],
  created_at: '2026-01-02T03:04:05.678Z',
  ends_at: '2026-12-31T00:00:00.000Z',
  replaced_by: null,
  last_used_at: '2026-01-03T03:04:00.000Z',
  requests_this_month: 1234,
};
const EXAMPLE_CREDENTIALS = { id: EXAMPLE.id, secret: 'kS9-EXAMPLE-secret' };

export const listApiClients = defineRoute({
  id: 'listApiClients',
  method: 'GET',
  path: '/api/v1/api-clients',
  side: 'query',
  tag,
  summary: 'The machine clients of the account: what they may do, until when, and their last use',
  access: people,
  answer: ApiClientListSchema,
  example: { answer: { clients: [EXAMPLE], requests_per_minute: 300 } },
});

export const addApiClient = defineRoute({
  id: 'addApiClient',
  method: 'POST',
  path: '/api/v1/api-clients',
  side: 'command',
  tag,
  summary: 'Makes a machine client with a name, scopes and an end',
  access: onAPlan,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: 3, uniqueItems: true }),
    ends_on: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'Last day on which it works (UTC); missing: it does not end by itself',
      }),
    ),
  }),
  answer: Credentials,
  status: 201,
  holdsSecret: true,
  example: {
    body: { name: EXAMPLE.name, scopes: EXAMPLE.scopes, ends_on: '2026-12-30' },
    answer: EXAMPLE_CREDENTIALS,
  },
});

export const getApiClientSecret = defineRoute({
  id: 'getApiClientSecret',
  method: 'GET',
  path: '/api/v1/api-clients/{id}/secret',
  side: 'query',
  tag,
  summary: 'The secret of a machine client',
  access: people,
  params: ClientParams,
  answer: Credentials,
  holdsSecret: true,
  example: { answer: EXAMPLE_CREDENTIALS },
});

export const replaceApiClient = defineRoute({
  id: 'replaceApiClient',
  method: 'POST',
  path: '/api/v1/api-clients/{id}/replace',
  side: 'command',
  tag,
  summary: 'Rotates a machine client: a new id and secret, while the old ones work for a day more',
  access: onAPlan,
  params: ClientParams,
  answer: Credentials,
  status: 201,
  holdsSecret: true,
  example: { answer: { id: 'Successor-EXAMPLE-client', secret: 'pQ4-EXAMPLE-secret' } },
});

export const removeApiClient = defineRoute({
  id: 'removeApiClient',
  method: 'DELETE',
  path: '/api/v1/api-clients/{id}',
  side: 'command',
  tag,
  summary: 'Deletes one machine client; its tokens stop working at once',
  access: people,
  params: ClientParams,
  answer: Type.Object({ deleted: Type.Boolean() }),
  example: { answer: { deleted: true } },
});
