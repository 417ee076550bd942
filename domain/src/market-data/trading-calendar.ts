import { day, dayOf, isWeekend, weekdayOf, yearOf } from './day.ts';

/**
 * Sessions of the New York Stock Exchange, from its published holidays (rule 7.2 and the exchange's list of
 * special closings), valid from 1954, when the present rules for weekends came into force. Half days count as sessions.
 */

/** Days without a session that follow from no rule. */
const SPECIAL_CLOSINGS: ReadonlySet<number> = new Set(
  [
    '1954-12-24',
    '1956-12-24',
    '1958-12-26',
    '1961-05-29',
    '1963-11-25', // funeral of President Kennedy
    '1968-02-12',
    '1968-04-09', // funeral of Martin Luther King
    '1968-07-05',
    '1968-11-11', // Veterans Day
    '1969-02-10', // snow
    '1969-03-31', // funeral of President Eisenhower
    '1969-07-21', // first landing on the moon
    '1972-12-28', // funeral of President Truman
    '1973-01-25', // funeral of President Johnson
    '1977-07-14', // blackout
    '1985-09-27', // hurricane Gloria
    '1994-04-27', // funeral of President Nixon
    '2001-09-11',
    '2001-09-12',
    '2001-09-13',
    '2001-09-14',
    '2004-06-11', // funeral of President Reagan
    '2007-01-02', // funeral of President Ford
    '2012-10-29', // hurricane Sandy
    '2012-10-30',
    '2018-12-05', // funeral of President Bush
    '2025-01-09', // funeral of President Carter
  ].map(day),
);

/** In the paper crunch of 1968 the exchange closed on Wednesdays, but for weeks with another holiday. */
const PAPER_CRUNCH: ReadonlySet<number> = new Set(
  [
    '06-12',
    '06-19',
    '06-26',
    '07-10',
    '07-17',
    '07-24',
    '07-31',
    '08-07',
    '08-14',
    '08-21',
    '08-28',
    '09-11',
    '09-18',
    '09-25',
    '10-02',
    '10-09',
    '10-16',
    '10-23',
    '10-30',
    '11-20',
    '12-04',
    '12-11',
    '12-18',
  ].map((date) => day(`1968-${date}`)),
);

/** The `n`th given weekday of a month, n from 1. */
function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7;
}

function lastWeekday(year: number, month: number, weekday: number): number {
  const last = dayOf(year, month + 1, 0);
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** Sunday's holiday on Monday, Saturday's on Friday. */
function nearestWorkday(value: number): number {
  const weekday = weekdayOf(value);
  return weekday === 0 ? value + 1 : weekday === 6 ? value - 1 : value;
}

function sundayToMonday(value: number): number {
  return weekdayOf(value) === 0 ? value + 1 : value;
}

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor(b / 4);
  const e = b % 4;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - d - g + 15) % 30;
  const i = Math.floor(c / 4);
  const k = c % 4;
  const l = (32 + 2 * e + 2 * i - h - k) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const month = Math.floor((h + l - 7 * m + 114) / 31);
  return dayOf(year, month, ((h + l - 7 * m + 114) % 31) + 1);
}

function holidaysOf(year: number): Set<number> {
  const days = [
    sundayToMonday(dayOf(year, 1, 1)),
    easterSunday(year) - 2,
    nearestWorkday(dayOf(year, 7, 4)),
    nthWeekday(year, 9, 1, 1),
    nthWeekday(year, 11, 4, 4),
    nearestWorkday(dayOf(year, 12, 25)),
  ];
  if (year >= 1998) days.push(nthWeekday(year, 1, 1, 3));
  if (year >= 1971) days.push(nthWeekday(year, 2, 1, 3), lastWeekday(year, 5, 1));
  else {
    const observe = year >= 1964 ? nearestWorkday : sundayToMonday;
    days.push(observe(dayOf(year, 2, 22)));
    // The exchange was open on Friday 1970-05-29.
    if (year < 1970) days.push(observe(dayOf(year, 5, 30)));
  }
  if (year >= 2022) days.push(nearestWorkday(dayOf(year, 6, 19)));
  const isElectionHoliday = year <= 1968 || (year <= 1980 && year % 4 === 0);
  if (isElectionHoliday) days.push(nthWeekday(year, 11, 1, 1) + 1);
  return new Set(days);
}

/** Days the answers of which are kept: a check of 10,000 series asks for each of them 10,000 times. */
const KEPT_FROM = dayOf(1954, 1, 1);
const KEPT_DAYS = 60_000;
/** By day: 0 not asked yet, 1 no session, 2 session. */
const kept = new Uint8Array(KEPT_DAYS);
const holidays = new Map<number, Set<number>>();

/** Whether the exchange had, or by its present rules will have, a session on this day. */
export function isSession(value: number): boolean {
  const at = value - KEPT_FROM;
  const known = kept[at];
  if (known) return known === 2;
  const answer = findSession(value);
  if (at >= 0 && at < KEPT_DAYS) kept[at] = answer ? 2 : 1;
  return answer;
}

function findSession(value: number): boolean {
  return isSessionByRule(value) && !SPECIAL_CLOSINGS.has(value) && !PAPER_CRUNCH.has(value);
}

/**
 * Whether the rules for weekends and holidays leave a session on this day, whatever closed the exchange on it
 * besides.
 */
export function isSessionByRule(value: number): boolean {
  if (isWeekend(value)) return false;
  const year = yearOf(value);
  let ofYear = holidays.get(year);
  if (!ofYear) {
    ofYear = holidaysOf(year);
    holidays.set(year, ofYear);
  }
  return !ofYear.has(value);
}

/** All sessions from `first` to `last`, both included, ascending. */
export function sessionsBetween(first: number, last: number): Int32Array {
  const sessions: number[] = [];
  for (let value = first; value <= last; value++) if (isSession(value)) sessions.push(value);
  return Int32Array.from(sessions);
}

/** The first session after the day. */
export function nextSessionAfter(value: number): number {
  let session = value + 1;
  while (!isSession(session)) session++;
  return session;
}

/** The last session on or before the day. */
export function lastSessionUpTo(value: number): number {
  let session = value;
  while (!isSession(session)) session--;
  return session;
}
