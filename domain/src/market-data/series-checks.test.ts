import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, formatDay } from './day.ts';
import { checkSeries, splitLike } from './series-checks.ts';
import { sessionsBetween } from './trading-calendar.ts';

const sessions = sessionsBetween(day('2015-01-02'), day('2019-12-31'));

/** Prices that wander by up to a percent a day, never the same twice, with changes applied on top. */
function series(change: (closes: Float64Array) => void = () => {}, days: Int32Array = sessions) {
  const closes = Float64Array.from(
    days,
    (_, i) => 100 * (1 + 0.01 * Math.sin(i * 1.7)) * (1 + i / 1e4) + i / 997,
  );
  change(closes);
  return { ticker: 'X', days, closes };
}
const context = { lastDay: sessions.at(-1) as number };
const kinds = (subject: ReturnType<typeof series>, more = {}) =>
  checkSeries(subject, { ...context, ...more }).map(({ kind, from }) => `${kind} ${from}`);
const at = (i: number) => formatDay(sessions[i] as number);
const scaleFrom = (i: number, factor: number) => (closes: Float64Array) => {
  for (let k = i; k < closes.length; k++) closes[k] = (closes[k] as number) * factor;
};

describe('checkSeries', () => {
  it('finds nothing in a plain series, nor in an empty one or one of a single day', () => {
    expect(kinds(series())).toEqual([]);
    expect(kinds(series(undefined, new Int32Array()))).toEqual([]);
    expect(kinds({ ticker: 'X', days: sessions.slice(-1), closes: Float64Array.of(1) })).toEqual([]);
  });

  it('finds a price that is undone the next day, and does not show the way back again', () => {
    for (const price of [60, 1, 1000]) {
      const bad = series((closes) => closes.fill(price, 500, 501));
      expect(kinds(bad)).toEqual([`reverting_move ${at(500)}`]);
    }
  });

  it.each([
    [1 / 2, '2:1'],
    [1 / 3, '3:1'],
    [2 / 3, '3:2'],
    [1 / 10, '10:1'],
    [8, '1:8'],
  ])('takes a move to %d of the price for a %s split', (factor, split) => {
    const found = checkSeries(series(scaleFrom(700, factor * 1.002)), context);
    expect(found).toMatchObject([{ kind: 'split_like_move', from: at(700) }]);
    expect(found[0]?.message).toContain(`unadjusted ${split} split`);
  });

  it('shows other moves of more than half', () => {
    expect(kinds(series(scaleFrom(700, 0.43)))).toEqual([`large_move ${at(700)}`]);
    expect(kinds(series(scaleFrom(700, 1.62)))).toEqual([`large_move ${at(700)}`]);
    expect(kinds(series(scaleFrom(700, 0.7)))).toEqual([]);
    expect(splitLike(0.48)).toBeNull();
  });

  it('finds gaps, missing sessions and days on which the exchange was closed', () => {
    const gap = sessions.filter((_, i) => i < 300 || i >= 310);
    expect(kinds(series(undefined, gap))).toEqual([`gap ${at(299)}`]);
    const missing = sessions.filter((_, i) => i !== 300 && i !== 400);
    const found = checkSeries(series(undefined, missing), context);
    expect(found).toMatchObject([{ kind: 'missing_sessions', from: at(300), to: at(400) }]);
    expect(found[0]?.message).toContain(`${at(300)}, ${at(400)}`);
    const christmas = day('2017-12-25');
    const extra = Int32Array.from([...sessions, christmas].sort((a, b) => a - b));
    expect(kinds(series(undefined, extra))).toEqual(['off_calendar_days 2017-12-25']);
  });

  it('says once that a series does not follow the calendar at all', () => {
    const weekly = sessions.filter((_, i) => i % 4 === 0);
    expect(kinds(series(undefined, weekly))).toEqual([`missing_sessions ${at(0)}`]);
  });

  it('finds a price that stands still, but not in a money market fund', () => {
    const still = series((closes) => closes.fill(closes[300] as number, 300, 313));
    expect(kinds(still)).toEqual([`stale_run ${at(300)}`]);
    const calm = series();
    calm.closes.forEach((_, i) => {
      calm.closes[i] = 91.123456 + Math.floor(i / 20) / 1000;
    });
    expect(kinds(calm)).toEqual([]);
  });

  it('finds assets that are barely traded, and coarse rounding', () => {
    const thin = series((closes) => {
      for (let i = 1; i < closes.length; i++) if (i % 6 === 0) closes[i] = closes[i - 1] as number;
    });
    expect(kinds(thin)).toEqual([`barely_traded ${at(0)}`]);
    const coarse = series((closes) => {
      for (let i = 0; i < closes.length; i++)
        closes[i] = Math.round((closes[i] as number) / 4 + (i % 7)) / 10;
    });
    expect(kinds(coarse).some((found) => found.startsWith('coarse_rounding'))).toBe(true);
  });

  it('finds series that stop early or start late', () => {
    expect(kinds(series(), { lastDay: context.lastDay + 11 })).toEqual([
      `stops_early ${at(sessions.length - 1)}`,
    ]);
    expect(kinds(series(), { lastDay: context.lastDay + 10 })).toEqual([]);
    expect(kinds(series(), { listedOn: day('2010-01-04') })).toEqual([`starts_late ${at(0)}`]);
  });

  it('takes any prices without failing, and names days of the series only', () => {
    const price = fc.double({ min: 1e-12, max: 1e12, noNaN: true, minExcluded: true });
    fc.assert(
      fc.property(fc.array(price, { minLength: 1, maxLength: 200 }), (closes) => {
        const days = sessions.slice(0, closes.length);
        const known = new Set([...days].map(formatDay));
        for (const flag of checkSeries({ ticker: 'X', days, closes: Float64Array.from(closes) }, context)) {
          expect(known.has(flag.from) && known.has(flag.to)).toBe(true);
          expect(flag.message).not.toMatch(/NaN|Infinity|undefined/);
        }
      }),
    );
  });
});
