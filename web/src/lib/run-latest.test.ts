import { getTradingBot, runBacktest } from '@quantloom/domain/contracts/http/calls';
import { DEFAULT_SLIPPAGE_BPS, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient, setApi } from './api.ts';
import type { LastRun } from './resources.ts';
import { runLatest } from './run-latest.ts';
import { today } from './today.ts';

let ran: object[];
beforeEach(() => {
  ran = [];
  const call = async (
    route: unknown,
    input: { readonly params?: { readonly id: string }; readonly body?: object },
  ) => {
    if (route === getTradingBot) return { algorithm: { name: `tree of ${input.params?.id}` } };
    expect(route).toBe(runBacktest);
    ran.push(input.body ?? {});
    return {};
  };
  setApi({ call } as never);
});
afterEach(() => queryClient.clear());

const terms = {
  start_date: '2015-01-01',
  end_date: '2020-12-31',
  starting_balance: 5_000,
  slippage_bps: 3,
  benchmark_ticker: 'QQQ',
};

it('runs a strategy on the terms of its last run, and has the list read again', async () => {
  queryClient.setQueryData(['drafts', 'count'], 1);
  await runLatest({ id: 's1', lastRun: { at: '2024-06-03T12:00:00Z', terms } as unknown as LastRun });
  expect(ran).toEqual([{ ...terms, strategy_id: 's1', trading_bot: { name: 'tree of s1' } }]);
  expect(queryClient.getQueryState(['drafts', 'count'])?.isInvalidated).toBe(true);
});

it('runs one that was never run over all days there are', async () => {
  await runLatest({ id: 's2', lastRun: null });
  expect(ran).toEqual([
    {
      start_date: '1990-01-01',
      end_date: today(),
      starting_balance: DEFAULT_STARTING_BALANCE,
      slippage_bps: DEFAULT_SLIPPAGE_BPS,
      benchmark_ticker: 'SPY',
      strategy_id: 's2',
      trading_bot: { name: 'tree of s2' },
    },
  ]);
});
