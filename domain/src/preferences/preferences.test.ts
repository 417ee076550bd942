import { expect, it } from 'vitest';
import { ERASED } from '../personal-data.ts';
import { type PreferenceEvent, preferencesStream } from './preferences.ts';

const { decider } = preferencesStream;
const userId = 'u1';
const preferred = (amount: string | null): PreferenceEvent => ({
  type: 'AmountPreferred',
  data: { userId, amount },
});
const given = (...events: PreferenceEvent[]) => events.reduce(decider.evolve, decider.initialState);
const prefer = (amount: number | null) => ({ type: 'PreferAmount', userId, amount }) as const;

it('an amount is kept, changed and forgotten, and the same again is no news', () => {
  expect(decider.decide(prefer(2500.5), given())).toEqual([preferred('2500.5')]);
  expect(given(preferred('2500.5'))).toEqual({ amount: 2500.5 });
  expect(decider.decide(prefer(2500.5), given(preferred('2500.5')))).toEqual([]);
  expect(decider.decide(prefer(null), given(preferred('2500.5')))).toEqual([preferred(null)]);
  expect(decider.decide(prefer(null), given())).toEqual([]);
});

it('an amount whose key was erased is none', () => {
  expect(given(preferred(ERASED))).toEqual({ amount: null });
});
