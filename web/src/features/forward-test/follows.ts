import {
  changePreferences,
  followStrategy,
  getAsLived,
  getPreferences,
  getTomorrow,
  listDecisions,
  listFollows,
  unfollowStrategy,
} from '@quantloom/domain/contracts/http/calls';
import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import type { AnswerOf, BodyOf } from '@quantloom/domain/contracts/http/route';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../lib/api.ts';
import { pageOf } from '../../lib/resources.ts';

/** What a followed strategy holds next. */
export type TomorrowRow = AnswerOf<typeof getTomorrow>[number];
export type Order = TomorrowRow['orders'][number];

/** How often a first decision is looked for; the server looks for new follows every 15 s. */
const AWAITED_MS = 5_000;
const FOLLOWS_KEY = ['follows'];
const TOMORROW_KEY = ['tomorrow'];
const DECISIONS_AT_ONCE = 50;

/** Strategies that the user follows, the newest first. */
export const followed = queryOptions({
  queryKey: FOLLOWS_KEY,
  queryFn: async ({ signal }) => await api().call(listFollows, { signal }),
  // Until it is there, or known why it is not.
  refetchInterval: ({ state }) => (state.data?.some(isAwaited) ? AWAITED_MS : false),
});

/** Whether the first decision of a strategy is still to come, as far as is known. */
const isAwaited = ({ name, last_decided_day: day, failure }: Follow): boolean =>
  name !== null && day === null && failure === null;

/**
 * What every followed strategy holds next.
 *
 * @param amount money in each of them; null: percent alone
 * @param follows what is followed: a decision that is still to come, and not known to have failed, is asked for again
 */
export const tomorrow = (amount: number | null, follows: readonly Follow[]) =>
  queryOptions({
    queryKey: [...TOMORROW_KEY, amount],
    queryFn: async ({ signal }) =>
      await api().call(getTomorrow, { signal, query: amount === null ? {} : { amount } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data = [] } }) => {
      const expected = follows.filter(({ name, failure }) => name !== null && failure === null);
      const isWhole = expected.every(({ strategy_id: id }) => data.some((row) => row.strategy_id === id));
      return isWhole ? false : AWAITED_MS;
    },
  });

/** Decisions of a strategy as they were made, the newest day first. */
export const decisionsOf = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['decisions', id],
    queryFn: async ({ signal, pageParam: skip }) => {
      const { body, headers } = await api().request(listDecisions, {
        signal,
        params: { id },
        query: { limit: DECISIONS_AT_ONCE, skip },
      });
      return pageOf(body, headers, skip);
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
    queryFn: async ({ signal }) => await api().call(getAsLived, { signal, params: { id } }),
  });

const AMOUNT_KEY = ['preferred-amount'];

/** The amount in each strategy that the account keeps, in dollars; null: none. */
export const preferredAmount = queryOptions({
  queryKey: AMOUNT_KEY,
  queryFn: async ({ signal }) => (await api().call(getPreferences, { signal })).amount,
});

/** Has the account keep an amount for every device. */
export async function preferAmount(amount: number | null): Promise<void> {
  queryClient.setQueryData(AMOUNT_KEY, amount);
  try {
    await api().call(changePreferences, { body: { amount } });
  } catch (error) {
    await queryClient.invalidateQueries({ queryKey: AMOUNT_KEY });
    throw error;
  }
}

/** Has what is shown of the follows asked for again. */
export const refreshFollows = () =>
  Promise.all([FOLLOWS_KEY, TOMORROW_KEY].map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** Begins to follow a strategy as it is saved; what is said beforehand will count is written down with it. */
export async function follow(id: string, registered: BodyOf<typeof followStrategy> = {}): Promise<void> {
  await api().call(followStrategy, { params: { id }, body: registered });
  await refreshFollows();
}

/** Ends following a strategy. */
export async function unfollow(id: string): Promise<void> {
  await api().call(unfollowStrategy, { params: { id } });
  await refreshFollows();
}
