import { type Static, Type } from 'typebox';
import { MAX_EMAIL_LENGTH } from '../../identity/email.ts';
import { defineRoute } from './route.ts';

/** The signed-in user. */
export const UserSchema = Type.Object({
  id: Type.String(),
  email: Type.String(),
  features: Type.Array(Type.String(), { description: 'What this user may see and do' }),
  plan_id: Type.String({ description: 'free, api or copy-trader' }),
  erase_at: Type.Union([Type.String(), Type.Null()], {
    description: 'When the account is to be erased, ISO 8601; null: it stays',
  }),
});
export type User = Static<typeof UserSchema>;

const EXAMPLE_USER: User = {
  id: '00000000007Q4M8Y0C3RT9XKPB',
  email: 'ann@example.com',
  features: ['web.batch-backtests.create', 'web.settings.api-clients.view'],
  plan_id: 'api',
  erase_at: null,
};

const Email = Type.String({ minLength: 3, maxLength: MAX_EMAIL_LENGTH, description: 'E-mail address' });

export const createUser = defineRoute({
  id: 'createUser',
  method: 'POST',
  path: '/api/v1/users',
  side: 'command',
  tag: 'Account',
  summary: 'Creates the user of the signed-in identity; answers the existing one when there is one',
  access: { kind: 'identity' },
  body: Type.Object({
    email: Email,
    auth0_id: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Subject of the identity; must be that of the access token',
    }),
  }),
  answer: UserSchema,
  status: 201,
  example: { body: { email: 'ann@example.com', auth0_id: 'quantloom|abc' }, answer: EXAMPLE_USER },
});

export const getCurrentUser = defineRoute({
  id: 'getCurrentUser',
  method: 'GET',
  path: '/api/v1/users/me',
  side: 'query',
  tag: 'Account',
  summary: 'The user behind the access token',
  access: { kind: 'user', machine: true },
  answer: UserSchema,
  example: { answer: EXAMPLE_USER },
});

export const updateCurrentUser = defineRoute({
  id: 'updateCurrentUser',
  method: 'PATCH',
  path: '/api/v1/users/me',
  side: 'command',
  tag: 'Account',
  summary: 'Changes the e-mail address, at the identity provider too; the user has to log in again',
  access: { kind: 'user', machine: false },
  body: Type.Object({ email: Type.Optional(Email) }, { additionalProperties: false }),
  answer: UserSchema,
  example: {
    body: { email: 'ann.new@example.com' },
    answer: { ...EXAMPLE_USER, email: 'ann.new@example.com' },
  },
});

export const requestDeletion = defineRoute({
  id: 'requestDeletion',
  method: 'POST',
  path: '/api/v1/users/me/deletion',
  side: 'command',
  tag: 'Account',
  summary: 'Asks for the deletion of the account and everything in it; it can be undone for seven days',
  access: { kind: 'user', machine: false },
  answer: UserSchema,
  status: 200,
  example: { answer: { ...EXAMPLE_USER, erase_at: '2026-12-01T09:00:00.000Z' } },
});

export const undoDeletion = defineRoute({
  id: 'undoDeletion',
  method: 'DELETE',
  path: '/api/v1/users/me/deletion',
  side: 'command',
  tag: 'Account',
  summary: 'Keeps the account after all',
  access: { kind: 'user', machine: false },
  answer: UserSchema,
  example: { answer: EXAMPLE_USER },
});
