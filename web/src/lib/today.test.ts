import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import { readTerms } from '@quantloom/domain/strategy/backtest-terms';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyForm } from '../features/batches/model/batch-form.ts';
import { defaultSettings } from '../features/editor/model/run-settings.ts';
import { toDay } from './format.ts';
import { lastDayToPick, today } from './today.ts';

const before = process.env.TZ;
afterEach(() => {
  process.env.TZ = before;
});

/** UTC+14, +9 and -11, and zones whose clocks change. */
const ZONES = [
  'Pacific/Kiritimati',
  'Asia/Tokyo',
  'Pacific/Pago_Pago',
  'Australia/Sydney',
  'Europe/Berlin',
  'America/New_York',
];
/** An ordinary day, and the days on which clocks change in New York, Sydney and Berlin. */
const DAYS = [
  '2026-11-22',
  '2026-03-08',
  '2026-11-01',
  '2026-04-05',
  '2026-10-04',
  '2026-03-29',
  '2026-10-25',
];

describe.each(ZONES)('today in %s', (zone) => {
  it.each(DAYS)(
    'is the day at the exchange, and the own day can be picked and run, at every hour of %s',
    (day) => {
      process.env.TZ = zone;
      for (let hour = 0; hour < 24; hour++) {
        const now = new Date(Date.parse(`${day}T00:30:00Z`) + hour * 3_600_000);
        const exchange = exchangeDay(now);
        expect(today(now)).toBe(exchange);
        expect(defaultSettings(now).endDate).toBe(exchange);
        expect(emptyForm(now).endDate).toBe(exchange);
        const own = toDay(now);
        // The later one of both: of the other there is no more than that.
        expect(lastDayToPick(now)).toBe([own, exchange].sort().at(-1));
        for (const end of [exchange, own, lastDayToPick(now)])
          expect(
            isRefusal(readTerms({ start_date: '1990-01-01', end_date: end }, exchange)),
            `${now.toISOString()} ${end}`,
          ).toBe(false);
      }
    },
  );
  it('follows the time zone that is set, so that the above tests something', () => {
    process.env.TZ = zone;
    const shown = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hour: 'numeric',
      hourCycle: 'h23',
    }).format(new Date('2026-11-22T00:30:00Z'));
    expect(new Date('2026-11-22T00:30:00Z').getHours()).toBe(Number(shown));
  });
});
