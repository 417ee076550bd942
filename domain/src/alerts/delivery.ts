import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { DayText, exactly, Id, NullableCount, NullableText } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

export const ALERT_KINDS = ['holdings', 'near', 'failed', 'band', 'ended'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];
export const ALERT_CHANNELS = ['mail', 'webhook'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

const MessageFields = {
  userId: Id,
  channel: Type.Enum([...ALERT_CHANNELS]),
  /** The newest day that it tells of. */
  day: DayText,
  strategyIds: Type.Array(Id),
  kinds: Type.Array(Type.Enum([...ALERT_KINDS])),
};

/** The events of an `alert-{userId}-{channel}-{what it is about}` stream: one message. */
export const ALERT_EVENTS = defineStream({
  category: 'alert',
  events: {
    /** Somebody is about to send it; whoever comes meanwhile leaves it to him. */
    AlertSendingBegun: exactly({ ...MessageFields, at: Type.String() }),
    AlertDelivered: exactly({ userId: Id, status: NullableCount }),
    /** It is tried again after a while, unless `isLast`. */
    AlertNotDelivered: exactly({
      userId: Id,
      at: Type.String(),
      status: NullableCount,
      reason: NullableText,
      isLast: Type.Boolean(),
    }),
    /** Others were in its way, or it was waiting for its next turn, until it was too old to be news. */
    AlertLapsed: exactly({ ...MessageFields, at: Type.String() }),
  },
});
export type AlertEvent = EventOf<typeof ALERT_EVENTS>;
export type AlertMessage = Omit<EventOf<typeof ALERT_EVENTS, 'AlertSendingBegun'>['data'], 'at'>;

/** What came of handing a message over: an HTTP status, where there was one, and what went wrong in words. */
export interface Delivery {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly reason: string | null;
}

export type AlertCommand =
  /** Nothing happens where it is not due: somebody else sends it, or has. `at`: ISO 8601, now. */
  | { readonly type: 'BeginSending'; readonly message: AlertMessage; readonly at: string }
  | {
      readonly type: 'EndSending';
      readonly userId: string;
      readonly at: string;
      readonly delivery: Delivery;
    }
  /** Nothing happens where it was delivered or given up, or is under way. */
  | { readonly type: 'LapseMessage'; readonly message: AlertMessage; readonly at: string };

export interface AlertState {
  /** `begun`: under way, or the process that sent it has died. */
  readonly status: 'new' | 'begun' | 'waiting' | 'delivered' | 'given_up' | 'lapsed';
  readonly attempts: number;
  /** ISO 8601 of the last event that has one. */
  readonly at: string;
}

const MINUTE = 60_000;
/**
 * After this nobody is sending any more: a message is handed over within seconds. Then it goes again, with
 * the same id.
 */
export const SENDING_LASTS_MS = 5 * MINUTE;
/**
 * Pauses between the attempts; after the last one it is given up. Together a bit over a day, so that a
 * night's outage loses nothing.
 */
export const RETRY_PAUSES_MS: readonly number[] = [1, 5, 30, 120, 480, 900].map(
  (minutes) => minutes * MINUTE,
);

/**
 * Whether an answer says that the receiver is not well, rather than that it does not want this one message:
 * there was none, or it is too much for it.
 */
export const isReceiverUnwell = (status: number | null): boolean =>
  status === null || status >= 500 || status === 429 || status === 408;

/** Milliseconds since the epoch before which nobody is to send it again; null: never again. */
export function dueAt({ status, attempts, at }: AlertState): number | null {
  if (status === 'new') return 0;
  if (status === 'begun') return Date.parse(at) + SENDING_LASTS_MS;
  if (status === 'waiting') return Date.parse(at) + (RETRY_PAUSES_MS[attempts - 1] ?? 0);
  return null;
}

export const alertStream: StreamKind<AlertCommand, AlertState, AlertEvent> = {
  ...ALERT_EVENTS,
  decider: {
    initialState: { status: 'new', attempts: 0, at: '' },
    decide: (command, state) => {
      if (command.type === 'BeginSending') {
        const due = dueAt(state);
        if (due === null || Date.parse(command.at) < due) return [];
        return [{ type: 'AlertSendingBegun', data: { ...command.message, at: command.at } }];
      }
      if (command.type === 'LapseMessage') {
        const due = dueAt(state);
        const isUnderWay = state.status === 'begun' && due !== null && Date.parse(command.at) < due;
        if (due === null || isUnderWay) return [];
        return [{ type: 'AlertLapsed', data: { ...command.message, at: command.at } }];
      }
      if (state.status !== 'begun') return [];
      const { userId, at, delivery } = command;
      const { status, reason } = delivery;
      if (delivery.isDelivered) return [{ type: 'AlertDelivered', data: { userId, status } }];
      const isLast = state.attempts > RETRY_PAUSES_MS.length;
      return [{ type: 'AlertNotDelivered', data: { userId, at, status, reason, isLast } }];
    },
    evolve: (state, event) => {
      if (event.type === 'AlertSendingBegun')
        return { status: 'begun', attempts: state.attempts + 1, at: event.data.at };
      if (event.type === 'AlertDelivered') return { ...state, status: 'delivered' };
      if (event.type === 'AlertLapsed') return { ...state, status: 'lapsed', at: event.data.at };
      return { ...state, status: event.data.isLast ? 'given_up' : 'waiting', at: event.data.at };
    },
  },
};

/** Id of a message within the category. @param about a strategy and a day, or a day alone */
export const alertId = (userId: string, channel: AlertChannel, about: string): string =>
  `${userId}-${channel}-${about}`;

/** A message as its owner sees it in the list of what was sent. */
export interface AlertDocument extends ReadDocument, AlertState {
  readonly userId: string;
  readonly channel: AlertChannel;
  readonly day: string;
  readonly kinds: readonly AlertKind[];
  readonly strategyIds: readonly string[];
  readonly lastStatus: number | null;
  readonly lastReason: string | null;
}

export const alertsProjection: Projection<AlertDocument> = defineProjection({
  name: 'alertMessages',
  version: 1,
  collection: { name: 'alertMessages_v1', indexes: [['userId', 'at'], ['status']] },
  events: [ALERT_EVENTS],
  keys: (event) => [event.stream.slice(ALERT_EVENTS.category.length + 1)],
  evolve: (document, event, id) => {
    const before = document ?? { status: 'new' as const, attempts: 0, at: '' };
    const { status, attempts, at } = alertStream.decider.evolve(before, event);
    if (event.type === 'AlertSendingBegun' || event.type === 'AlertLapsed') {
      const { userId, channel, day, kinds, strategyIds } = event.data;
      const told = { lastStatus: document?.lastStatus ?? null, lastReason: document?.lastReason ?? null };
      return { id, userId, channel, day, kinds, strategyIds, ...told, status, attempts, at };
    }
    if (!document) return null;
    const lastReason = event.type === 'AlertNotDelivered' ? event.data.reason : null;
    return { ...document, status, attempts, at, lastStatus: event.data.status, lastReason };
  },
});
