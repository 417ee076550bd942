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
});
