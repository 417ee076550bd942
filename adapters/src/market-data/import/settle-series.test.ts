import { day } from '@quantloom/domain/market-data/day';
import { describe, expect, it } from 'vitest';
import { type IncomingSeries, type StoredSeries, settleSeries } from './settle-series.ts';

const FIRST = day('2024-01-05');
/** Prices on consecutive days from `from` on, counted from the first one. */
const bars = (
  from: number,
  closes: readonly number[],
  adjustment: IncomingSeries['adjustment'] = 'splits',
) => ({
  days: Int32Array.from(closes, (_, i) => FIRST + from + i),
  closes: Float64Array.from(closes),
  adjustment,
});
const settle = (stored: ReturnType<typeof bars>, incoming: ReturnType<typeof bars>) => {
  const settled = settleSeries('SPY', { ...stored, source: 'a.csv' } as StoredSeries, incoming);
  return settled.action === 'refused' ? settled.problem : { ...settled, bars: [...settled.bars.closes] };
};

describe('prices that come in', () => {
  it('are refused on another basis, unless one of them is unknown', () => {
    expect(settle(bars(0, [10, 11], 'none'), bars(0, [10, 11]))).toBe(
      'SPY: the stored prices (a.csv) are not adjusted, these are adjusted for splits only',
    );
    expect(settle(bars(0, [10, 11], 'unknown'), bars(0, [10, 11]))).toMatchObject({ action: 'unchanged' });
    expect(settle(bars(0, [10, 11]), bars(0, [10, 11], 'unknown'))).toMatchObject({ action: 'unchanged' });
  });

  it('are told with five days of those that differ, and how many there are besides', () => {
    const stored = Array.from({ length: 8 }, (_, i) => 100 + i);
    const other = (count: number) =>
      stored.map((price, i) => (i < count ? price * (i % 2 ? 1.1 : 0.9) : price));
    expect(settle(bars(0, stored), bars(0, other(7)))).toMatch(
      /^SPY: 7 of 8 common days have another price \(2024-01-05 stored 100, now 90; (?:[^;]+; ){3}[^;]+ and 2 more\)$/,
    );
    expect(settle(bars(0, stored), bars(0, other(5)))).toMatch(/^(?!.*more).*5 of 8/);
  });

  it('take the place of all stored days where they hold each of them on a new basis, else multiply the rest', () => {
    const stored = [100, 101, 103, 102, 105];
    const half = stored.map((price) => price / 2);
    expect(settle(bars(0, stored), bars(0, [...half, 53]))).toMatchObject({
      action: 'replaced',
      factor: 0.5,
      bars: [...half, 53],
      remark: expect.stringContaining('(a split of 2:1?); replaced as a whole'),
    });
    for (const incoming of [bars(1, half.slice(1)), bars(0, half.slice(0, -1))])
      expect(settle(bars(0, stored), incoming)).toMatchObject({ action: 'rescaled', bars: half });
    // A day is missing in the middle.
    const incoming = bars(0, half);
    const days = incoming.days.filter((_, i) => i !== 2);
    const closes = incoming.closes.filter((_, i) => i !== 2);
    expect(settle(bars(0, stored), { ...incoming, days, closes })).toMatchObject({
      action: 'rescaled',
      bars: half,
    });
  });
});

describe('prices without a stored day', () => {
  it('go on from the stored ones within ten days, before or behind them', () => {
    expect(settle(bars(0, [10, 11]), bars(2, [12]))).toMatchObject({
      action: 'appended',
      bars: [10, 11, 12],
      remark: expect.stringContaining('between 2024-01-06 and 2024-01-07 cannot be seen'),
    });
    expect(settle(bars(2, [12]), bars(0, [10, 11]))).toMatchObject({ bars: [10, 11, 12] });
    expect(settle(bars(0, [10]), bars(10, [11]))).toMatchObject({ action: 'appended' });
    expect(settle(bars(0, [10]), bars(11, [11]))).toMatch(
      /between 2024-01-05 and 2024-01-16 there are no prices/,
    );
    expect(settle(bars(11, [11]), bars(0, [10]))).toMatch(
      /between 2024-01-05 and 2024-01-16 there are no prices/,
    );
  });

  it('are refused between stored ones', () => {
    const stored = { ...bars(0, [10, 11]), days: Int32Array.of(FIRST, FIRST + 2) };
    expect(settle(stored, bars(1, [10.5]))).toContain('come in turns');
  });

  it('are refused where the price moves as it does at a split, in either direction', () => {
    const moves = (to: number) => settle(bars(0, [100]), bars(1, [to]));
    expect(moves(50)).toContain('moves by -50.0% from 2024-01-05 to 2024-01-06');
    expect(moves(200)).toContain('moves by 100.0%');
    expect(moves(125)).toMatchObject({ action: 'appended' });
    expect(moves(126)).toContain('moves by 26.0%');
    expect(moves(79)).toContain('moves by -21.0%');
    expect(moves(81)).toMatchObject({ action: 'appended' });
  });
});
