import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Bars, compareSeries, countChanges, mergeSeries } from './series-comparison.ts';

const bars = (prices: Readonly<Record<number, number>>): Bars => ({
  days: Int32Array.from(Object.keys(prices), Number),
  closes: Float64Array.from(Object.values(prices)),
});

/** Days in a row with prices as computed. */
const someBars = fc
  .array(fc.double({ min: 0.5, max: 5000, noNaN: true }), { minLength: 5, maxLength: 40 })
  .map((prices) => bars(Object.fromEntries(prices.map((price, i) => [100 + i, price]))));

/** Days with gaps before, between and behind those of others. */
const gappyBars = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 20 })
  .chain((days) => fc.tuple(fc.constant(days), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 30 })))
  .map(([days, prices]) => bars(Object.fromEntries(days.map((day, i) => [day, prices[i] as number]))));

/** Closes by day. */
const byDay = ({ days, closes }: Bars) => new Map([...days].map((day, i) => [day, closes[i] as number]));

describe('compareSeries', () => {
  it('knows series without a common day', () => {
    expect(compareSeries(bars({ 1: 5 }), bars({ 2: 5 }))).toEqual({ kind: 'apart' });
  });

  it('takes prices of another rounding for the same', () => {
    const stored = bars({ 1: 10.1234567, 2: 10.4567891, 3: 9.8765432 });
    expect(compareSeries(stored, bars({ 1: 10.12, 2: 10.46, 3: 9.88, 4: 10 }))).toEqual({
      kind: 'equal',
      common: 3,
    });
  });

  it('takes a cent for a difference where both are rounded alike', () => {
    const stored = bars({ 1: 100, 2: 101.25, 3: 102.5, 4: 103.75 });
    expect(compareSeries(stored, bars({ 1: 100, 2: 101.26, 3: 102.5, 4: 103.75 }))).toEqual({
      kind: 'different',
      common: 4,
      count: 1,
      days: [{ day: 2, stored: 101.25, incoming: 101.26 }],
    });
  });

  it('finds a factor of rounded prices, each off by its own rounding', () => {
    const stored = bars({ 1: 10.13, 2: 10.47, 3: 9.88, 4: 10.02, 5: 11.1 });
    const incoming = bars({ 1: 5.06, 2: 5.23, 3: 4.94, 4: 5.01, 5: 5.55 });
    expect(compareSeries(stored, incoming)).toMatchObject({ kind: 'rebased', common: 5 });
    // Of a cent more than its rounding allows, it is none.
    expect(compareSeries(stored, bars({ 1: 5.06, 2: 5.25, 3: 4.94, 4: 5.01, 5: 5.55 })).kind).toBe(
      'different',
    );
  });

  it.each([
    ['down', [10.003, 10.004, 10, 10.003, 10.002], 10],
    ['up', [10.007, 10.006, 10.01, 10.007, 10.008], 10.01],
  ])('lists what is off in one direction, though each may be rounding: %s', (_, exact, rounded) => {
    const days = (prices: readonly number[]) =>
      bars(Object.fromEntries(prices.map((price, i) => [i + 1, price])));
    expect(compareSeries(days(exact), days(exact.map(() => rounded)))).toEqual({
      kind: 'different',
      common: 5,
      count: 4,
      days: [1, 2, 4, 5].map((day) => ({ day, stored: exact[day - 1], incoming: rounded })),
    });
    // On two days alone that says nothing.
    expect(compareSeries(days(exact.slice(0, 2)), days([rounded, rounded])).kind).toBe('equal');
  });

  it('takes what is off in both directions for rounding', () => {
    const stored = bars({ 1: 10.003, 2: 9.997, 3: 10.004, 4: 9.996 });
    expect(compareSeries(stored, bars({ 1: 10, 2: 10, 3: 10, 4: 10 })).kind).toBe('equal');
  });

  it('does not take a price that is higher by the same share on every day for rounding', () => {
    const stored = bars({ 1: 10.001, 2: 10.002, 3: 10.003, 4: 10.004 });
    const incoming = bars({ 1: 10.01, 2: 10.01, 3: 10.01, 4: 10.01 });
    expect(compareSeries(stored, incoming).kind).not.toBe('equal');
  });

  it('needs three days to believe in a factor', () => {
    expect(compareSeries(bars({ 1: 10, 2: 20 }), bars({ 1: 5, 2: 10 })).kind).toBe('different');
    expect(compareSeries(bars({ 1: 10, 2: 20, 3: 30 }), bars({ 1: 5, 2: 10, 3: 15 }))).toEqual({
      kind: 'rebased',
      common: 3,
      factor: 0.5,
    });
  });

  it('finds the factor of any series, and none where a single price is off', () => {
    fc.assert(
      fc.property(someBars, fc.double({ min: 0.01, max: 0.98, noNaN: true }), (stored, factor) => {
        const rebased = { days: stored.days, closes: stored.closes.map((close) => close * factor) };
        const found = compareSeries(stored, rebased);
        expect(found.kind).toBe('rebased');
        if (found.kind === 'rebased') expect(found.factor).toBeCloseTo(factor, 6);
        const closes = rebased.closes.map((close, i) => (i === 2 ? close * 1.5 : close));
        expect(compareSeries(stored, { days: stored.days, closes }).kind).toBe('different');
      }),
    );
  });
});

describe('mergeSeries', () => {
  it('never loses a day, and keeps the stored price of common days', () => {
    const merged = mergeSeries(bars({ 1: 10, 2: 11, 4: 12 }), bars({ 2: 11.001, 3: 11.5, 5: 13 }));
    expect([...merged.days]).toEqual([1, 2, 3, 4, 5]);
    expect([...merged.closes]).toEqual([10, 11, 11.5, 12, 13]);
    expect(merged.added).toBe(2);
  });

  it('puts old prices on the new basis', () => {
    const merged = mergeSeries(bars({ 1: 10, 2: 20, 3: 30 }), bars({ 3: 15, 4: 16 }), 0.5);
    expect([...merged.closes]).toEqual([5, 10, 15, 16]);
  });
});

describe('countChanges', () => {
  it('merges and counts any two series as maps by day do', () => {
    fc.assert(
      fc.property(gappyBars, gappyBars, fc.constantFrom(1, 0.5), (stored, incoming, factor) => {
        const [old, fresh] = [byDay(stored), byDay(incoming)];
        const scaled = new Map([...old].map(([day, close]) => [day, close * factor]));
        const expected = factor === 1 ? new Map([...fresh, ...old]) : new Map([...scaled, ...fresh]);
        const merged = mergeSeries(stored, incoming, factor);
        expect([...merged.days]).toEqual([...expected.keys()].sort((a, b) => a - b));
        expect(byDay(merged)).toEqual(expected);
        const isNew = (day: number) => !old.has(day);
        expect(merged.added).toBe([...fresh.keys()].filter(isNew).length);
        const changed = [...old].filter(([day, close]) => fresh.has(day) && fresh.get(day) !== close);
        const lost = [...old].filter(([day]) => !fresh.has(day));
        expect(countChanges(stored, incoming)).toEqual({
          added: merged.added,
          changed: changed.length,
          lost: lost.length,
          firstChanged: [...changed, ...lost].map(([day]) => day).sort((a, b) => a - b)[0] ?? null,
          firstAdded: [...fresh.keys()].filter(isNew).sort((a, b) => a - b)[0] ?? null,
        });
        const inCommon = [...old.keys()].filter((day) => fresh.has(day)).length;
        const comparison = compareSeries(stored, incoming);
        expect(comparison.kind === 'apart' ? 0 : comparison.common).toBe(inCommon);
      }),
    );
  });

  it('counts what is new, changed and lost', () => {
    expect(countChanges(bars({ 1: 1, 2: 2, 3: 3 }), bars({ 2: 2, 3: 4, 5: 5 }))).toEqual({
      added: 1,
      changed: 1,
      lost: 1,
      firstChanged: 1,
      firstAdded: 5,
    });
    expect(countChanges(bars({ 1: 1 }), bars({ 1: 1, 2: 2 }))).toMatchObject({
      added: 1,
      firstChanged: null,
      firstAdded: 2,
    });
  });
});
