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

  it('names the day and both returns where one price is off by 1.2%', () => {
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

  it('counts as lacking only days that lie within the time that both have', () => {
    const without = (from: number, to: number, ...gaps: readonly number[]) => {
      const keep = (_: number, i: number) => i >= from && i < to && !gaps.includes(i);
      return bars(PRICES.filter(keep), DAYS.filter(keep));
    };
    const found = compareSources(without(0, 40, 10, 20, 39), without(10, 60, 21, 22), 0.005);
    expect(found).toMatchObject({
      onlyInFirst: ['2018-02-01', '2018-02-02'],
      onlyInSecond: ['2018-01-17', '2018-01-31'],
      commonDays: 25,
    });
    const other = compareSources(without(10, 60, 21, 22), without(0, 40, 10, 20, 39), 0.005);
    expect([other.onlyInFirst, other.onlyInSecond]).toEqual([found.onlyInSecond, found.onlyInFirst]);
  });

  it.each([0, 1])('finds nothing to compare where source %i is empty', (empty) => {
    const some = bars(Float64Array.of(1, 2, 4), Int32Array.of(-1, 0, 1));
    const none = bars(new Float64Array(), new Int32Array());
    expect(compareSources(empty === 0 ? none : some, empty === 0 ? some : none, 0.005)).toEqual({
      commonDays: 0,
      onlyInFirst: [],
      onlyInSecond: [],
      returns: [],
      correlation: 0,
      shiftedBy: 0,
    });
  });
});

/** Prices that begin at 1 and have these returns. */
const ofReturns = (...returns: readonly number[]) => {
  const closes = [1];
  for (const one of returns) closes.push((closes.at(-1) as number) * (1 + one));
  return bars(Float64Array.from(closes), DAYS.slice(0, closes.length));
};

describe('returns of two sources', () => {
  it('are told where they differ by more than the threshold, in either direction', () => {
    const [more, less] = [ofReturns(0.5), ofReturns(0.25)];
    const told = { from: '2018-01-02', day: '2018-01-03', split: null };
    expect(compareSources(more, less, 0.25).returns).toEqual([]);
    expect(compareSources(less, more, 0.25).returns).toEqual([]);
    expect(compareSources(more, less, 0.249).returns).toEqual([{ ...told, first: 0.5, second: 0.25 }]);
    expect(compareSources(less, more, 0.249).returns).toEqual([{ ...told, first: 0.25, second: 0.5 }]);
  });

  it('are told by the size of the difference, the largest first', () => {
    const found = compareSources(ofReturns(0.25, 0, 0.5, 0), ofReturns(0, 0.5, -0.5, 0.125), 0.1);
    expect(found.returns.map(({ day: one }) => one)).toEqual([
      '2018-01-05',
      '2018-01-04',
      '2018-01-03',
      '2018-01-08',
    ]);
  });

  it('name a reverse split that the second has not adjusted for', () => {
    const reverse = compareSources(ofReturns(0), ofReturns(9), 0.1);
    expect(reverse.returns).toMatchObject([{ split: '1:10' }]);
    // The move of the day itself is no part of it.
    const amid = compareSources(ofReturns(0.25), ofReturns(1.5), 0.1);
    expect(amid.returns).toMatchObject([{ split: '1:2' }]);
  });

  it.each([
    ['the same', [0.1, 0.2], [0.1, 0.2], 1],
    ['the opposite', [0.1, 0.2, 0.3], [0.3, 0.2, 0.1], -1],
    ['alike', [0.1, 0.2, 0.3], [0.1, 0.3, 0.2], 0.5],
    ['unlike', [0.1, 0.2, 0.3], [0.1, 0.3, 0.1], 0],
    ['a single one', [0.1], [0.1], 0],
    ['still in the first', [0, 0, 0], [0.1, 0.3, 0.1], 0],
    ['still in the second', [0.1, 0.3, 0.1], [0, 0, 0], 0],
  ])('correlate as far as they go together: %s', (_, first, second, correlation) => {
    expect(compareSources(ofReturns(...first), ofReturns(...second), 1).correlation).toBeCloseTo(
      correlation,
      9,
    );
  });
});

describe('a shift by a day', () => {
  const wave = (step: number, count: number) =>
    Float64Array.from({ length: count }, (_, i) => 90 + 4 * Math.sin(i * step));
  const shifted = (prices: Float64Array) => {
    const days = DAYS.slice(0, prices.length);
    return [
      compareSources(bars(prices, days), bars(prices.slice(0, -1), days.slice(1)), 1).shiftedBy,
      compareSources(bars(prices, days), bars(prices.slice(1), days.slice(0, -1)), 1).shiftedBy,
    ];
  };

  it('is told from 20 returns on', () => {
    expect(shifted(wave(1.7, 22))).toEqual([1, -1]);
    expect(shifted(wave(1.7, 21))).toEqual([0, 0]);
  });

  it('is not told where the returns of one day are much like those of the next', () => {
    expect(shifted(wave(0.3, 60))).toEqual([0, 0]);
    expect(shifted(wave(0.9, 60))).toEqual([1, -1]);
  });
});
