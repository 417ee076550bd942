import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { isSeriesName } from '../market-data/condition-series.ts';
import { parseDay } from '../market-data/day.ts';
import { lastOwnDay } from '../market-data/exchange-day.ts';
import {
  MAX_TICKER_LETTERS,
  type RawRunSettings,
  type RunSettings,
  readRunSettings,
} from './run-settings.ts';
import { numberOf, quote } from './values.ts';

/** The dates and terms of a backtest or of a batch, checked. Days count from 1970-01-01. */
export interface BacktestTerms extends RunSettings {
  readonly startDay: number;
  readonly endDay: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly startingBalance: number;
  /** Whole number 0..1000. */
  readonly slippageBps: number;
  readonly benchmark: string;
}

/** Any JSON: what stands in a request or in a batch's configuration. */
export interface RawTerms extends RawRunSettings {
  readonly start_date?: unknown;
  readonly end_date?: unknown;
  readonly starting_balance?: unknown;
  readonly slippage_bps?: unknown;
  readonly benchmark_ticker?: unknown;
}

export const DEFAULT_STARTING_BALANCE = 10_000;
export const DEFAULT_SLIPPAGE_BPS = 10;
export const DEFAULT_BENCHMARK = 'SPY';
const MAX_SLIPPAGE_BPS = 1000;

/**
 * Reads dates and terms: the one place that says what is wrong with them, whichever way they came. Total.
 *
 * @param today `YYYY-MM-DD` at the exchange; the next day is taken too, since it is somebody's own day already
 * @param at path of the object that holds them, for the problem of a refusal (status 400)
 */
export function readTerms(raw: RawTerms, today: string, at = ''): BacktestTerms | Refusal {
  const start = readDate(raw.start_date, 'start_date', at);
  if (isRefusal(start)) return start;
  const end = readDate(raw.end_date, 'end_date', at);
  if (isRefusal(end)) return end;
  for (const [name, { date }] of [
    ['start_date', start],
    ['end_date', end],
  ] as const)
    if (date > lastOwnDay(today))
      return refuseTerm(
        'date_in_future',
        `${name} ${date} is in the future: today is ${today} at the exchange`,
        at,
        name,
      );
  if (start.day > end.day)
    return refuseTerm(
      'start_after_end',
      `Error: Start date must be before or equal to end date: ${start.date} is after ${end.date}`,
      at,
      'start_date',
    );
  const slippageBps = isMissing(raw.slippage_bps) ? DEFAULT_SLIPPAGE_BPS : numberOf(raw.slippage_bps);
  if (
    slippageBps === null ||
    !Number.isInteger(slippageBps) ||
    slippageBps < 0 ||
    slippageBps > MAX_SLIPPAGE_BPS
  )
    return refuseTerm(
      'invalid_slippage',
      `slippage_bps must be a whole number from 0 to ${MAX_SLIPPAGE_BPS}, not ${quote(raw.slippage_bps)}`,
      at,
      'slippage_bps',
    );
  const startingBalance = isMissing(raw.starting_balance)
    ? DEFAULT_STARTING_BALANCE
    : numberOf(raw.starting_balance);
  if (startingBalance === null || startingBalance <= 0)
    return refuseTerm(
      'invalid_starting_balance',
      `starting_balance must be a number above 0, not ${quote(raw.starting_balance)}`,
      at,
      'starting_balance',
    );
  const benchmark = readBenchmark(raw.benchmark_ticker);
  if (benchmark === null)
    return refuseTerm(
      'invalid_benchmark',
      `benchmark_ticker must be a ticker, not ${quote(raw.benchmark_ticker)}`,
      at,
      'benchmark_ticker',
    );
  const settings = readRunSettings(raw, at);
  if (isRefusal(settings)) return settings;
  return {
    ...settings,
    startDay: start.day,
    endDay: end.day,
    startDate: start.date,
    endDate: end.date,
    startingBalance,
    slippageBps: slippageBps === 0 ? 0 : slippageBps,
    benchmark,
  };
}

const MISSING_DATES: Readonly<Record<string, readonly [code: string, sentence: string]>> = {
  start_date: ['start_date_missing', 'Start date is required'],
  end_date: ['end_date_missing', 'End date is required'],
};

/** A `YYYY-MM-DD` date that exists, with its day; a refusal names its field. */
export function readDate(
  value: unknown,
  name: string,
  at = '',
): { readonly date: string; readonly day: number } | Refusal {
  const missing = isMissing(value) || value === '' ? MISSING_DATES[name] : undefined;
  if (missing !== undefined) return refuseTerm(missing[0], missing[1], at, name);
  const day = typeof value === 'string' ? parseDay(value) : null;
  if (day === null)
    return refuseTerm(
      'invalid_date',
      `${name} must be a date such as 2020-12-31, not ${quote(value)}`,
      at,
      name,
    );
  return { date: String(value), day };
}

/** The benchmark without surrounding space, or null for what is none. */
function readBenchmark(value: unknown): string | null {
  if (isMissing(value)) return DEFAULT_BENCHMARK;
  if (typeof value !== 'string' || value.length > MAX_TICKER_LETTERS) return null;
  return isSeriesName(value) ? null : value.trim() || DEFAULT_BENCHMARK;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function refuseTerm(code: string, detail: string, at: string, name: string): Refusal {
  return refuse(400, code, detail, { problems: [{ code, message: detail, path: `${at}/${name}` }] });
}
