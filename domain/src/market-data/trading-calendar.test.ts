import { describe, expect, it } from 'vitest';
import { day, formatDay, isWeekend, parseDay, weekdayOf } from './day.ts';
import { easterSunday, isSession, lastSessionUpTo, sessionsBetween } from './trading-calendar.ts';

describe('days', () => {
  it('reads and writes dates that exist, and no others', () => {
    expect(parseDay('1970-01-01')).toBe(0);
    expect(parseDay('2024-02-29')).toBe(19_782);
    expect(formatDay(19_782)).toBe('2024-02-29');
    for (const text of ['2023-02-29', '2024-13-01', '2024-1-1', '', '2024-01-01T00:00', '0000-00-00'])
      expect(parseDay(text), text).toBeNull();
  });

  it('knows weekdays, also before 1970', () => {
    expect(weekdayOf(day('1970-01-01'))).toBe(4);
    expect(weekdayOf(day('1929-10-24'))).toBe(4);
    expect(isWeekend(day('2026-11-21'))).toBe(true);
  });
});

describe('New York sessions', () => {
  it.each([
    ['2024-01-01', 'New Year'],
    ['2023-01-02', 'New Year on a Sunday'],
    ['2024-01-15', 'Martin Luther King'],
    ['2024-02-19', 'Washington'],
    ['2024-03-29', 'Good Friday'],
    ['2024-05-27', 'Memorial Day'],
    ['2024-06-19', 'Juneteenth'],
    ['2021-07-05', 'Independence Day on a Sunday'],
    ['2020-07-03', 'Independence Day on a Saturday'],
    ['2024-09-02', 'Labor Day'],
    ['2024-11-28', 'Thanksgiving'],
    ['2021-12-24', 'Christmas on a Saturday'],
    ['2001-09-13', 'after the attacks'],
    ['2012-10-29', 'hurricane Sandy'],
    ['2025-01-09', 'funeral of President Carter'],
    ['1985-09-27', 'hurricane Gloria'],
    ['1980-11-04', 'presidential election'],
    ['1968-06-12', 'paper crunch'],
  ])('has none on %s: %s', (date) => expect(isSession(day(date))).toBe(false));

  it.each([
    ['2021-12-31', 'New Year on a Saturday is not observed'],
    ['1997-01-20', 'Martin Luther King, a year before it was observed'],
    ['2021-06-18', 'Juneteenth, a year before it was observed'],
    ['1984-11-06', 'election day, when it was no holiday any more'],
    ['2023-11-24', 'the half day after Thanksgiving'],
    ['2001-09-17', 'the first day after the attacks'],
    ['1968-11-13', 'a Wednesday of the paper crunch in a week with another holiday'],
  ])('has one on %s: %s', (date) => expect(isSession(day(date))).toBe(true));

  it('has as many a year as the exchange publishes', () => {
    const count = (year: number) => sessionsBetween(day(`${year}-01-01`), day(`${year}-12-31`)).length;
    expect([1990, 1996, 2001, 2008, 2012, 2020, 2022, 2023, 2024, 2025].map(count)).toEqual([
      253, 254, 248, 253, 250, 253, 251, 250, 252, 250,
    ]);
  });

  it('finds Easter and the last session before a day', () => {
    expect(formatDay(easterSunday(2024))).toBe('2024-03-31');
    expect(formatDay(easterSunday(2038))).toBe('2038-04-25');
    expect(formatDay(lastSessionUpTo(day('2024-04-01') - 1))).toBe('2024-03-28');
  });
});
