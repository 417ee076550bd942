import { describe, expect, it } from 'vitest';
import type { BacktestRequest } from '../contracts/backtest.ts';
import { hashesOf } from './run-hashes.ts';

const request = {
  start_date: '2010-01-04',
  end_date: '2020-12-31',
  slippage_bps: 10,
  trading_bot: { id: 'node_root', node_type: 'root', name: 'Mine', children: [] },
} as unknown as BacktestRequest;
const trialOf = (over: Partial<BacktestRequest> = {}) =>
  hashesOf({ ...request, ...over }, (text) => text).trial;

describe('what is tried', () => {
  it.each([
    ['other dates', { start_date: '2015-01-02', end_date: '2019-12-31' }],
    ['other costs', { slippage_bps: 1 }],
    ['another balance', { starting_balance: 1 }],
    ['another benchmark', { benchmark_ticker: 'QQQ' }],
    ['another title', { trading_bot: { ...request.trading_bot, name: 'Yours' } }],
    ['defaults that are written out', { fill: 'close', indicator_prices: 'adjusted' }],
  ] as [string, Partial<BacktestRequest>][])('is the same with %s', (_, over) => {
    expect(trialOf(over)).toBe(trialOf());
  });

  it.each([
    ['tree', { trading_bot: { ...request.trading_bot, rebalance: 'monthly' } }],
    ['fill', { fill: 'next_open' }],
    ['interest on cash', { cash: { rate: 5 } }],
    ['price for its indicators', { indicator_prices: 'split_adjusted' }],
  ] as [string, Partial<BacktestRequest>][])('is another one with another %s', (_, over) => {
    expect(trialOf(over)).not.toBe(trialOf());
  });

  it('has beside it the hash by which trials were told apart before, dates and costs included', () => {
    const runOf = (over: Partial<BacktestRequest> = {}) =>
      hashesOf({ ...request, ...over }, (text) => text).run;
    expect(runOf({ slippage_bps: 1 })).not.toBe(runOf());
    expect(runOf({ include: { history: true } } as Partial<BacktestRequest>)).toBe(runOf());
    // Of a log of before: it must never change.
    expect(runOf().slice(0, 32)).toBe('7c7711b304ca26ff5d8095d9e45cf157');
  });
});
