import { describe, expect, it } from 'vitest';
import { day, formatDay, formatTimestamp, isWeekend, parseDay, weekdayOf } from './day.ts';
import {
  easterSunday,
  isSession,
  isSessionByRule,
  lastSessionUpTo,
  nextSessionAfter,
  sessionsBetween,
} from './trading-calendar.ts';

describe('days', () => {
  it('reads and writes dates that exist, and no others', () => {
    expect(parseDay('1970-01-01')).toBe(0);
    expect(parseDay('2024-02-29')).toBe(19_782);
    expect(formatDay(19_782)).toBe('2024-02-29');
    for (const text of [
      '2023-02-29',
      '2024-13-01',
      '2024-1-1',
      '',
      '2024-01-01T00:00',
      ' 2024-01-01',
      '0000-00-00',
    ])
      expect(parseDay(text), text).toBeNull();
    expect(() => day('2023-02-29')).toThrow(new RangeError('2023-02-29 is not a date'));
    expect(formatTimestamp(19_782 * 86_400 - 1)).toBe('2024-02-28');
    expect(formatTimestamp(19_782 * 86_400)).toBe('2024-02-29');
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
    ['1998-01-19', 'Martin Luther King for the first time'],
    ['1970-02-23', 'Washington’s birthday itself on a Sunday'],
    ['1971-02-15', 'Washington’s birthday on a third Monday for the first time'],
    ['1964-02-21', 'Washington’s birthday itself on a Saturday'],
    ['1959-02-23', 'Washington’s birthday on a Sunday in earlier years'],
    ['1969-05-30', 'Memorial Day on the day itself'],
    ['1971-05-31', 'Memorial Day on a last Monday for the first time'],
    ['2022-06-20', 'Juneteenth on a Sunday'],
    ['2027-06-18', 'Juneteenth on a Saturday'],
    ['1967-11-07', 'election day of any year up to 1968'],
    ['1968-11-05', 'election day of 1968'],
    ['1972-11-07', 'presidential election'],
    ['2022-12-26', 'Christmas on a Sunday'],
  ])('has none on %s: %s', (date) => expect(isSession(day(date))).toBe(false));

  it.each([
    ['2021-12-31', 'New Year on a Saturday is not observed'],
    ['1997-01-20', 'Martin Luther King, a year before it was observed'],
    ['2021-06-18', 'Juneteenth, a year before it was observed'],
    ['1984-11-06', 'election day, when it was no holiday any more'],
    ['2023-11-24', 'the half day after Thanksgiving'],
    ['1963-02-21', 'the day before Washington’s birthday'],
    ['1958-02-21', 'Washington’s birthday on a Saturday in earlier years'],
    ['1970-05-29', 'Memorial Day on a Saturday, the year that it was not observed'],
    ['1969-11-04', 'election day of a year without a presidential election'],
    ['1988-11-08', 'a presidential election of later years'],
    ['2024-12-24', 'Christmas Eve'],
    ['2001-09-17', 'the first day after the attacks'],
    ['1968-11-13', 'a Wednesday of the paper crunch in a week with another holiday'],
  ])('has one on %s: %s', (date) => expect(isSession(day(date))).toBe(true));

  it('has as many a year as the exchange publishes', () => {
    const count = (year: number) => sessionsBetween(day(`${year}-01-01`), day(`${year}-12-31`)).length;
    expect([1990, 1996, 2001, 2008, 2012, 2020, 2022, 2023, 2024, 2025].map(count)).toEqual([
      253, 254, 248, 253, 250, 253, 251, 250, 252, 250,
    ]);
  });

  // The earliest and the latest possible one among them.
  it.each([
    ...['1818-03-22', '1886-04-25', '1900-04-15', '1954-04-18', '1961-04-02', '1976-04-18', '1981-04-19'],
    ...['1999-04-04', '2000-04-23', '2008-03-23', '2011-04-24', '2019-04-21', '2024-03-31', '2025-04-20'],
    ...['2026-04-05', '2038-04-25', '2049-04-18', '2076-04-19', '2100-03-28', '2200-04-06', '2285-03-22'],
  ])('finds Easter Sunday %s', (easter) =>
    expect(formatDay(easterSunday(Number(easter.slice(0, 4))))).toBe(easter),
  );

  it.each([
    // Good Friday and a weekend; Thanksgiving; a weekend; nothing between.
    ['2024-03-28', '2024-04-01'],
    ['2023-11-22', '2023-11-24'],
    ['2024-05-10', '2024-05-13'],
    ['2024-05-13', '2024-05-14'],
  ])('finds the session after that of %s, and back', (one, next) => {
    expect(formatDay(nextSessionAfter(day(one)))).toBe(next);
    for (let value = day(one); value < day(next); value++) expect(lastSessionUpTo(value)).toBe(day(one));
    expect(lastSessionUpTo(day(next))).toBe(day(next));
  });

  it('has those of the rules, whatever closed the exchange besides', () => {
    for (const date of ['2001-09-13', '2012-10-29', '1968-06-12', '2025-01-09'])
      expect([isSessionByRule(day(date)), isSession(day(date))], date).toEqual([true, false]);
    for (const date of ['2024-03-29', '2024-05-11', '2024-05-12'])
      expect(isSessionByRule(day(date)), date).toBe(false);
  });

  it.each([
    ['1953-12-31', true],
    ['1954-01-01', false],
    ['1940-05-12', false],
    ['2118-04-10', false],
    ['2118-04-11', true],
    ['2118-04-12', true],
    ['2200-01-01', false],
  ])('answers the same however often it is asked: %s', (date, has) => {
    expect([isSession(day(date)), isSession(day(date)), isSession(day(date))]).toEqual([has, has, has]);
  });
});
