import { expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { ERASED } from '../personal-data.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { type PreferenceEvent, preferencesProjection, preferencesStream } from './preferences.ts';

const { decider } = preferencesStream;
const userId = 'u1';
const preferred = (amount: string | null): PreferenceEvent => ({
  type: 'AmountPreferred',
  data: { userId, amount },
});
const given = (...events: PreferenceEvent[]) => events.reduce(decider.evolve, decider.initialState);
const prefer = (amount: number | null) => ({ type: 'ChangePreferences', userId, amount }) as const;
const hold = (portfolio: Portfolio | null) => ({ type: 'ChangePreferences', userId, portfolio }) as const;
const held = (portfolio: string | null): PreferenceEvent => ({
  type: 'PortfolioPreferred',
  data: { userId, portfolio },
});

it('an amount is kept, changed and forgotten, and the same again is no news', () => {
  expect(decider.decide(prefer(2500.5), given())).toEqual([preferred('2500.5')]);
  expect(given(preferred('2500.5'))).toEqual({ amount: 2500.5, portfolio: null });
  expect(decider.decide(prefer(2500.5), given(preferred('2500.5')))).toEqual([]);
  expect(decider.decide(prefer(null), given(preferred('2500.5')))).toEqual([preferred(null)]);
  expect(decider.decide(prefer(null), given())).toEqual([]);
});

it('an amount whose key was erased is none', () => {
  expect(given(preferred(ERASED))).toEqual({ amount: null, portfolio: null });
});

it('what is preferred is forgotten with the account', () => {
  const erased = { type: 'AccountErased', data: { userId } } as const;
  expect(folded(preferencesProjection, preferred('5'))).toMatchObject({ id: userId, amount: 5 });
  expect(folded(preferencesProjection, preferred('5'), erased)).toBeNull();
});

const PORTFOLIO: Portfolio = {
  members: [
    { strategyId: 'a', percent: 60 },
    { strategyId: 'b', percent: 40 },
  ],
  rebalance: 'monthly',
};

it('a portfolio is kept beside the amount, changed and forgotten, and the same again is no news', () => {
  const text = JSON.stringify(PORTFOLIO);
  expect(decider.decide(hold(PORTFOLIO), given())).toEqual([held(text)]);
  expect(given(preferred('5'), held(text))).toEqual({ amount: 5, portfolio: PORTFOLIO });
  expect(decider.decide(hold(PORTFOLIO), given(held(text)))).toEqual([]);
  expect(decider.decide(prefer(7), given(held(text)))).toEqual([preferred('7')]);
  // Each stays as it is where the other one is set.
  expect(decider.decide(hold(PORTFOLIO), given(preferred('5')))).toEqual([held(text)]);
  expect(decider.decide(hold(null), given(held(text)))).toEqual([held(null)]);
  expect(given(held(ERASED))).toEqual({ amount: null, portfolio: null });
});

it('a portfolio is refused that holds more than everything, or a strategy twice', () => {
  const of = (...percents: number[]): Portfolio => ({
    members: percents.map((percent, i) => ({ strategyId: `s${i}`, percent })),
    rebalance: 'daily',
  });
  const refusalOf = (portfolio: Portfolio) => decider.decide(hold(portfolio), given());
  expect(refusalOf(of(60, 45.5))).toMatchObject({
    code: 'invalid_portfolio',
    detail: 'The weights add up to 105.5%, and can be 100% at most.',
  });
  const [twice] = of(10).members;
  expect(refusalOf({ members: twice ? [twice, twice] : [], rebalance: 'daily' })).toMatchObject({
    code: 'invalid_portfolio',
  });
  expect(refusalOf(of(0.1, 0.2, 99.7))).toHaveLength(1);
  expect(refusalOf(of(...new Array(301).fill(0.1)))).toMatchObject({ code: 'invalid_portfolio' });
});
