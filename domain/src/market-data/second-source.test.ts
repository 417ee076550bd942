import { describe, expect, it } from 'vitest';
import { day } from './day.ts';
import { compareSources } from './second-source.ts';
import { sessionsBetween } from './trading-calendar.ts';

const DAYS = sessionsBetween(day('2018-01-02'), day('2018-03-29'));
const PRICES = Float64Array.from(DAYS, (_, i) => 90 + 4 * Math.sin(i * 1.7) + i / 10);
const bars = (closes: Float64Array, days = DAYS) => ({ days, closes });

describe('compareSources', () => {
  it('finds nothing where only the level differs', () => {
    const found = compareSources(bars(PRICES), bars(PRICES.map((price) => price * 0.43)), 0.005);
    expect(found).toMatchObject({
      returns: [],
      onlyInFirst: [],
      onlyInSecond: [],
      shiftedBy: 0,
      commonDays: DAYS.length,
    });
    expect(found.correlation).toBeCloseTo(1, 9);
  });

  it('names the day and both returns where one price is off by 1.2 %', () => {
    const at = DAYS.indexOf(day('2018-02-05'));
    const found = compareSources(
      bars(PRICES),
      bars(PRICES.map((price, i) => (i === at ? price * 1.012 : price))),
      0.005,
    );
    expect(found.returns.map((one) => one.day).sort()).toEqual(['2018-02-05', '2018-02-06']);
    const [first] = found.returns.filter((one) => one.day === '2018-02-05');
    expect((first?.second ?? 0) - (first?.first ?? 0)).toBeCloseTo(0.012 * (1 + (first?.first ?? 0)), 9);
  });

  it('names a split that one of them has not adjusted for', () => {
    const found = compareSources(
      bars(PRICES),
      bars(PRICES.map((price, i) => (i < 30 ? price * 2 : price))),
      0.005,
    );
    expect(found.returns).toMatchObject([{ split: '2:1' }]);
  });

  it('notices days that are shifted, and days that one lacks', () => {
    const later = compareSources(bars(PRICES), bars(PRICES.slice(0, -1), DAYS.slice(1)), 1);
    expect(later.shiftedBy).toBe(1);
    const earlier = compareSources(bars(PRICES), bars(PRICES.slice(1), DAYS.slice(0, -1)), 1);
    expect(earlier.shiftedBy).toBe(-1);
    const keep = (_: number, i: number) => i !== 5;
    const missing = compareSources(bars(PRICES), bars(PRICES.filter(keep), DAYS.filter(keep)), 1);
    expect(missing.onlyInFirst).toEqual(['2018-01-09']);
  });
});
