import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id, NullableText } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

/** The events of a `preferences-{userId}` stream: what somebody has typed once and need not type on every device. */
export const PREFERENCE_EVENTS = defineStream({
  category: 'preferences',
  events: {
    /** The money in each followed strategy, in dollars: digits as text, since the log seals texts; null: none. */
    AmountPreferred: exactly({ userId: Id, amount: NullableText }),
  },
});
export type PreferenceEvent = EventOf<typeof PREFERENCE_EVENTS>;

export interface PreferAmount {
  readonly type: 'PreferAmount';
  readonly userId: string;
  /** Dollars, more than 0; null: none. */
  readonly amount: number | null;
}

export interface PreferencesState {
  readonly amount: number | null;
}

const INITIAL: PreferencesState = { amount: null };

function evolve(_: PreferencesState, { data }: PreferenceEvent): PreferencesState {
  const amount = data.amount === null ? Number.NaN : Number(data.amount);
  // What stands there once the person's key is erased is no number.
  return { amount: Number.isFinite(amount) ? amount : null };
}

/** Preferring the same again changes nothing. */
export const preferencesStream: StreamKind<PreferAmount, PreferencesState, PreferenceEvent> = {
  ...PREFERENCE_EVENTS,
  decider: {
    initialState: INITIAL,
    decide: ({ userId, amount }, state) =>
      amount === state.amount
        ? []
        : [{ type: 'AmountPreferred', data: { userId, amount: amount === null ? null : String(amount) } }],
    evolve,
  },
};

/** What a user prefers; `id` is the user's. */
export interface PreferencesDocument extends ReadDocument, PreferencesState {}

export const preferencesProjection: Projection<PreferencesDocument> = {
  name: 'preferences',
  version: 1,
  collection: { name: 'preferences_v1', indexes: [] },
  handles: [...PREFERENCE_EVENTS.types, 'AccountErased'],
  keys: (event) => [(event.data as { userId: string }).userId],
  evolve: (document, recorded, id) =>
    recorded.type === 'AccountErased'
      ? null
      : { id, ...evolve(document ?? INITIAL, recorded as unknown as PreferenceEvent) },
};
