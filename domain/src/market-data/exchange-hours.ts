import { formatDay, parseDay } from './day.ts';
import { EXCHANGE_TIME_ZONE, exchangeDay } from './exchange-day.ts';
import { isSession, lastSessionUpTo, nextSessionAfter } from './trading-calendar.ts';

const OPENS = '09:30';
/** Half days are taken for whole ones: prices of a day are not asked for before. */
const CLOSES = '16:00';

let format: Intl.DateTimeFormat | null = null;

/** The instant at which it is `time` (`HH:MM`) at the exchange on a day. */
function instantAt(day: number, time: string): Date {
  // Making a format takes much longer than using it.
  format ??= new Intl.DateTimeFormat('en-GB', {
    timeZone: EXCHANGE_TIME_ZONE,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  // New York is four hours behind UTC in summer, five in winter.
  const summer = new Date(`${formatDay(day)}T${time}:00-04:00`);
  return format.format(summer) === time ? summer : new Date(`${formatDay(day)}T${time}:00-05:00`);
}

/** The last session that has closed at an instant. */
export function lastClosedSession(now: Date): number {
  const today = parseDay(exchangeDay(now));
  if (today === null) throw new RangeError('There is no day at the exchange at this instant');
  const isOver = isSession(today) && now >= instantAt(today, CLOSES);
  return isOver ? today : lastSessionUpTo(today - 1);
}

/** When the exchange opens for the first time after the close of a session. */
export const nextOpening = (closed: number): Date => instantAt(nextSessionAfter(closed), OPENS);
