import { changePreferences, getTomorrow } from '@quantloom/domain/contracts/http/calls';
import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import {
  decisionsOf,
  follow,
  followed,
  preferAmount,
  preferredAmount,
  type TomorrowRow,
  tomorrow,
  unfollow,
} from './follows.ts';

type Input = { readonly query?: object; readonly body?: object };

let asked: [route: unknown, input: Input][];
let answer: (route: unknown, input: Input) => unknown;
let headers: Headers;

beforeEach(() => {
  [asked, answer, headers] = [[], () => [], new Headers()];
  queryClient.clear();
  const call = async (route: unknown, input: Input) => {
    asked.push([route, input]);
    return answer(route, input);
  };
  const request = async (route: unknown, input: Input) => ({ body: await call(route, input), headers });
  setApi({ call, request } as never);
});
afterEach(() => queryClient.clear());

const failure = { day: '2026-11-20', code: 'no_common_dates', failed_at: '2026-11-21T00:00:00.000Z' };
const followOf = (id: string, more: Partial<Follow> = {}): Follow => ({
  ...{ strategy_id: id, name: id, revision: 1, start_day: '2026-11-19', failure: null, metric: null },
  ...{ followed_at: '2026-11-19T00:00:00.000Z', horizon_days: null, last_decided_day: null },
  ...more,
});
const rowOf = (id: string) => ({ strategy_id: id }) as TomorrowRow;

/** After how many milliseconds a query with these data is asked for again. */
function againAfter(options: object, data: unknown): number | false {
  const { queryKey, refetchInterval } = options as {
    queryKey: readonly unknown[];
    refetchInterval: (query: unknown) => number | false;
  };
  queryClient.setQueryData(queryKey, data);
  return refetchInterval(queryClient.getQueryCache().find({ queryKey }));
}

describe('what is followed', () => {
  it('is asked for again until each first decision is there, or known not to come', () => {
    const isDecided = followOf('a', { last_decided_day: '2026-11-20' });
    const hasFailed = followOf('b', { failure });
    const isHidden = followOf('c', { name: null });
    expect(againAfter(followed, [isDecided, hasFailed, isHidden])).toBe(false);
    expect(againAfter(followed, [isDecided, followOf('d')])).toBe(5_000);
    expect(againAfter(followed, [])).toBe(false);
  });

  it('and what it holds next are asked for again when that changes', async () => {
    for (const change of [() => follow('a'), () => unfollow('a')]) {
      queryClient.setQueryData(['follows'], []);
      queryClient.setQueryData(['tomorrow', 500], []);
      await change();
      for (const key of [['follows'], ['tomorrow', 500]])
        expect(queryClient.getQueryState(key)?.isInvalidated, key.join()).toBe(true);
    }
  });
});

describe('what is held next', () => {
  it('is asked for in money only where an amount is said', async () => {
    await queryClient.fetchQuery(tomorrow(null, []));
    await queryClient.fetchQuery(tomorrow(500, []));
    expect(asked.map(([route, { query }]) => [route, query])).toEqual([
      [getTomorrow, {}],
      [getTomorrow, { amount: 500 }],
    ]);
  });

  it('is asked for again while a strategy that is followed is missing from it', () => {
    const follows = [followOf('a'), followOf('b', { failure }), followOf('c', { name: null })];
    expect(againAfter(tomorrow(null, follows), [rowOf('a')])).toBe(false);
    expect(againAfter(tomorrow(null, follows), [rowOf('b')])).toBe(5_000);
    expect(againAfter(tomorrow(null, follows), undefined)).toBe(5_000);
  });

  it('stays in sight until it is there for another amount', async () => {
    answer = (_, { query }) =>
      (query as { amount?: number }).amount === 1 ? [rowOf('a')] : new Promise(() => {});
    const observer = new QueryObserver(queryClient, tomorrow(1, []));
    const stop = observer.subscribe(() => {});
    await queryClient.fetchQuery(tomorrow(1, []));
    observer.setOptions(tomorrow(2, []));
    expect(observer.getCurrentResult().data).toEqual([rowOf('a')]);
    stop();
  });
});

describe('past decisions', () => {
  it('are read in pages, each from where the one before ended, until all are there', async () => {
    headers = new Headers({ 'x-total-count': '70' });
    answer = (_, { query }) => {
      const { limit, skip } = query as { limit: number; skip: number };
      return Array.from({ length: Math.min(limit, 70 - skip) }, () => ({}));
    };
    const { pages } = await queryClient.fetchInfiniteQuery({ ...decisionsOf('a'), pages: 5 });
    expect(pages.map(({ rows }) => rows.length)).toEqual([50, 20]);
    expect(asked.map(([, { query }]) => query)).toEqual([
      { limit: 50, skip: 0 },
      { limit: 50, skip: 50 },
    ]);
  });
});

describe('the amount that the account keeps', () => {
  it('is shown at once, and as the account has it where it did not take it', async () => {
    const { queryKey } = preferredAmount;
    await preferAmount(300);
    expect(queryClient.getQueryData(queryKey)).toBe(300);
    expect(asked).toEqual([[changePreferences, { body: { amount: 300 } }]]);
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(false);
    answer = () => {
      throw new Error('Refused');
    };
    await expect(preferAmount(400)).rejects.toThrow('Refused');
    expect(queryClient.getQueryState(queryKey)?.isInvalidated).toBe(true);
  });
});
