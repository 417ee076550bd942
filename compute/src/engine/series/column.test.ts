import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignPrices } from './column.ts';

const DAYS = 30;

/** Days of which some are missing, from `from` to `to`. */
const days = (mayMiss: boolean) =>
  fc
    .tuple(fc.nat(DAYS), fc.nat(DAYS), fc.uniqueArray(fc.nat(DAYS), { maxLength: mayMiss ? 5 : 0 }))
    .map(([a, b, missing]) =>
      Int32Array.from({ length: Math.abs(a - b) + 1 }, (_, i) => Math.min(a, b) + i).filter(
        (day) => !missing.includes(day),
      ),
    );

/** As `engine.md` section 1 says it, a day at a time. */
function expected(calendar: Int32Array, bars: ReadonlyMap<number, number>): number[] {
  const kept = [...bars.keys()].filter((day) => calendar.includes(day));
  return Array.from(calendar, (day) => {
    if (day < Math.min(...kept) || day > Math.max(...kept)) return Number.NaN;
    return bars.get(Math.max(...kept.filter((bar) => bar <= day))) as number;
  });
}

test('the closes of a ticker are on the calendar what they are a day at a time, whatever is missing where', () => {
  fc.assert(
    fc.property(fc.boolean().chain(days), fc.boolean().chain(days), (calendar, ticker) => {
      const closes = Float64Array.from(ticker, (day) => 100 + day);
      const { first, last, values } = alignPrices(calendar, { ticker: 'T', days: ticker, closes });
      const wanted = expected(calendar, new Map(Array.from(ticker, (day, i) => [day, closes[i] as number])));
      expect([...values]).toEqual(wanted);
      const defined = wanted.flatMap((value, i) => (Number.isNaN(value) ? [] : [i]));
      if (defined.length === 0) expect(first).toBeGreaterThan(last);
      else expect([first, last]).toEqual([defined[0], defined.at(-1)]);
    }),
    { numRuns: 500 },
  );
});
