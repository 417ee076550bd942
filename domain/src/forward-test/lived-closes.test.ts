import { describe, expect, it } from 'vitest';
import { day as dayNumber } from '../market-data/day.ts';
import { recordOn } from './lived-closes.ts';
import type { DecisionDocument } from './projections.ts';

/** What is held at the close of each day. */
const decisions = (...days: readonly string[]) =>
  days.map((day) => ({
    day,
    decidedAt: `${day}T23:30:00Z`,
    decision: { weights: { SPY: 100 }, revision: 0, isLate: false },
    correction: null,
  })) as unknown as DecisionDocument[];

const marketData = (...days: readonly string[]) => ({
  load: async () =>
    new Map([
      [
        'SPY',
        {
          ticker: 'SPY',
          days: Int32Array.from(days, dayNumber),
          closes: Float64Array.from(days, (_, i) => 100 + i),
        },
      ],
    ]),
});

describe('the record on closes', () => {
  it('goes on over a close on a holiday and over those of a weekend', async () => {
    const closes = marketData('2024-07-03', '2024-07-04', '2024-07-05', '2024-07-06', '2024-07-08');
    const record = await recordOn(closes, 'v', decisions('2024-07-03', '2024-07-05', '2024-07-08'));
    expect(record.marks).toEqual([]);
    expect(record.values.at(-1)).toBeCloseTo(1.04, 10);
  });

  it('begins anew after sessions on which nobody followed', async () => {
    const closes = marketData('2024-07-03', '2024-07-05', '2024-07-08');
    const record = await recordOn(closes, 'v', decisions('2024-07-03', '2024-07-08'));
    expect(record.marks).toEqual([{ kind: 'resumed', day: '2024-07-08' }]);
    expect(record.values[0]).toBe(1);
  });

  it('is of the tickers that were held, after the default costs of a backtest', async () => {
    const held = decisions('2024-07-03', '2024-07-05', '2024-07-08').map((one, index) => ({
      ...one,
      decision: { ...one.decision, weights: index === 0 ? { SPY: 100 } : { TLT: 100 } },
    })) as unknown as DecisionDocument[];
    const asked: unknown[] = [];
    const series = (ticker: string, ...closes: readonly number[]) => ({
      ticker,
      days: Int32Array.from(['2024-07-03', '2024-07-05', '2024-07-08'], dayNumber),
      closes: Float64Array.from(closes),
    });
    const load = async (version: string, tickers: readonly string[]) => {
      asked.push(version, tickers);
      return new Map([
        ['SPY', series('SPY', 100, 110, 50)],
        ['TLT', series('TLT', 50, 50, 60)],
      ]);
    };
    const record = await recordOn({ load } as never, 'v7', held);
    expect(asked).toEqual(['v7', ['SPY', 'TLT']]);
    // All of it is sold and bought again on the second day: a turnover of 2 at 10 bps.
    expect(record.values).toEqual([1, expect.closeTo(1.1 - 0.002, 3), expect.closeTo(1.098 * 1.2, 3)]);
    expect(record.marks).toEqual([]);
    expect(record.missing).toEqual([]);
  });

  it('misses what has no close up to a day, and what has none at all', async () => {
    const late = await recordOn(marketData('2024-07-05'), 'v', decisions('2024-07-03', '2024-07-05'));
    expect(late.missing).toEqual([{ ticker: 'SPY', day: '2024-07-03', repeated: null }]);
    const none = await recordOn(
      { load: async () => new Map() },
      'v',
      decisions('2024-07-03', '2024-07-05', '2024-07-08'),
    );
    expect(none.values).toEqual([1, 1, 1]);
    expect(none.missing.map(({ day }) => day)).toEqual(['2024-07-03', '2024-07-05', '2024-07-08']);
  });
});
