// @vitest-environment happy-dom
import { addFavorite, listFavorites, removeFavorite } from '@quantloom/domain/contracts/http/calls';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, queryClient, setApi } from './api.ts';
import { toggleFavorite, useFavorites } from './favorites.ts';
import { favoritesOfBefore } from './personal.ts';

/** What the server keeps, what it was told in order, and what it refuses. */
let kept: string[];
let told: string[];
let refused: Map<string, number>;
/** A list that was read is under way until this resolves. */
let underWay: Promise<void>;

beforeEach(() => {
  [kept, told, refused, underWay] = [['s1'], [], new Map(), Promise.resolve()];
  queryClient.clear();
  const call = async (route: unknown, { params }: { readonly params?: { readonly id: string } } = {}) => {
    if (route === listFavorites) {
      const answer = { strategy_ids: [...kept] };
      await underWay;
      return answer;
    }
    const id = params?.id ?? '';
    told.push(`${route === addFavorite ? '+' : '-'}${id}`);
    expect([addFavorite, removeFavorite]).toContain(route);
    const status = refused.get(id);
    if (status !== undefined) throw new ApiError(status, { error: 'No' });
    kept = route === addFavorite ? [...kept, id] : kept.filter((one) => one !== id);
    return undefined;
  };
  setApi({ call } as never);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);
const show = (userId: string) => renderHook(() => useFavorites(userId).favorites, { wrapper });

describe('a favorite', () => {
  it('is marked and unmarked at once, the last one last', async () => {
    const { result } = show('ann');
    await waitFor(() => expect(result.current).toEqual(['s1']));
    const marking = toggleFavorite('ann', 's2');
    await waitFor(() => expect(result.current).toEqual(['s1', 's2']));
    await marking;
    await toggleFavorite('ann', 's1');
    await waitFor(() => expect(result.current).toEqual(['s2']));
    expect(told).toEqual(['+s2', '-s1']);
  });

  it('stays marked although a list that was asked for before comes later', async () => {
    const { result } = show('ann');
    await waitFor(() => expect(result.current).toEqual(['s1']));
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay = promise;
    const again = queryClient.invalidateQueries({ queryKey: ['favorites', 'ann'] });
    await toggleFavorite('ann', 's2');
    resolve();
    await again;
    expect(queryClient.getQueryData(['favorites', 'ann'])).toEqual(['s1', 's2']);
    await waitFor(() => expect(result.current).toEqual(['s1', 's2']));
  });

  it('is what the server says where it was not taken', async () => {
    const { result } = show('ann');
    await waitFor(() => expect(result.current).toEqual(['s1']));
    refused.set('s2', 422);
    await toggleFavorite('ann', 's2');
    expect(queryClient.getQueryData(['favorites', 'ann'])).toEqual(['s1']);
    await waitFor(() => expect(result.current).toEqual(['s1']));
  });

  it('stays in sight where the list cannot be read again', async () => {
    const { result } = renderHook(() => useFavorites('ann'), { wrapper });
    await waitFor(() => expect(result.current.favorites).toEqual(['s1']));
    underWay = Promise.reject(new ApiError(403, { error: 'No' }));
    result.current.retry();
    await waitFor(() =>
      expect(queryClient.getQueryState(['favorites', 'ann'])?.error).toBeInstanceOf(ApiError),
    );
    expect(result.current).toMatchObject({ favorites: ['s1'], error: null });
  });
});

describe('favorites that only this browser knew', () => {
  const before = (ids: readonly string[], userId = 'old') =>
    localStorage.setItem(`personal:${userId}`, JSON.stringify({ favorites: ids, backtests: {}, seen: [] }));

  it('are told to the server once, but for what it has and what is gone', async () => {
    before(['s1', 's2', 'gone']);
    refused.set('gone', 404);
    const { result } = show('old');
    await waitFor(() => expect(result.current).toEqual(['s1', 's2']));
    expect(told).toEqual(['+s2', '+gone']);
    expect(favoritesOfBefore('old')).toEqual([]);
  });

  it('stay known to this browser where the server does not take one', async () => {
    before(['s2', 's3'], 'kim');
    refused.set('s2', 403);
    const { result } = renderHook(() => useFavorites('kim'), { wrapper });
    await waitFor(() => expect(result.current.error?.message).toBe('No'));
    expect([result.current.favorites, favoritesOfBefore('kim')]).toEqual([null, ['s2', 's3']]);
    refused.clear();
    result.current.retry();
    await waitFor(() => expect(result.current.favorites).toEqual(['s1', 's2', 's3']));
    expect([result.current.error, favoritesOfBefore('kim')]).toEqual([null, []]);
  });
});

it('are those of one person, and not of who was signed in before', async () => {
  const { result } = show('ann');
  await waitFor(() => expect(result.current).toEqual(['s1']));
  kept = ['s9'];
  expect(show('bob').result.current).toBeNull();
  await waitFor(() => expect(queryClient.getQueryData(['favorites', 'bob'])).toEqual(['s9']));
  expect(queryClient.getQueryData(['favorites', 'ann'])).toEqual(['s1']);
});
