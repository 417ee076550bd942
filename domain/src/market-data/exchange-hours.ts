import { day as dayNumber, dayOf, formatDay, weekdayOf, yearOf } from './day.ts';
import { EXCHANGE_TIME_ZONE, exchangeDay } from './exchange-day.ts';
import { isSession, lastSessionUpTo, nextSessionAfter } from './trading-calendar.ts';

/**
 * Minutes after midnight at the exchange: 16:00, and 13:00 on half days (rule 7.1 and the exchange's list of
 * early closings).
 */
const CLOSE = 16 * 60;
const EARLY_CLOSE = 13 * 60;
const OPEN = 9 * 60 + 30;

let format: Intl.DateTimeFormat | null = null;

/** Minutes after midnight on the clock of the exchange, seconds as a fraction. */
export function exchangeMinute(instant: Date): number {
  format ??= new Intl.DateTimeFormat('en-US', {
    timeZone: EXCHANGE_TIME_ZONE,
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return Number(parts.hour) * 60 + Number(parts.minute) + Number(parts.second) / 60;
}

/** When a session closes, in minutes after midnight at the exchange. @param session days since 1970 */
export function closingMinute(session: number): number {
  const year = yearOf(session);
  const isAfterThanksgiving =
    weekdayOf(session) === 5 && session >= dayOf(year, 11, 23) && session <= dayOf(year, 11, 29);
  const isEve = session === dayOf(year, 7, 3) || session === dayOf(year, 12, 24);
  return isAfterThanksgiving || isEve ? EARLY_CLOSE : CLOSE;
}

/**
 * The last session that had closed at an instant, `YYYY-MM-DD`.
 *
 * @param leadMinutes for whom it is over so long before its close
 */
export function lastClosedSession(instant: Date, leadMinutes = 0): string {
  const today = dayNumber(exchangeDay(instant));
  const isOver = isSession(today) && exchangeMinute(instant) >= closingMinute(today) - leadMinutes;
  return formatDay(lastSessionUpTo(isOver ? today : today - 1));
}

/** When the exchange opens for the first time after a session. @param closed days since 1970 */
export function nextOpening(closed: number): Date {
  const session = formatDay(nextSessionAfter(closed));
  // New York is four hours behind UTC in summer, five in winter.
  const inSummer = new Date(`${session}T09:30:00-04:00`);
  return exchangeMinute(inSummer) === OPEN ? inSummer : new Date(`${session}T09:30:00-05:00`);
}
