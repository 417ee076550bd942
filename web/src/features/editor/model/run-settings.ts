import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { Ticker } from '@quantloom/domain/contracts/http/market-data';
import { DEFAULT_SLIPPAGE_BPS, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { RunTerms } from '@quantloom/domain/strategy-run/events';
import { readDate } from '../../../lib/date-entry.ts';
import { type NumberEntry, readNumber } from '../../../lib/number-entry.ts';
import { lastDayToPick, today } from '../../../lib/today.ts';
import {
  DEFAULT_TERMS,
  type RefusedSetting,
  searchOfTerms,
  type TradingTerms,
  termFields,
  termsOf,
  termsOfSearch,
} from '../../terms/terms.ts';

/** What a single backtest is run with, beside the strategy. */
export interface RunSettings extends TradingTerms {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly slippageBps: number;
}

export const SLIPPAGE_PRESETS = [1, 10, 25, 50] as const;
const MAX_SLIPPAGE = 1000;

/** From 1990 to today at the exchange, 10 bps. */
export function defaultSettings(now: Date): RunSettings {
  return {
    startDate: '1990-01-01',
    endDate: today(now),
    slippageBps: DEFAULT_SLIPPAGE_BPS,
    ...DEFAULT_TERMS,
  };
}

/** The settings that recorded terms are run with again. */
export function settingsOfTerms(terms: RunTerms): RunSettings {
  const { start_date: startDate, end_date: endDate, slippage_bps: slippageBps } = terms;
  const { fill, cash, indicator_prices } = terms;
  return { startDate, endDate, slippageBps, ...termsOf({ fill, cash, indicator_prices }) };
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
    starting_balance: DEFAULT_STARTING_BALANCE,
    slippage_bps: slippageBps,
    ...termFields(settings),
    include: { history: true, explanation: true, attribution: true },
    trading_bot: algorithm,
  };
}

/** What an address names settings by. */
const NAMES = ['from', 'to', 'slippage', 'fill', 'cash', 'benchmarks', 'reads'] as const;

/** Whether an address names any setting. */
export const namesSettings = (search: URLSearchParams): boolean => NAMES.some((name) => search.has(name));

/** Long before any price. */
const FIRST_OF_ALL = '1800-01-01';

export interface SettingsOfAddress {
  readonly settings: RunSettings;
  /** What of the address cannot be read; the default stands in its place, and the rest is kept. */
  readonly refused: readonly RefusedSetting[];
}

/**
 * The settings that an address names (`from`, `to`, `slippage`, `fill`, `cash`, `benchmarks`, `reads`); what
 * it does not name is the default.
 */
export function settingsOfSearch(search: URLSearchParams, now: Date): SettingsOfAddress {
  const usual = defaultSettings(now);
  const refused: RefusedSetting[] = [];
  const dayOf = (name: string) => {
    const value = search.get(name);
    if (value === null) return null;
    const entry = readDate(value, { min: FIRST_OF_ALL, max: lastDayToPick(now) });
    if (entry.isRead) return entry.day;
    refused.push({ name, value, reason: entry.reason });
    return null;
  };
  const slippageOf = (value: string | null) => {
    const entry = value === null ? null : readSlippage(value);
    if (entry === null || entry.isRead) return entry?.value ?? null;
    refused.push({ name: 'slippage', value: value ?? '', reason: entry.reason });
    return null;
  };
  const [from, to, slippage] = [dayOf('from'), dayOf('to'), slippageOf(search.get('slippage'))];
  const read = termsOfSearch(search);
  const settings = {
    startDate: from ?? usual.startDate,
    endDate: to ?? usual.endDate,
    slippageBps: slippage ?? usual.slippageBps,
    ...read.terms,
  };
  return { settings, refused: [...refused, ...read.refused] };
}

/** Which dates are missing for a run, as fields tell it. */
export function dateFaults({ startDate, endDate }: Pick<RunSettings, 'startDate' | 'endDate'>): {
  readonly start: string | null;
  readonly end: string | null;
} {
  return {
    start: startDate ? null : 'Start date is required',
    end: endDate ? null : 'End date is required',
  };
}

/** The address that leads to the same run: `search` with the settings that are not the default. */
export function searchOf(settings: RunSettings, search: URLSearchParams, now: Date): URLSearchParams {
  const usual = defaultSettings(now);
  const next = new URLSearchParams(search);
  for (const name of NAMES) next.delete(name);
  const named = {
    ...(settings.startDate && settings.startDate !== usual.startDate && { from: settings.startDate }),
    ...(settings.endDate && settings.endDate !== usual.endDate && { to: settings.endDate }),
    ...(settings.slippageBps !== usual.slippageBps && { slippage: String(settings.slippageBps) }),
    ...searchOfTerms(settings),
  };
  for (const [name, value] of Object.entries(named)) next.set(name, value);
  return next;
}
