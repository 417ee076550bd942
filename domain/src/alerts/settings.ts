import { Type } from 'typebox';
import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id, NullableNumber, NullableText } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { refuse } from '../kernel/refusal.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';

/** How often a mail is sent: never, for each strategy, or once a day for all of them. */
export const MAIL_CHOICES = ['off', 'each', 'daily'] as const;

const SettingsFields = {
  mail: Type.Enum([...MAIL_CHOICES]),
  /** Null: no webhook. */
  webhookUrl: NullableText,
  /** On a change of holdings. */
  onHoldings: Type.Boolean(),
  /** When a followed strategy could not be evaluated. */
  onFailure: Type.Boolean(),
  /** When both sides of a condition are within so many percent of each other; null: never. */
  nearPercent: NullableNumber,
};

/** The events of an `alerts-{userId}` stream. */
export const ALERT_SETTINGS_EVENTS = defineStream({
  category: 'alerts',
  events: {
    AlertsChanged: exactly({
      userId: Id,
      ...SettingsFields,
      /** When a record leaves its band. Missing in events of before there were bands, and then true. */
      onBand: Type.Optional(Type.Boolean()),
    }),
    WebhookSecretRenewed: exactly({ userId: Id }),
  },
});
export type AlertSettingsEvent = EventOf<typeof ALERT_SETTINGS_EVENTS>;
export type AlertSettings = Required<
  Omit<EventOf<typeof ALERT_SETTINGS_EVENTS, 'AlertsChanged'>['data'], 'userId'>
>;

/** Quiet, until somebody asks for it. */
export const NO_ALERTS: AlertSettings = {
  mail: 'off',
  webhookUrl: null,
  onHoldings: true,
  onFailure: true,
  nearPercent: null,
  onBand: true,
};

export type AlertSettingsCommand =
  | { readonly type: 'ChangeAlerts'; readonly userId: string; readonly settings: AlertSettings }
  | { readonly type: 'RenewWebhookSecret'; readonly userId: string };

export interface AlertSettingsState {
  readonly settings: AlertSettings;
  /** Which secret signs: it follows from the installation's key, the user and this number. */
  readonly secretNumber: number;
}

const INITIAL: AlertSettingsState = { settings: NO_ALERTS, secretNumber: 0 };
const MOST_URL_CHARACTERS = 500;
/** Percent within which a condition may be called near; beyond it nearly every condition would be. */
const MOST_NEAR_PERCENT = 50;

const NO_ADDRESS = refuse(
  422,
  'invalid_webhook_url',
  'A webhook needs a whole address such as https://example.com/hook, without a name or password in ' +
    `it and with at most ${MOST_URL_CHARACTERS} characters.`,
);

function isWebhookUrl(text: string): boolean {
  if (text.length > MOST_URL_CHARACTERS || !URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hostname !== '';
}

function sameSettings(one: AlertSettings, other: AlertSettings): boolean {
  return (Object.keys(NO_ALERTS) as (keyof AlertSettings)[]).every((key) => one[key] === other[key]);
}

function evolve(state: AlertSettingsState, event: AlertSettingsEvent): AlertSettingsState {
  if (event.type === 'WebhookSecretRenewed') return { ...state, secretNumber: state.secretNumber + 1 };
  const { userId: _, ...settings } = event.data;
  return { ...state, settings: { ...settings, onBand: settings.onBand ?? true } };
}

export const alertSettingsStream: StreamKind<AlertSettingsCommand, AlertSettingsState, AlertSettingsEvent> = {
  ...ALERT_SETTINGS_EVENTS,
  decider: {
    initialState: INITIAL,
    decide: (command, state) => {
      const { userId } = command;
      if (command.type === 'RenewWebhookSecret') return [{ type: 'WebhookSecretRenewed', data: { userId } }];
      const { settings } = command;
      if (settings.webhookUrl !== null && !isWebhookUrl(settings.webhookUrl)) return NO_ADDRESS;
      if (
        settings.nearPercent !== null &&
        !(settings.nearPercent > 0 && settings.nearPercent <= MOST_NEAR_PERCENT)
      )
        return refuse(
          422,
          'invalid_near_percent',
          `A condition can be called near within more than 0 and up to ${MOST_NEAR_PERCENT} percent.`,
        );
      if (sameSettings(settings, state.settings)) return [];
      return [{ type: 'AlertsChanged', data: { userId, ...settings } }];
    },
    evolve,
  },
};

/** Whether anything is sent to somebody with these settings. */
export const isAnyChannelOn = ({ mail, webhookUrl }: Pick<AlertSettings, 'mail' | 'webhookUrl'>): boolean =>
  mail !== 'off' || webhookUrl !== null;

/** What decisions of before are no news of: both ways of being told, and each thing that may be told. */
export type AlertTopic = 'mail' | 'webhook' | 'holdings' | 'failure' | 'band' | 'near';
/** ISO 8601 by topic: since when it is on, or reaches as far as it does; empty: from the beginning. */
export type AlertsSince = Readonly<Record<AlertTopic, string>>;

const FROM_THE_BEGINNING: AlertsSince = {
  mail: '',
  webhook: '',
  holdings: '',
  failure: '',
  band: '',
  near: '',
};

/** Topics that settings turn on, or widen. */
function turnedOn(before: AlertSettings, now: AlertSettings): AlertTopic[] {
  const isOn: Readonly<Record<AlertTopic, boolean>> = {
    mail: before.mail === 'off' && now.mail !== 'off',
    // Another address gets what the one before has not taken.
    webhook: before.webhookUrl === null && now.webhookUrl !== null,
    holdings: !before.onHoldings && now.onHoldings,
    failure: !before.onFailure && now.onFailure,
    band: !before.onBand && now.onBand,
    near: (now.nearPercent ?? 0) > (before.nearPercent ?? 0),
  };
  return (Object.keys(isOn) as AlertTopic[]).filter((topic) => isOn[topic]);
}

/** What a user wants to be told, and how; `id` is the user's. */
export interface AlertSettingsDocument extends ReadDocument, AlertSettingsState {
  readonly isOn: boolean;
  readonly since: AlertsSince;
}

export const alertSettingsProjection: Projection<AlertSettingsDocument> = defineProjection({
  name: 'alertSettings',
  version: 3,
  collection: { name: 'alertSettings_v3', indexes: [['isOn', 'id']] },
  events: [ALERT_SETTINGS_EVENTS, only(USER_EVENTS, 'AccountErased')],
  keys: (event) => [event.data.userId],
  evolve: (document, event, id) => {
    if (event.type === 'AccountErased') return null;
    const state = evolve(document ?? INITIAL, event);
    const topics = turnedOn((document ?? INITIAL).settings, state.settings);
    const now = event.metadata.recordedAt;
    const since = {
      ...(document?.since ?? FROM_THE_BEGINNING),
      ...Object.fromEntries(topics.map((topic) => [topic, now])),
    };
    const isOn = isAnyChannelOn(state.settings);
    return { id, settings: state.settings, secretNumber: state.secretNumber, isOn, since };
  },
});
