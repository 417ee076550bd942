import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

export const joinWaitlist = defineRoute({
  id: 'joinWaitlist',
  method: 'POST',
  path: '/api/v1/waitlist',
  side: 'command',
  tag: 'Waitlist',
  summary: 'Puts an e-mail address onto the waitlist; doing it again changes nothing',
  access: { kind: 'public' },
  body: Type.Object({ email: Type.String({ maxLength: 1000 }) }),
  bodyLimit: 4096,
  answer: Type.Object({ email: Type.String() }),
  status: 201,
});

export const WaitlistEntrySchema = Type.Object({
  email: Type.String(),
  at: said('When it was put there, ISO 8601.', Type.String()),
});
export type WaitlistEntry = Static<typeof WaitlistEntrySchema>;

export const listWaitlist = defineRoute({
  id: 'listWaitlist',
  method: 'GET',
  path: '/api/v1/admin/waitlist',
  side: 'query',
  tag: 'Administration',
  summary: 'Who has joined the waitlist, the newest first, as JSON or as a CSV file',
  access: { kind: 'admin' },
  query: Type.Object({
    email: said('A whole address.', Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }))),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    format: said(
      '`csv`: all of them, `limit` and `skip` play no part.',
      Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])),
    ),
  }),
  answer: Type.Object({ entries: Type.Array(WaitlistEntrySchema), total: Type.Integer() }),
  alsoProduces: ['text/csv'],
});
