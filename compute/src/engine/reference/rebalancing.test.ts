import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { describe, expect, it } from 'vitest';
import { DAILY, type Rebalancing, tradingDays } from './rebalancing.ts';

/** The exchange's days up to one, two years of them. */
const until = (last: string) => sessionsBetween(day(last) - 730, day(last));
/** Whether the last day of a calendar is one on which is traded. */
function tradesAtTheEnd(calendar: Int32Array, rule: Partial<Rebalancing>): boolean {
  const days = tradingDays({ ...DAILY, ...rule }, calendar, { from: 0, to: calendar.length - 1 });
  return days.at(-1) === 1;
}

describe('the last day of a period at the end of the prices', () => {
  // Before Good Friday; the Friday before Memorial Day, the last Monday of May; before Christmas on a Friday.
  it.each([
    ['2012-04-05', 'weekly'],
    ['2021-05-28', 'monthly'],
    ['2020-12-24', 'weekly'],
  ] as const)('%s is one for a decision that knows the holidays, and for none else (%s)', (last, rule) => {
    const calendar = until(last);
    expect(formatDay(calendar.at(-1) as number)).toBe(last);
    expect(tradesAtTheEnd(calendar, { rule, knowsHolidays: true })).toBe(true);
    expect(tradesAtTheEnd(calendar, { rule })).toBe(false);
  });

  it('is the same for both where no holiday follows', () => {
    for (const [last, rule, isOne] of [
      ['2012-04-04', 'weekly', false],
      ['2012-04-13', 'weekly', true],
      ['2021-05-27', 'monthly', false],
      ['2021-06-30', 'monthly', true],
    ] as const)
      for (const knowsHolidays of [false, true])
        expect(tradesAtTheEnd(until(last), { rule, knowsHolidays }), last).toBe(isOne);
  });

  it('is decided by the day that follows wherever there is one', () => {
    // With the Monday after Good Friday at hand both know; so that what was decided before it stays as it is.
    const calendar = until('2012-04-09');
    for (const knowsHolidays of [false, true]) {
      const rule = { ...DAILY, rule: 'weekly', knowsHolidays } as const;
      const days = tradingDays(rule, calendar, { from: 0, to: calendar.length - 1 });
      expect(days.at(-2)).toBe(1);
    }
  });

  it('goes by the next weekday on a calendar that is not the exchange’s', () => {
    const everyDay = Int32Array.from({ length: 400 }, (_, i) => day('2012-04-05') - 399 + i);
    expect(tradesAtTheEnd(everyDay, { rule: 'weekly', knowsHolidays: true })).toBe(false);
  });

  it('knows them in a file that misses a day', () => {
    const calendar = until('2012-04-05').filter((value) => value !== day('2012-02-14'));
    expect(tradesAtTheEnd(calendar, { rule: 'weekly', knowsHolidays: true })).toBe(true);
  });
});
