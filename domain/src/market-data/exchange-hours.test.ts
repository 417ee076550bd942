import { expect, it } from 'vitest';
import { day } from './day.ts';
import { closingMinute, exchangeMinute, lastClosedSession, nextOpening } from './exchange-hours.ts';

it.each([
  // In winter New York is five hours behind Greenwich, in summer four.
  ['2026-11-24T20:59:59Z', 0, '2026-11-23'],
  ['2026-11-24T21:00:00Z', 0, '2026-11-24'],
  ['2026-07-14T19:59:59Z', 0, '2026-07-13'],
  ['2026-07-14T20:00:00Z', 0, '2026-07-14'],
  // Past midnight at Greenwich it is the day before in New York.
  ['2026-11-25T02:00:00Z', 0, '2026-11-24'],
  ['2026-11-24T20:50:00Z', 10, '2026-11-24'],
  ['2026-11-24T20:49:59Z', 10, '2026-11-23'],
  // Thanksgiving, the half day after it, and the weekend.
  ['2026-11-26T22:00:00Z', 0, '2026-11-25'],
  ['2026-11-27T17:59:00Z', 0, '2026-11-25'],
  ['2026-11-27T18:00:00Z', 0, '2026-11-27'],
  ['2026-11-29T12:00:00Z', 0, '2026-11-27'],
])('at %s, %i minutes before the close, the last session is that of %s', (at, lead, session) => {
  expect(lastClosedSession(new Date(at), lead)).toBe(session);
});

it('closes early on the three half days of a year', () => {
  const early = ['2025-07-03', '2025-11-28', '2025-12-24', '2026-11-27', '2026-12-24'];
  // The earliest and the latest that there are.
  early.push('2029-11-23', '2024-11-29');
  expect(early.map((one) => closingMinute(day(one)))).toEqual(early.map(() => 13 * 60));
  const whole = ['2024-11-22', '2026-07-02', '2026-11-20', '2026-11-25', '2026-12-23', '2026-12-31'];
  expect(whole.map((one) => closingMinute(day(one)))).toEqual(whole.map(() => 16 * 60));
});

it('counts minutes on the clock of the exchange', () => {
  expect(exchangeMinute(new Date('2026-11-24T05:00:30Z'))).toBe(0.5);
  expect(exchangeMinute(new Date('2026-11-24T04:59:00Z'))).toBe(23 * 60 + 59);
});

it.each([
  ['2026-11-25', '2026-11-27T14:30:00.000Z'],
  ['2026-07-14', '2026-07-15T13:30:00.000Z'],
  // The clocks change on the Sunday between.
  ['2026-03-06', '2026-03-09T13:30:00.000Z'],
])('knows when the exchange opens again after %s', (session, opening) => {
  expect(nextOpening(day(session)).toISOString()).toBe(opening);
});
