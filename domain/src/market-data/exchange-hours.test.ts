import { expect, it } from 'vitest';
import { day, formatDay } from './day.ts';
import { lastClosedSession, nextOpening } from './exchange-hours.ts';

it.each([
  ['a minute before the close in winter', '2026-11-25T20:59:00Z', '2026-11-24'],
  ['at the close in winter', '2026-11-25T21:00:00Z', '2026-11-25'],
  ['a minute before the close in summer', '2026-07-15T19:59:00Z', '2026-07-14'],
  ['at the close in summer', '2026-07-15T20:00:00Z', '2026-07-15'],
  ['after midnight in Greenwich', '2026-11-26T04:00:00Z', '2026-11-25'],
  ['on the evening of a holiday', '2026-11-26T23:30:00Z', '2026-11-25'],
  ['on a Sunday', '2026-11-29T12:00:00Z', '2026-11-27'],
])('knows the last session that has closed %s', (_when, now, session) => {
  expect(formatDay(lastClosedSession(new Date(now)))).toBe(session);
});

it.each([
  ['2026-11-25', '2026-11-27T14:30:00.000Z'],
  ['2026-07-14', '2026-07-15T13:30:00.000Z'],
  // The clocks change on the Sunday between.
  ['2026-03-06', '2026-03-09T13:30:00.000Z'],
])('knows when the exchange opens again after %s', (session, opening) => {
  expect(nextOpening(day(session)).toISOString()).toBe(opening);
});
