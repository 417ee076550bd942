import { Type } from 'typebox';
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
  answer: Type.Object({ email: Type.String() }),
  status: 201,
});
