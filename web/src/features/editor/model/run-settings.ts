import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { Ticker } from '@quantloom/domain/contracts/http/market-data';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { type NumberEntry, readNumber } from '../../../lib/number-entry.ts';
import { today } from '../../../lib/today.ts';

/** What a single backtest is run with, beside the strategy. */
export interface RunSettings {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly slippageBps: number;
}

export const SLIPPAGE_PRESETS = [1, 10, 25, 50] as const;
export const MAX_SLIPPAGE = 1000;

/** From 1990 to today at the exchange, 10 bps. */
export function defaultSettings(now: Date): RunSettings {
  return { startDate: '1990-01-01', endDate: today(now), slippageBps: 10 };
}

/** The last day that any of the tickers has a price, `YYYY-MM-DD`; undefined where there are none. */
export function lastDayOf(tickers: readonly Pick<Ticker, 'last_day'>[]): string | undefined {
  let last: string | undefined;
  for (const { last_day: day } of tickers) if (last === undefined || day > last) last = day;
  return last;
}

/** Slippage as it was typed: a whole number of 0..1000 bps, with or without its unit. */
export function readSlippage(entered: string): NumberEntry {
  return readNumber(entered.replace(/\s*(?:bps|bp)\s*$/i, ''), { isWhole: true, min: 0, max: MAX_SLIPPAGE });
}

/** The request of a run, or null while a date is missing. */
export function requestOf(settings: RunSettings, algorithm: Algorithm): BacktestRequest | null {
  const { startDate, endDate, slippageBps } = settings;
  if (!startDate || !endDate) return null;
  return {
    start_date: startDate,
    end_date: endDate,
    starting_balance: 10_000,
    slippage_bps: slippageBps,
    include: { history: true, explanation: true },
    trading_bot: algorithm,
  };
}
