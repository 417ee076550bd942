import { type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { quote } from '@quantloom/domain/strategy/validation-names';
import { dayOf } from './days.ts';

/** The dates and terms of a backtest, checked. Days count from 1970-01-01. */
export interface Terms {
  readonly startDay: number;
  readonly endDay: number;
  readonly startDate: string;
  readonly endDate: string;
  readonly startingBalance: number;
  /** Fraction: 10 bps is 0.001. */
  readonly slippage: number;
  readonly benchmark: string;
}

export const DEFAULT_STARTING_BALANCE = 10_000;
export const DEFAULT_SLIPPAGE_BPS = 10;
export const DEFAULT_BENCHMARK = 'SPY';
const MAX_SLIPPAGE_BPS = 1000;

/** Throws a refusal of status 400. */
export function refuseRequest(code: string, detail: string, problems?: Refusal['problems']): never {
  throw new RefusalError(refuse(400, code, detail, problems === undefined ? {} : { problems }));
}

/**
 * Reads dates and terms from a request or a batch's configuration, which may be any JSON.
 * @param today `YYYY-MM-DD`, the last date that is not in the future
 * @throws RefusalError (400) naming what is wrong
 */
export function readTerms(
  config: {
    readonly start_date?: unknown;
    readonly end_date?: unknown;
    readonly starting_balance?: unknown;
    readonly slippage_bps?: unknown;
    readonly benchmark_ticker?: unknown;
  },
  today: string,
): Terms {
  const startDay = readDate(config.start_date, 'start_date');
  const endDay = readDate(config.end_date, 'end_date');
  const startDate = String(config.start_date);
  const endDate = String(config.end_date);
  for (const date of [startDate, endDate]) {
    if (date > today)
      refuseRequest('date_in_future', `The date ${date} is in the future (today is ${today})`);
  }
  if (startDay > endDay) {
    refuseRequest(
      'start_after_end',
      `Start date must be before or equal to end date: ${startDate} is after ${endDate}`,
    );
  }
  return {
    startDay,
    endDay,
    startDate,
    endDate,
    startingBalance: readBalance(config.starting_balance),
    slippage: readSlippage(config.slippage_bps) / 10_000,
    benchmark: readBenchmark(config.benchmark_ticker),
  };
}

/** Reads a `YYYY-MM-DD` date as a day; refuses anything else by the name of its field. */
export function readDate(value: unknown, name: string): number {
  const day = dayOf(value);
  if (day === null)
    refuseRequest('invalid_date', `${name} must be a date such as 2020-12-31, not ${quote(value)}`);
  return day;
}

function readBalance(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_STARTING_BALANCE;
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0)
    refuseRequest(
      'invalid_starting_balance',
      `starting_balance must be a number above 0, not ${quote(value)}`,
    );
  return value;
}

function readSlippage(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_SLIPPAGE_BPS;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_SLIPPAGE_BPS) {
    refuseRequest(
      'invalid_slippage',
      `slippage_bps must be a whole number from 0 to ${MAX_SLIPPAGE_BPS}, not ${quote(value)}`,
    );
  }
  return value;
}

function readBenchmark(value: unknown): string {
  if (value === undefined || value === null || value === '') return DEFAULT_BENCHMARK;
  if (typeof value !== 'string')
    refuseRequest('invalid_benchmark', `benchmark_ticker must be a ticker, not ${quote(value)}`);
  return value;
}
