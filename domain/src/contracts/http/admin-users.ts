import { type Static, Type } from 'typebox';
import { FEATURES } from '../../identity/plans.ts';
import { said } from '../../kernel/said.ts';
import { ASSISTANCE } from '../../ports/identity.ts';
import { defineRoute } from './route.ts';

export const AdminUserSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  subject: Type.String(),
  plan_id: Type.String(),
  features: Type.Array(Type.String()),
  granted_features: Type.Array(Type.String(), { description: 'Beyond the plan' }),
  revoked_features: Type.Array(Type.String(), { description: 'In spite of the plan' }),
  disabled: said('An administrator keeps the person and his API clients out.', Type.Boolean()),
  erase_at: said(
    'When the account is to be deleted, ISO 8601; null: it stays.',
    Type.Union([Type.String(), Type.Null()]),
  ),
  api_client_id: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type AdminUser = Static<typeof AdminUserSchema>;

export const AdminUserHistorySchema = Type.Object({
  at: Type.String(),
  text: said('A readable sentence.', Type.String()),
  type: Type.String({ description: 'Event type' }),
  actor: Type.String(),
  revision: Type.Integer(),
});

const UserParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const admin = { kind: 'admin' } as const;

export const listUsers = defineRoute({
  id: 'listUsers',
  method: 'GET',
  path: '/api/v1/admin/users',
  side: 'query',
  tag: 'Administration',
  summary: 'Users, the newest first; search in e-mail addresses, or a whole user id, subject or client id',
  access: admin,
  query: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 300 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  }),
  answer: Type.Object({ users: Type.Array(AdminUserSchema), total: Type.Integer() }),
});

export const getUser = defineRoute({
  id: 'getUser',
  method: 'GET',
  path: '/api/v1/admin/users/{id}',
  side: 'query',
  tag: 'Administration',
  summary: 'A user with his history',
  access: admin,
  params: UserParams,
  answer: Type.Object({ user: AdminUserSchema, history: Type.Array(AdminUserHistorySchema) }),
});

export const setUserFeature = defineRoute({
  id: 'setUserFeature',
  method: 'POST',
  path: '/api/v1/admin/users/{id}/features',
  side: 'command',
  tag: 'Administration',
  summary: 'Gives a feature to a user or takes it away; recorded with the reason',
  access: admin,
  params: UserParams,
  body: Type.Object({
    feature: Type.Enum([...FEATURES]),
    granted: Type.Boolean(),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  answer: Type.Object({ id: Type.String(), features: Type.Array(Type.String()) }),
  status: 200,
});

export const setUserAccess = defineRoute({
  id: 'setUserAccess',
  method: 'POST',
  path: '/api/v1/admin/users/{id}/access',
  side: 'command',
  tag: 'Administration',
  summary: 'Disables an account or enables it again; recorded with the reason',
  access: admin,
  params: UserParams,
  body: Type.Object({
    disabled: Type.Boolean(),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  answer: Type.Object({ id: Type.String(), disabled: Type.Boolean() }),
  status: 200,
});

export const setUserPlan = defineRoute({
  id: 'setUserPlan',
  method: 'POST',
  path: '/api/v1/admin/users/{id}/plan',
  side: 'command',
  tag: 'Administration',
  summary: 'Puts a user on a plan',
  access: admin,
  params: UserParams,
  body: Type.Object({
    plan_id: Type.Enum(['free', 'api', 'copy-trader']),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
  }),
  answer: Type.Object({ id: Type.String(), plan_id: Type.String(), features: Type.Array(Type.String()) }),
  status: 200,
});

export const assistUser = defineRoute({
  id: 'assistUser',
  method: 'POST',
  path: '/api/v1/admin/users/{id}/assistance',
  side: 'command',
  tag: 'Administration',
  summary:
    'Signs a user out, mails him a link for a new password, unlocks his account or removes passkeys and ' +
    'codes; recorded with the reason',
  access: admin,
  params: UserParams,
  body: Type.Object({
    act: Type.Enum([...ASSISTANCE]),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  answer: Type.Object({ id: Type.String(), act: Type.Enum([...ASSISTANCE]) }),
  status: 200,
  example: { body: { act: 'sign_out', reason: 'A lost laptop' } },
});

export const setUserDeletion = defineRoute({
  id: 'setUserDeletion',
  method: 'POST',
  path: '/api/v1/admin/users/{id}/deletion',
  side: 'command',
  tag: 'Administration',
  summary: 'Has an account deleted in seven days, or keeps it; recorded with the reason',
  access: admin,
  params: UserParams,
  body: Type.Object({
    deleted: Type.Boolean(),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  answer: Type.Object({ id: Type.String(), erase_at: Type.Union([Type.String(), Type.Null()]) }),
  status: 200,
});
