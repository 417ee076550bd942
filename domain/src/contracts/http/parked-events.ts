import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const tag = 'Administration';

export const ParkedEventSchema = Type.Object({
  id: Type.String(),
  projection: Type.String(),
  event_id: Type.String(),
  event: Type.String(),
  stream: Type.String(),
  revision: Type.Integer(),
  position: Type.String(),
  reason: Type.String(),
  stack: Type.Union([Type.String(), Type.Null()]),
  is_waiting: said('Waits behind a parked event of its stream.', Type.Boolean()),
  parked_at: Type.String(),
  attempts: Type.Integer(),
});

export const listParkedEvents = defineRoute({
  id: 'listParkedEvents',
  method: 'GET',
  path: '/api/v1/admin/parked-events',
  side: 'query',
  tag,
  summary: 'Events that a projection could not apply, the last parked first',
  access: { kind: 'admin' },
  query: Type.Object({
    projection: Type.Optional(Type.String({ maxLength: 100 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    skip: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  answer: Type.Array(ParkedEventSchema),
});

export const replayParkedEvent = defineRoute({
  id: 'replayParkedEvent',
  method: 'POST',
  path: '/api/v1/admin/parked-events/{id}/replay',
  side: 'command',
  tag,
  summary: 'Asks the projection to try an event again, with everything that waits behind it in its stream',
  access: { kind: 'admin' },
  params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) }),
  answer: Type.Object({ id: Type.String(), requested: Type.Boolean() }),
  status: 202,
});
