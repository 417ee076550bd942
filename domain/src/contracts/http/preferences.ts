import { Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const tag = 'Account';
/** What somebody can spend is nobody else’s business, and no program’s. */
const person = { kind: 'user', machine: false } as const;

const PreferencesSchema = Type.Object({
  amount: said(
    'Money in each followed strategy, in dollars; null: none was typed.',
    Type.Union([Type.Number({ minimum: 0.01, maximum: 1e12 }), Type.Null()]),
  ),
});

export const getPreferences = defineRoute({
  id: 'getPreferences',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/preferences',
  side: 'query',
  tag,
  summary: 'What the caller has typed once for all devices',
  access: person,
  answer: PreferencesSchema,
  example: { answer: { amount: 2500 } },
});

export const changePreferences = defineRoute({
  id: 'changePreferences',
  method: 'PATCH',
  path: '/api/v1/preferences',
  side: 'command',
  tag,
  summary: 'Keeps what the caller has typed for all devices',
  access: person,
  body: PreferencesSchema,
  answer: PreferencesSchema,
  status: 200,
  example: { body: { amount: 2500 }, answer: { amount: 2500 } },
});
