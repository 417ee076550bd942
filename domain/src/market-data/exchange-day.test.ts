import { describe, expect, it } from 'vitest';
import { exchangeDay, exchangeMonth, lastOwnDay } from './exchange-day.ts';

/** The calendar day of a person at an instant. */
const ownDay = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );

describe('the day at the exchange', () => {
  it.each([
    ['2026-11-22T04:59:59Z', '2026-11-21'],
    ['2026-11-22T05:00:00Z', '2026-11-22'],
    ['2026-07-01T03:59:59Z', '2026-06-30'],
    ['2026-07-01T04:00:00Z', '2026-07-01'],
    // Clocks go forward at 2:00 on March 8 and back at 2:00 on November 1, 2026.
    ['2026-03-08T04:59:59Z', '2026-03-07'],
    ['2026-03-08T05:00:00Z', '2026-03-08'],
    ['2026-03-09T03:59:59Z', '2026-03-08'],
    ['2026-03-09T04:00:00Z', '2026-03-09'],
    ['2026-11-01T03:59:59Z', '2026-10-31'],
    ['2026-11-01T04:00:00Z', '2026-11-01'],
    ['2026-11-02T04:59:59Z', '2026-11-01'],
    ['2026-11-02T05:00:00Z', '2026-11-02'],
  ])('at %s is %s', (instant, day) => {
    expect(exchangeDay(new Date(instant))).toBe(day);
  });
  it('gives the month that a quota is counted in', () => {
    expect(exchangeMonth(new Date('2026-12-01T04:00:00Z'))).toBe('2026-11');
    expect(exchangeMonth(new Date('2026-12-01T05:00:00Z'))).toBe('2026-12');
  });
  it('lets a request name the day after it, over the end of a year too', () => {
    expect(['2026-11-21', '2026-12-31', '2028-02-28'].map(lastOwnDay)).toEqual([
      '2026-11-22', '2027-01-01', '2028-02-29',
    ]); // biome-ignore format: a list
    expect(lastOwnDay('some day')).toBe('some day');
  });
  it('lets everybody name his own day, at any hour of days on which clocks change', () => {
    const zones = [
      'Pacific/Kiritimati',
      'Asia/Tokyo',
      'Australia/Sydney',
      'Europe/Berlin',
      'Pacific/Pago_Pago',
    ];
    const days = [
      '2026-03-08',
      '2026-04-05',
      '2026-10-04',
      '2026-10-25',
      '2026-11-01',
      '2026-12-31',
      '2028-02-28',
    ];
    for (const day of days)
      for (let hour = 0; hour < 48; hour++) {
        const instant = new Date(Date.parse(`${day}T00:30:00Z`) + hour * 3_600_000);
        for (const zone of zones)
          expect(
            ownDay(instant, zone) <= lastOwnDay(exchangeDay(instant)),
            `${zone} ${instant.toISOString()}`,
          ).toBe(true);
      }
  });
});
