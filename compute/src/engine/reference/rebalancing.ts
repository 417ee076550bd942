import { isSession, nextSessionAfter, sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import type { Algorithm, RebalanceRule } from '@quantloom/domain/strategy/tree';
import type { Calendar } from '../model/calendar.ts';
import { readNumber } from '../model/indicator-calls.ts';
import type { DayRange } from './decisions.ts';

/** When a strategy trades (`docs/engine.md` section 12). */
export interface Rebalancing {
  readonly rule: RebalanceRule;
  readonly on: 'first' | 'last';
  /** How far a weight may be off, as a fraction of the portfolio; 0 under every rule but `corridor`. */
  readonly corridor: number;
  /**
   * Whether the exchange's holidays are known behind the end of the prices. A decision that is made on the
   * day itself knows them: before Good Friday, Thursday is the last day of the week. A backtest goes by the
   * next weekday.
   */
  readonly knowsHolidays: boolean;
}

export const DAILY: Rebalancing = { rule: 'daily', on: 'last', corridor: 0, knowsHolidays: false };

/** Reads the rule of a validated tree without variables. */
export function rebalancingOf(
  { rebalance, rebalance_on, corridor }: Algorithm,
  knowsHolidays = false,
): Rebalancing {
  const rule = rebalance ?? 'daily';
  return {
    rule,
    on: rebalance_on ?? 'last',
    corridor: rule === 'corridor' ? readNumber(corridor) / 100 : 0,
    knowsHolidays,
  };
}

/** The kinds of stretches of the calendar that a rule or a report divides it into. */
export type Period = 'week' | 'month' | 'quarter' | 'year';

const PERIODS: Readonly<Partial<Record<RebalanceRule, Period>>> = {
  weekly: 'week',
  monthly: 'month',
  quarterly: 'quarter',
  yearly: 'year',
};

const MS_PER_DAY = 86_400_000;
/** 1970-01-01 was a Thursday: days from the Monday before it. */
const SINCE_MONDAY = 3;

/** A number for the ISO week, month, quarter or year that a day lies in: equal within one, larger in a later one. */
export function periodOf(day: number, period: Period): number {
  if (period === 'week') return Math.floor((day + SINCE_MONDAY) / 7);
  const date = new Date(day * MS_PER_DAY);
  const year = date.getUTCFullYear();
  if (period === 'year') return year;
  return period === 'month' ? 12 * year + date.getUTCMonth() : 4 * year + Math.floor(date.getUTCMonth() / 3);
}

/** The next day from Monday to Friday. */
function nextWeekday(day: number): number {
  let next = day + 1;
  while ((next + SINCE_MONDAY) % 7 > 4) next++;
  return next;
}

/**
 * Days that a calendar may differ by from the exchange's in a year and still be taken for it: a closing that
 * no rule knows, a day that a file misses.
 */
const OTHER_DAYS = 2;

/** The exchange's next session, where the calendar was the exchange's in its last year; else the next weekday. */
function nextSession(calendar: Calendar): number {
  const last = calendar.at(-1) as number;
  const year = calendar.subarray(calendar.findIndex((day) => day > last - 365));
  const shared = year.reduce((count, day) => count + Number(isSession(day)), 0);
  const missing = sessionsBetween(year[0] as number, last).length - shared;
  const isExchange = year.length - shared + missing <= OTHER_DAYS;
  return isExchange ? nextSessionAfter(last) : nextWeekday(last);
}

/**
 * Whether a day of the whole calendar is the first of its period: the day before lies in another one, or
 * there is none.
 */
export function isFirstOf(calendar: Calendar, index: number, period: Period): boolean {
  if (index === 0) return true;
  const [before, day] = [calendar[index - 1] as number, calendar[index] as number];
  return periodOf(before, period) !== periodOf(day, period);
}

/**
 * Whether a day of the whole calendar is the last of its period; behind the end comes `after`, by default the
 * next weekday.
 */
export function isLastOf(calendar: Calendar, index: number, period: Period, after?: number): boolean {
  const day = calendar[index] as number;
  return periodOf(calendar[index + 1] ?? after ?? nextWeekday(day), period) !== periodOf(day, period);
}

/**
 * The days of a run on which its rule looks at the weights, marked with 1: the first one always. Under
 * `corridor` every day is one, on which it is decided whether to trade.
 */
export function tradingDays(
  { rule, on, knowsHolidays }: Rebalancing,
  calendar: Calendar,
  range: DayRange,
): Uint8Array {
  const days = new Uint8Array(range.to - range.from + 1);
  const period = PERIODS[rule];
  if (rule === 'daily' || rule === 'corridor') days.fill(1);
  else if (period !== undefined) {
    const isOne = on === 'first' ? isFirstOf : isLastOf;
    const after = knowsHolidays ? nextSession(calendar) : undefined;
    for (let t = 0; t < days.length; t++) days[t] = isOne(calendar, range.from + t, period, after) ? 1 : 0;
  }
  days[0] = 1;
  return days;
}

/** For each day of a run the last trading day up to it. */
export function lastTradingDays(days: Uint8Array): Int32Array {
  let last = 0;
  return Int32Array.from(days, (flag, t) => {
    if (flag === 1) last = t;
    return last;
  });
}
