import { formatDay, parseDay } from './day.ts';

/**
 * What "today" means everywhere: the calendar day at the exchange (New York, its clock changes included).
 * Default ends of backtests, months of quotas and the last day that a request may name are counted by it,
 * whatever the time zone of the server or of the person.
 */

export const EXCHANGE_TIME_ZONE = 'America/New_York';

let format: Intl.DateTimeFormat | null = null;

/** The day at the exchange at an instant, `YYYY-MM-DD`. */
export function exchangeDay(instant: Date): string {
  // Making a format takes much longer than using it.
  format ??= new Intl.DateTimeFormat('en-US', {
    timeZone: EXCHANGE_TIME_ZONE,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${String(parts.year).padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** The month at the exchange at an instant, `YYYY-MM`: quotas are counted by it. */
export function exchangeMonth(instant: Date): string {
  return exchangeDay(instant).slice(0, 7);
}

/**
 * The last day that a request may name while it is `today` at the exchange: nobody's own day is refused, and
 * east of the exchange it may be the next one already (never more: New York is at most 19 hours behind
 * UTC+14). It changes no result, since prices end earlier.
 */
export function lastOwnDay(today: string): string {
  const day = parseDay(today);
  return day === null ? today : formatDay(day + 1);
}
