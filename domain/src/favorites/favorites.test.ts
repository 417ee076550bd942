import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { type FavoriteEvent, favoritesProjection, favoritesStream, MOST_FAVORITES } from './favorites.ts';

const { decider } = favoritesStream;
const userId = 'u1';
const added = (strategyId: string): FavoriteEvent => ({
  type: 'FavoriteAdded',
  data: { userId, strategyId },
});
const removed = (strategyId: string): FavoriteEvent => ({
  type: 'FavoriteRemoved',
  data: { userId, strategyId },
});
const given = (...events: FavoriteEvent[]) => events.reduce(decider.evolve, decider.initialState);
const add = (strategyId: string) => ({ type: 'AddFavorite', userId, strategyId }) as const;
const remove = (strategyId: string) => ({ type: 'RemoveFavorite', userId, strategyId }) as const;

describe('favorites', () => {
  it('are marked once, however often it is asked for', () => {
    expect(decider.decide(add('a'), given())).toEqual([added('a')]);
    expect(decider.decide(add('a'), given(added('a')))).toEqual([]);
    expect(decider.decide(add('a'), given(added('a'), removed('a')))).toEqual([added('a')]);
  });

  it('are removed once, and others stay in their order', () => {
    const state = given(added('a'), added('b'), added('c'), removed('b'));
    expect(state.strategyIds).toEqual(['a', 'c']);
    expect(decider.decide(remove('b'), state)).toEqual([]);
    expect(decider.decide(remove('a'), state)).toEqual([removed('a')]);
  });

  it('are one each where the log has them twice', () => {
    expect(given(added('a'), added('b'), added('a')).strategyIds).toEqual(['b', 'a']);
    expect(given(added('a'), added('a'), removed('a')).strategyIds).toEqual([]);
  });

  it('are forgotten with the account', () => {
    expect(folded(favoritesProjection, added('a'))).toEqual({ id: userId, strategyIds: ['a'] });
    expect(folded(favoritesProjection, added('a'), { type: 'AccountErased', data: { userId } })).toBeNull();
  });

  it('are limited in number', () => {
    const full = given(...Array.from({ length: MOST_FAVORITES }, (_, i) => added(`s${i}`)));
    const refusal = decider.decide(add('one-more'), full);
    expect(isRefusal(refusal) && refusal.code).toBe('too_many_favorites');
    expect(decider.decide(add('s0'), full)).toEqual([]);
  });
});
