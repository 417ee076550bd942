import { type Static, Type } from 'typebox';
import { ALERT_CHANNELS, ALERT_KINDS } from '../../alerts/delivery.ts';
import { MAIL_CHOICES } from '../../alerts/settings.ts';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';

const tag = 'Forward tests';
/** A browser's session alone: who has a token of a machine client must not send its owner's news elsewhere. */
const person = { kind: 'user', machine: false } as const;

const fields = {
  mail: said(
    'Mails: none, one for each strategy that has news, or one a day for all of them.',
    Type.Enum([...MAIL_CHOICES]),
  ),
  webhook_url: said(
    'Where news are posted as JSON; null: nowhere. An address on the public internet, over HTTPS.',
    Type.Union([Type.String({ maxLength: 500 }), Type.Null()]),
  ),
  on_holdings: said('Told when a followed strategy changes what it holds.', Type.Boolean()),
  on_failure: said('Told when a followed strategy could not be evaluated.', Type.Boolean()),
  on_band: said('Told when the record of a followed strategy leaves its band.', Type.Boolean()),
  near_percent: said(
    'Told when the price at which a condition flips is within so many percent of the last close or, where ' +
      'no single price flips it, both sides are within so many percent of the larger one; null: never.',
    Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 50 }), Type.Null()]),
  ),
};

export const AlertSettingsSchema = Type.Object({
  ...fields,
  webhook_secret: said(
    'What messages to the webhook are signed with; null without one.',
    Type.Union([Type.String(), Type.Null()]),
  ),
});
export type AlertSettingsAnswer = Static<typeof AlertSettingsSchema>;

export const DeliverySchema = Type.Object({
  is_delivered: Type.Boolean(),
  status: said('Of the HTTP answer; null where there was none.', Type.Union([Type.Integer(), Type.Null()])),
  reason: said('What went wrong, in words.', Type.Union([Type.String(), Type.Null()])),
});
export type DeliveryAnswer = Static<typeof DeliverySchema>;

export const SentAlertSchema = Type.Object({
  id: said('The same for every attempt with the same message.', Type.String()),
  channel: Type.Enum([...ALERT_CHANNELS]),
  day: said('The newest day that it tells of.', Type.String()),
  kinds: Type.Array(Type.Enum([...ALERT_KINDS])),
  state: said(
    '`waiting`: it is tried again; `sending`: under way; `lapsed`: it was not sent before it was too old.',
    Type.Enum(['sending', 'waiting', 'delivered', 'given_up', 'lapsed']),
  ),
  attempts: Type.Integer(),
  at: said('ISO 8601, of the last attempt.', Type.String()),
  status: DeliverySchema.properties.status,
  reason: DeliverySchema.properties.reason,
});
export type SentAlert = Static<typeof SentAlertSchema>;

export const getAlerts = defineRoute({
  id: 'getAlerts',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/alerts',
  side: 'query',
  tag,
  summary: 'What the caller is told of the strategies that he follows, and how',
  access: person,
  answer: AlertSettingsSchema,
  holdsSecret: true,
});

export const changeAlerts = defineRoute({
  id: 'changeAlerts',
  method: 'PATCH',
  path: '/api/v1/alerts',
  side: 'command',
  tag,
  summary: 'Says what the caller wants to be told, and how; what is left out stays as it is',
  access: person,
  body: Type.Partial(Type.Object(fields)),
  answer: Type.Object(fields),
  status: 200,
  example: {
    body: {
      mail: 'daily',
      webhook_url: 'https://example.com/hook',
      on_holdings: true,
      on_failure: true,
      on_band: true,
      near_percent: 1,
    },
  },
});

export const renewWebhookSecret = defineRoute({
  id: 'renewWebhookSecret',
  method: 'POST',
  path: '/api/v1/alerts/webhook/secret',
  side: 'command',
  tag,
  summary: 'Signs the messages to the webhook with another secret from now on',
  access: person,
  answer: Type.Object({ webhook_secret: Type.String() }),
  status: 200,
  holdsSecret: true,
});

export const testWebhook = defineRoute({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/v1/alerts/webhook/test',
  side: 'command',
  tag,
  summary: 'Posts a signed message of type `test` to the webhook, and answers what came of it',
  access: person,
  answer: DeliverySchema,
  status: 200,
});

export const listSentAlerts = defineRoute({
  id: 'listSentAlerts',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/alerts/sent',
  side: 'query',
  tag,
  summary: 'The last 100 messages to the caller, the newest first, with what came of each',
  access: person,
  answer: Type.Array(SentAlertSchema),
});

export const getFeed = defineRoute({
  id: 'getFeed',
  cost: 'read',
  method: 'GET',
  path: '/api/v1/alerts/feed',
  side: 'query',
  tag,
  summary: 'Whether the caller has secret addresses of a feed and a calendar, and since when',
  access: person,
  answer: Type.Object({
    created_at: said(
      'ISO 8601; null: there are none. The addresses themselves are not kept and cannot be shown again.',
      Type.Union([Type.String(), Type.Null()]),
    ),
  }),
});

export const renewFeed = defineRoute({
  id: 'renewFeed',
  method: 'POST',
  path: '/api/v1/alerts/feed',
  side: 'command',
  tag,
  summary: 'Makes secret addresses of a feed and a calendar; earlier ones open nothing from then on',
  access: person,
  answer: Type.Object({
    atom_url: said(
      'Who has it reads the feed.',
      Type.String({ description: 'Path, to be put behind the address of the installation' }),
    ),
    calendar_url: said(
      'Who has it reads the calendar.',
      Type.String({ description: 'Path, to be put behind the address of the installation' }),
    ),
  }),
  status: 201,
  holdsSecret: true,
});

export const removeFeed = defineRoute({
  id: 'removeFeed',
  method: 'DELETE',
  path: '/api/v1/alerts/feed',
  side: 'command',
  tag,
  summary: 'Turns the feed and the calendar off: their addresses open nothing any more',
  access: person,
  answer: Type.Object({ removed: Type.Boolean() }),
});
