import { DuckDBInstance } from '@duckdb/node-api';
import { day } from '@quantloom/domain/market-data/day';
import { describe, expect, it } from 'vitest';
import { bothReadings, type DateForm, dateForm, dateSql, decideOrder, looksLikeDate } from './dates.ts';

const TODAY = day('2024-06-03');

describe('the form of dates', () => {
  it.each<[ReturnType<typeof dateForm>, string[]]>([
    ['iso', ['2024-01-05', '2024-1-5', '2024-01-05T00:00:00Z', '2024-01-05 16:00']],
    ['year_first', ['2024/01/05', '2024.1.5', '2024/01/05 00:00', '2024年1月5日']],
    ['numeric', ['05/01/2024', '5.1.24', '5-1-2024', '05/01/2024 16:00']],
    ['day_month_name', ['5 Jan 2024', '05-Jan-24', '5.January 2024']],
    ['month_name_day', ['Jan 5, 2024', 'January 5 2024', 'Sept. 5, 2024']],
    ['compact', ['20240105', '19991231', '20240105.0']],
    ['epoch_seconds', ['1704412800', '-300000000']],
    ['epoch_milliseconds', ['1704412800000', '946684800000']],
    ['epoch_microseconds', ['1704412800000000']],
    ['epoch_nanoseconds', ['1704412800000000000', '946684800000000000']],
  ])('%s is told by its look', (form, texts) => {
    for (const text of texts) {
      expect(dateForm([` ${text} `]), text).toBe(form);
      expect(looksLikeDate(text), text).toBe(true);
    }
  });

  it('is days of a spreadsheet only in a column of dates, where any number has the look of them', () => {
    for (const text of ['45296', '20000', '69999.5', '45296,75']) {
      expect(dateForm([text]), text).toBe('excel_days');
      expect(looksLikeDate(text), text).toBe(false);
    }
    for (const text of ['19999', '70000', '4529', '452960']) expect(dateForm([text]), text).toBe('iso');
  });

  it('is that of most rows, the first among equals, and ISO where none is known', () => {
    expect(dateForm(['2024-01-05', '05/01/2024', '08/01/2024'])).toBe('numeric');
    expect(dateForm(['05/01/2024', '2024-01-05'])).toBe('numeric');
    expect(dateForm(['2024-01-05', '05/01/2024'])).toBe('iso');
    expect(dateForm(['n/a', 'total', '20240105'])).toBe('compact');
    expect(dateForm([])).toBe('iso');
  });

  it('is none of what mixes separators, or only begins like a date', () => {
    for (const text of ['05/01.2024', '05/01/202', '2024-01-05x', '2024', 'Jan 2024', '18990105', 'n/a', ''])
      expect(looksLikeDate(text), text).toBe(false);
  });
});

describe('the order of day and month', () => {
  const order = (...dates: string[]) => decideOrder(dates, TODAY).order;

  it('is told by a number above twelve, which twelve itself is not', () => {
    expect(order('05/01/2024', '13/05/2024')).toBe('day_first');
    expect(order('05/01/2024', '05/13/2024')).toBe('month_first');
    // Fridays in either order.
    expect(order('12/04/2024', '04/12/2023')).toBeNull();
    expect(decideOrder(['01/02/2024', ' 31/01/2024 '], TODAY).because).toBe(
      '31/01/2024 can only be day first',
    );
  });

  it('is not changed by a stray row in fifty, and is none where there are many of both', () => {
    const days = Array.from({ length: 50 }, () => '15/01/2024');
    const months = Array.from({ length: 50 }, () => '01/15/2024');
    expect(order(...days, '01/16/2024')).toBe('day_first');
    expect(order(...months, '16/01/2024')).toBe('month_first');
    expect(order(...days.slice(1), '01/16/2024')).toBeNull();
    expect(decideOrder(['15/01/2024', '01/16/2024'], TODAY).because).toMatch(/15\/01\/2024.*01\/16\/2024/);
  });

  it('is day first with full stops, unless one is written otherwise', () => {
    expect(order('02.01.2024', '03.01.2024')).toBe('day_first');
    for (const mixed of [
      ['02.01.2024', '03/01/2024'],
      ['02/01/2024', '03.01.2024'],
    ])
      expect(order(...mixed)).toBeNull();
    expect(order()).toBeNull();
  });

  it('is the one that puts no price on a weekend or into the future, where that is seen three times', () => {
    // 8 January, 5 February and 5 March are Sundays in 2023, 1 August, 2 May and 3 May are not.
    expect(order('01/08/2023', '02/05/2023', '03/05/2023')).toBe('day_first');
    expect(order('08/01/2023', '05/02/2023', '05/03/2023')).toBe('month_first');
    expect(order('01/08/2023', '02/05/2023')).toBeNull();
    // One of them speaks for the other order: it is none.
    expect(order('01/08/2023', '02/05/2023', '03/05/2023', '05/03/2023')).toBeNull();
    // July and August of 2024 are still to come.
    expect(order('02/07/2024', '02/08/2024', '01/08/2024')).toBe('month_first');
    expect(order('07/02/2024', '08/02/2024', '08/01/2024')).toBe('day_first');
  });

  it('is open where a tenth of the dates does not speak for it', () => {
    const open = Array.from({ length: 28 }, () => '02/01/2024');
    const future = ['02/07/2024', '02/08/2024', '01/08/2024'];
    expect(order(...open.slice(0, 27), ...future)).toBe('month_first');
    expect(order(...open, ...future)).toBeNull();
  });

  it('reads two digits of a year as the database does, from 1969 on', () => {
    // 2069 would lie in the future in either order; in 1969 these are weekdays in both.
    expect(order('01/02/69', '03/04/69', '02/01/69')).toBeNull();
    expect(bothReadings('03/04/98')).toEqual({ monthFirst: '1998-03-04', dayFirst: '1998-04-03' });
    expect(bothReadings('03/04/69')).toMatchObject({ monthFirst: '1969-03-04' });
    expect(bothReadings('03.04.68')).toMatchObject({ monthFirst: '2068-03-04' });
    expect(bothReadings(' 03-04-2020 16:00')).toEqual({ monthFirst: '2020-03-04', dayFirst: '2020-04-03' });
    expect(bothReadings('2020-03-04')).toBeNull();
  });
});

describe('a day as the database reads it', () => {
  it.each<[DateForm, Record<string, string | null>]>([
    [
      'iso',
      {
        '2024-01-05': '2024-01-05',
        ' 2024-01-05T23:59:59-05:00': '2024-01-05',
        '2024-13-05': null,
        '2024-01-051': null,
      },
    ],
    [
      'year_first',
      { '2024/1/5': '2024-01-05', '2024.01.05 16:00': '2024-01-05', '2024年1月5日': '2024-01-05' },
    ],
    ['compact', { '20240105': '2024-01-05', '20240105.0': '2024-01-05', '20241305': null }],
    [
      'month_first',
      {
        '01/05/2024': '2024-01-05',
        '1-5-24': '2024-01-05',
        '1.5.69': '1969-01-05',
        '13/05/2024': null,
        '1/5/202': null,
      },
    ],
    ['day_first', { '05/01/2024': '2024-01-05', '5.1.68 16:00': '2068-01-05', '05/13/2024': null }],
    ['day_month_name', { '5-Jan-24': '2024-01-05', '5. January 2024': '2024-01-05', '35 Jan 2024': null }],
    ['month_name_day', { 'Jan 5, 2024': '2024-01-05', 'January 5 2024': '2024-01-05' }],
    ['excel_days', { '45296': '2024-01-05', '45296.75': '2024-01-05', '145296': null }],
    [
      'epoch_seconds',
      { '1704412800': '2024-01-05', '1704499199': '2024-01-05', '-86400': '1969-12-31', x: null },
    ],
    ['epoch_milliseconds', { '1704412800000': '2024-01-05' }],
    ['epoch_microseconds', { '1704412800000000': '2024-01-05' }],
    ['epoch_nanoseconds', { '1704412800000000000': '2024-01-05', '1704499199999999999': '2024-01-05' }],
  ])('%s', async (form, days) => {
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const values = Object.keys(days).map((text) => `('${text}')`);
    const result = await connection.runAndReadAll(
      `SELECT raw, CAST(${dateSql(form, 'raw')} AS VARCHAR) FROM (VALUES ${values.join()}) AS t(raw)`,
    );
    expect(Object.fromEntries(result.getRows() as [string, string | null][])).toEqual(days);
    connection.closeSync();
    instance.closeSync();
  });
});
