import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id, NullableText } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { type Portfolio, portfolioRefusal, readPortfolio } from '../portfolio/portfolio.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';

/** The events of a `preferences-{userId}` stream: what somebody has typed once and need not type on every device. */
export const PREFERENCE_EVENTS = defineStream({
  category: 'preferences',
  events: {
    /** The money in each followed strategy, in dollars: digits as text, since the log seals texts; null: none. */
    AmountPreferred: exactly({ userId: Id, amount: NullableText }),
    /**
     * Which strategies somebody holds together, and by which weights (`Portfolio`): JSON, sealed as the
     * amount is; null: none.
     */
    PortfolioPreferred: exactly({ userId: Id, portfolio: NullableText }),
  },
});
export type PreferenceEvent = EventOf<typeof PREFERENCE_EVENTS>;

/** What is left out stays as it is. */
export interface ChangePreferences {
  readonly type: 'ChangePreferences';
  readonly userId: string;
  /** Dollars, more than 0; null: none. */
  readonly amount?: number | null | undefined;
  /** Null: none. */
  readonly portfolio?: Portfolio | null | undefined;
}

export interface PreferencesState {
  readonly amount: number | null;
  readonly portfolio: Portfolio | null;
}

const INITIAL: PreferencesState = { amount: null, portfolio: null };

function evolve(state: PreferencesState, event: PreferenceEvent): PreferencesState {
  if (event.type === 'PortfolioPreferred')
    return { ...state, portfolio: readPortfolio(event.data.portfolio) };
  const { data } = event;
  const amount = data.amount === null ? Number.NaN : Number(data.amount);
  // What stands there once the person's key is erased is no number.
  return { ...state, amount: Number.isFinite(amount) ? amount : null };
}

/** Preferring the same again changes nothing. */
export const preferencesStream: StreamKind<ChangePreferences, PreferencesState, PreferenceEvent> = {
  ...PREFERENCE_EVENTS,
  decider: {
    initialState: INITIAL,
    decide: ({ userId, ...wanted }, state) => {
      const { amount = state.amount, portfolio = state.portfolio } = wanted;
      const refused = portfolio && portfolioRefusal(portfolio);
      if (refused) return refused;
      const events: PreferenceEvent[] = [];
      if (amount !== state.amount)
        events.push({
          type: 'AmountPreferred',
          data: { userId, amount: amount === null ? null : String(amount) },
        });
      const text = portfolio && JSON.stringify(portfolio);
      if (text !== (state.portfolio && JSON.stringify(state.portfolio)))
        events.push({ type: 'PortfolioPreferred', data: { userId, portfolio: text } });
      return events;
    },
    evolve,
  },
};

/** What a user prefers; `id` is the user's. */
export interface PreferencesDocument extends ReadDocument, PreferencesState {}

export const preferencesProjection: Projection<PreferencesDocument> = defineProjection({
  name: 'preferences',
  version: 2,
  collection: { name: 'preferences_v2', indexes: [] },
  events: [PREFERENCE_EVENTS, only(USER_EVENTS, 'AccountErased')],
  keys: (event) => [event.data.userId],
  evolve: (document, event, id) =>
    event.type === 'AccountErased' ? null : { id, ...evolve(document ?? INITIAL, event) },
});
