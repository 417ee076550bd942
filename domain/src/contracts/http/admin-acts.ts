import { type Static, Type } from 'typebox';
import { ADMINISTRATOR_ACTS } from '../../administrator-acts/projection.ts';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });
const Somebody = Type.String({ minLength: 1, maxLength: 300 });

export const ActPersonSchema = Type.Object({
  id: said('Null: a part of the system.', Type.Union([Type.String(), Type.Null()])),
  name: said('The address; of an erased account "deleted account".', Type.String()),
});

export const AdministratorActSchema = Type.Object({
  id: Type.String(),
  at: said('ISO 8601.', Type.String()),
  act: Type.String({ description: 'Event type' }),
  actor: ActPersonSchema,
  person: ActPersonSchema,
  text: said('What was done, with its reason.', Type.String()),
});
export type AdministratorAct = Static<typeof AdministratorActSchema>;

export const listAdministratorActs = defineRoute({
  id: 'listAdministratorActs',
  method: 'GET',
  path: '/api/v1/admin/acts',
  side: 'query',
  tag: 'Administration',
  summary: 'What administrators did to accounts, the newest first, as JSON or as a CSV file',
  access: { kind: 'admin' },
  query: Type.Object({
    actor: said('Who did it: user id or whole e-mail address.', Type.Optional(Somebody)),
    person: said('To whom: user id or whole e-mail address.', Type.Optional(Somebody)),
    act: said('Event type.', Type.Optional(Type.Enum([...ADMINISTRATOR_ACTS]))),
    from: said('First day, at Greenwich.', Type.Optional(Day)),
    to: said('Last day, included.', Type.Optional(Day)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    format: said(
      '`csv`: all of them, `limit` and `skip` play no part.',
      Type.Optional(Type.Union([Type.Literal('json'), Type.Literal('csv')])),
    ),
  }),
  answer: Type.Object({ acts: Type.Array(AdministratorActSchema), total: Type.Integer() }),
  alsoProduces: ['text/csv'],
});
