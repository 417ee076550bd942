import { afterEach, describe, expect, it } from 'vitest';
import {
  dateFaults,
  defaultSettings,
  lastDayOf,
  readSlippage,
  searchOf,
  settingsOfSearch,
  settingsOfTerms,
} from './run-settings.ts';

const NOW = new Date('2026-11-25T17:00:00Z');
const read = (search: string) => settingsOfSearch(new URLSearchParams(search), NOW);

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

describe('the settings of a run', () => {
  it('know the last day that any ticker has a price', () => {
    const days = ['2026-11-18', '2026-11-20', '2019-03-01'];
    expect(lastDayOf(days.map((last_day) => ({ last_day })))).toBe('2026-11-20');
    expect(lastDayOf([])).toBeUndefined();
  });
  it('take whole basis points from 0 to 1000 only', () => {
    const readIt = (text: string) => {
      const entry = readSlippage(text);
      return entry.isRead ? entry.value : null;
    };
    expect(['0', '1000', '12', '25 bps', '1 bp'].map(readIt)).toEqual([0, 1000, 12, 25, 1]);
    expect(['', ' ', '-1', '1001', '1.5', 'ten'].map(readIt)).toEqual([null, null, null, null, null, null]);
  });
  it('stand in an address, and come back from it', () => {
    const settings = {
      ...defaultSettings(NOW),
      startDate: '2010-01-04',
      endDate: '2020-12-31',
      slippageBps: 0,
      fill: 'next-close' as const,
      benchmarks: ['QQQ'],
    };
    const search = searchOf(settings, new URLSearchParams('x=1'), NOW);
    expect(search.get('x')).toBe('1');
    expect(settingsOfSearch(search, NOW)).toEqual({ settings, refused: [] });
    expect(read('')).toEqual({ settings: defaultSettings(NOW), refused: [] });
    // Settings that are the default again leave nothing of an earlier address.
    expect(searchOf(defaultSettings(NOW), search, NOW).toString()).toBe('x=1');
  });
  it.each<[string, string, RegExp]>([
    ['from=2024-02-30', 'from', /on no calendar/],
    ['from=yesterday', 'from', /is no date/],
    ['from=2999-01-01', 'from', /^No date after /],
    ['to=2026-13-01', 'to', /on no calendar/],
    ['to=2027-01-01', 'to', /^No date after /],
    ['slippage=1.5', 'slippage', /whole number/],
    ['fill=tomorrow', 'fill', /close or next-close/],
    ['cash=101', 'cash', /-50 to 100/],
    ['reads=tea', 'reads', /indicator_prices must be/],
  ])('name the part of an address that is refused, %s, and keep the others', (part, name, reason) => {
    const others = { from: '2010-01-04', to: '2020-12-31', slippage: '25', fill: 'next-close', cash: '4' };
    const search = new URLSearchParams({ ...others, ...Object.fromEntries(new URLSearchParams(part)) });
    const { settings, refused } = settingsOfSearch(search, NOW);
    expect(refused).toEqual([{ name, value: search.get(name), reason: expect.stringMatching(reason) }]);
    search.delete(name);
    expect(settings).toEqual(settingsOfSearch(search, NOW).settings);
    expect(settings).not.toEqual(defaultSettings(NOW));
  });
  it('may end on the own day where that has begun already, and not on the one after it', () => {
    process.env.TZ = 'Pacific/Kiritimati';
    expect(read('to=2026-11-26')).toMatchObject({ settings: { endDate: '2026-11-26' }, refused: [] });
    expect(read('to=2026-11-27').refused).toMatchObject([{ name: 'to' }]);
  });
  it('are those of recorded terms', () => {
    const terms = { starting_balance: 10_000, benchmark_ticker: 'SPY', slippage_bps: 25, cash: { rate: 4 } };
    expect(settingsOfTerms({ ...terms, start_date: '2010-01-04', end_date: '2020-12-31' })).toEqual({
      ...defaultSettings(NOW),
      startDate: '2010-01-04',
      endDate: '2020-12-31',
      slippageBps: 25,
      cash: { rate: 4 },
    });
  });
  it('say which date is missing', () => {
    expect(dateFaults({ startDate: null, endDate: '' })).toEqual({
      start: 'Start date is required',
      end: 'End date is required',
    });
    expect(dateFaults(defaultSettings(NOW))).toEqual({ start: null, end: null });
  });
});
