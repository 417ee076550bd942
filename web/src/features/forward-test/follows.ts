import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import type { DecisionAnswer, Follow, getTomorrow } from '@quantloom/domain/contracts/http/forward-tests';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import { callPath, queryClient, requestPath } from '../../lib/api.ts';
import { pageOf } from '../../lib/resources.ts';

/** What a followed strategy holds next. */
export type TomorrowRow = Static<typeof getTomorrow.answer>[number];
export type Order = TomorrowRow['orders'][number];

const FOLLOWS_KEY = ['follows'];
const TOMORROW_KEY = ['tomorrow'];
/** How often a first decision is looked for; the server looks for new follows every 15 s. */
const AWAITED_MS = 5_000;
const DECISIONS_AT_ONCE = 50;

/** Strategies that the user follows, the newest first. */
export const followed = queryOptions({
  queryKey: FOLLOWS_KEY,
  queryFn: async ({ signal }) => (await callPath('GET', '/api/v1/follows', { signal })) as readonly Follow[],
});

/**
 * What every followed strategy holds next.
 *
 * @param amount money in each of them; null: percent alone
 * @param isAwaited a first decision is still to come: it is asked for again
 */
export const tomorrow = (amount: number | null, isAwaited: boolean) =>
  queryOptions({
    queryKey: [...TOMORROW_KEY, amount],
    queryFn: async ({ signal }) =>
      (await callPath('GET', '/api/v1/tomorrow', {
        signal,
        query: amount === null ? {} : { amount },
      })) as readonly TomorrowRow[],
    placeholderData: keepPreviousData,
    refetchInterval: isAwaited ? AWAITED_MS : false,
  });

/** Decisions of a strategy as they were made, the newest day first. */
export const decisionsOf = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['decisions', id],
    queryFn: async ({ signal, pageParam: skip }) => {
      const { body, headers } = await requestPath('GET', '/api/v1/trading-bots/{id}/decisions', {
        signal,
        params: { id },
        query: { limit: DECISIONS_AT_ONCE, skip },
      });
      return pageOf(body as readonly DecisionAnswer[], headers, skip);
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const held = pages.reduce((sum, { rows }) => sum + rows.length, 0);
      return held < total ? held : null;
    },
  });

/** What came of the decisions of a strategy as they were made. */
export const asLivedOf = (id: string) =>
  queryOptions({
    queryKey: ['as-lived', id],
    queryFn: async ({ signal }) =>
      (await callPath('GET', '/api/v1/trading-bots/{id}/as-lived', { signal, params: { id } })) as AsLived,
  });

const PREFERENCES = '/api/v1/preferences';
const AMOUNT_KEY = ['preferred-amount'];

/** The amount in each strategy that the account keeps, in dollars; null: none. */
export const preferredAmount = queryOptions({
  queryKey: AMOUNT_KEY,
  queryFn: async ({ signal }) => {
    const { amount } = (await callPath('GET', PREFERENCES, { signal })) as { readonly amount?: unknown };
    return typeof amount === 'number' ? amount : null;
  },
});

/** Has the account keep an amount for every device. */
export async function preferAmount(amount: number | null): Promise<void> {
  queryClient.setQueryData(AMOUNT_KEY, amount);
  try {
    await callPath('PATCH', PREFERENCES, { body: { amount } });
  } catch (error) {
    await queryClient.invalidateQueries({ queryKey: AMOUNT_KEY });
    throw error;
  }
}

const refresh = () =>
  Promise.all([FOLLOWS_KEY, TOMORROW_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** Begins to follow a strategy as it is saved. */
export async function follow(id: string): Promise<void> {
  await callPath('POST', '/api/v1/trading-bots/{id}/follow', { params: { id }, body: {} });
  await refresh();
}

/** Ends following a strategy. */
export async function unfollow(id: string): Promise<void> {
  await callPath('DELETE', '/api/v1/trading-bots/{id}/follow', { params: { id } });
  await refresh();
}
