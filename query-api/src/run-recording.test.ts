import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { describe, expect, it } from 'vitest';
import { termsOf } from './run-recording.ts';

const DAYS = { start_date: '2020-01-02', end_date: '2020-12-31' };
const terms = (given: object) => termsOf({ ...DAYS, ...given } as Omit<BacktestRequest, 'trading_bot'>);

describe('the terms of a run that is kept', () => {
  it('have the defaults written out', () => {
    expect(terms({})).toEqual({
      ...DAYS,
      starting_balance: 10_000,
      slippage_bps: 10,
      benchmark_ticker: 'SPY',
    });
  });

  it('have what was asked for, a slippage of nothing, too', () => {
    const asked = { starting_balance: 5, slippage_bps: 0, benchmark_ticker: 'QQQ', fill: 'next_open' };
    expect(terms(asked)).toEqual({ ...DAYS, ...asked });
    expect(terms({ slippage_bps: '2.5', starting_balance: '100' })).toMatchObject({
      slippage_bps: 2.5,
      starting_balance: 100,
    });
  });

  it('say nothing of the fill that every run has had from the beginning', () => {
    expect(terms({ fill: 'close' })).not.toHaveProperty('fill');
  });
});
