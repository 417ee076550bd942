import { describe, expect, it } from 'vitest';
import { heldDecisions, type LastClose, livedRecord, missingInWords } from './lived.ts';
import type { DecisionDocument } from './projections.ts';

const decided = (
  day: string,
  weights: Record<string, number>,
  more: Partial<DecisionDocument['decision']> & {
    correction?: DecisionDocument['correction'];
    decidedAt?: string;
  } = {},
) => {
  const { correction = null, decidedAt = `${day}T22:00:00Z`, ...fields } = more;
  const decision = { weights, revision: 1, isLate: false, ...fields } as DecisionDocument['decision'];
  return { day, decidedAt, decision, correction };
};
const closes =
  (columns: Record<string, Record<string, number>>): LastClose =>
  (ticker, day) => {
    const [last] = Object.entries(columns[ticker] ?? {})
      .filter(([known]) => known <= day)
      .slice(-1);
    return last && { day: last[0], close: last[1] };
  };

const PRICES = closes({
  SPY: { '2024-01-02': 100, '2024-01-03': 110, '2024-01-04': 99 },
  TLT: { '2024-01-02': 50, '2024-01-03': 50, '2024-01-04': 55 },
});

describe('the record of decisions as they were made', () => {
  it('earns what was held, from the first day on', () => {
    const record = livedRecord(
      [
        decided('2024-01-04', { TLT: 100 }),
        decided('2024-01-02', { SPY: 100 }),
        decided('2024-01-03', { TLT: 100 }),
      ],
      PRICES,
      0,
    );
    expect(record.days).toEqual(['2024-01-02', '2024-01-03', '2024-01-04']);
    expect(record.values[0]).toBe(1);
    expect(record.values[1]).toBeCloseTo(1.1, 12);
    expect(record.values[2]).toBeCloseTo(1.1 * 1.1, 12);
    expect(record.marks).toEqual([]);
  });

  it('charges what is traded, drift left alone, and lets cash rest', () => {
    // Half of it rose by 10%: 55 of 105 is the drifted weight.
    const drifted = (100 * 0.55) / 1.05;
    const rested = livedRecord(
      [decided('2024-01-02', { SPY: 50 }), decided('2024-01-03', { SPY: drifted })],
      PRICES,
      0.01,
    );
    expect(rested.values[1]).toBeCloseTo(1.05, 12);
    const traded = livedRecord(
      [decided('2024-01-02', { SPY: 50 }), decided('2024-01-03', { TLT: 100 })],
      PRICES,
      0.01,
    );
    expect(traded.values[1]).toBeCloseTo(1.05 * (1 - 0.01 * (drifted / 100 + 1)), 12);
  });

  it('stands where a day was decided again, and marks what a reader must know', () => {
    const restated = [{ ticker: 'SPY', day: '2023-12-29', was: 98, is: 99 }];
    const correction = { weights: { TLT: 100 }, restated } as unknown as DecisionDocument['correction'];
    const decisions = [
      decided('2024-01-02', { SPY: 100 }, { correction }),
      decided('2024-01-02', { TLT: 100 }, { revision: 2, decidedAt: '2024-01-02T23:00:00Z' }),
      decided('2024-01-03', { TLT: 100 }, { revision: 2, isLate: true }),
    ];
    const record = livedRecord(decisions, PRICES, 0);
    expect(record.values).toEqual([1, expect.closeTo(1.1, 12)]);
    expect(record.marks).toEqual([
      { kind: 'restated', day: '2024-01-02', restated },
      { kind: 'revision', day: '2024-01-03', revision: 2 },
      { kind: 'late', day: '2024-01-03' },
    ]);
    expect(heldDecisions(decisions).map(({ decision }) => decision.revision)).toEqual([1, 2]);
  });

  it('does not trade what was decided late: what is held drifts until a decision in time', () => {
    const record = livedRecord(
      [
        decided('2024-01-02', { SPY: 100 }),
        decided('2024-01-03', { TLT: 100 }, { isLate: true }),
        decided('2024-01-04', { TLT: 100 }),
      ],
      PRICES,
      0.01,
    );
    expect(record.values[1]).toBeCloseTo(1.1, 12);
    // SPY falls by a tenth, since nobody could have sold it; then all of it is sold for TLT.
    expect(record.values[2]).toBeCloseTo(1.1 * 0.9 * (1 - 0.01 * 2), 12);
    const lateStart = livedRecord(
      [decided('2024-01-02', { SPY: 100 }, { isLate: true }), decided('2024-01-03', { SPY: 100 })],
      PRICES,
      0.01,
    );
    // It begins with the first decision that could be traded, whose purchase is not charged.
    expect(lateStart.values).toEqual([1, 1]);
  });

  it('holds nothing while nobody follows', () => {
    const record = livedRecord(
      [decided('2024-01-02', { SPY: 100 }), decided('2024-01-04', { SPY: 100 })],
      PRICES,
      0.02,
      new Set(['2024-01-04']),
    );
    // Bought anew, at the cost of that; SPY itself has fallen by 1% meanwhile.
    expect(record.values).toEqual([1, 0.98]);
    expect(record.marks).toEqual([{ kind: 'resumed', day: '2024-01-04' }]);
  });

  it('repeats the last close where one is missing, and earns the whole move afterwards', () => {
    const prices = closes({ SPY: { '2024-01-01': 90, '2024-01-03': 110, '2024-01-05': 121 } });
    const days = ['2024-01-02', '2024-01-03', '2024-01-04', '2024-01-05'];
    const record = livedRecord(
      days.map((day) => decided(day, { SPY: 100 })),
      prices,
      0.001,
    );
    expect(record.days).toEqual(days);
    // Bought on the first day at the close of the day before it, which is no day of the record.
    expect(record.values).toEqual(
      [1, 110 / 90, 110 / 90, 121 / 90].map((value) => expect.closeTo(value, 12)),
    );
    expect(record.missing).toEqual([
      { ticker: 'SPY', day: '2024-01-02', repeated: '2024-01-01' },
      { ticker: 'SPY', day: '2024-01-04', repeated: '2024-01-03' },
    ]);
  });

  it('does not miss closes of what was not held', () => {
    const prices = closes({ SPY: { '2024-01-02': 100 }, TLT: { '2024-01-02': 50, '2024-01-03': 55 } });
    const record = livedRecord(
      [decided('2024-01-02', { TLT: 100, SPY: 0 }), decided('2024-01-03', { SPY: 100 })],
      prices,
      0,
    );
    expect(record.values).toEqual([1, expect.closeTo(1.1, 12)]);
    expect(record.missing).toEqual([]);
  });

  it('takes what has no close up to then as unmoved, and the rest as it is', () => {
    const prices = closes({
      NEW: { '2024-01-04': 7 },
      SPY: { '2024-01-02': 100, '2024-01-03': 110, '2024-01-04': 99 },
    });
    const half = { NEW: 50, SPY: 50 };
    const record = livedRecord(
      [decided('2024-01-02', half), decided('2024-01-03', half), decided('2024-01-04', half)],
      prices,
      0,
    );
    expect(record.values).toEqual([1, expect.closeTo(1.05, 12), expect.closeTo(1.05 * 0.95, 12)]);
    expect(record.missing).toEqual([
      { ticker: 'NEW', day: '2024-01-02', repeated: null },
      { ticker: 'NEW', day: '2024-01-03', repeated: null },
    ]);
  });

  it('tells what is missing by ticker and then by day', () => {
    const both = { TLT: 50, SPY: 50 };
    const days = ['2024-01-02', '2024-01-03', '2024-01-04'];
    const record = livedRecord(
      days.map((day) => decided(day, both)),
      closes({}),
      0,
    );
    expect(record.missing.map(({ ticker, day }) => `${ticker} ${day}`)).toEqual([
      'SPY 2024-01-02',
      'SPY 2024-01-03',
      'SPY 2024-01-04',
      'TLT 2024-01-02',
      'TLT 2024-01-03',
      'TLT 2024-01-04',
    ]);
    expect(record.values).toEqual([1, 1, 1]);
  });

  it('says in words what is missing and what was assumed', () => {
    expect(
      missingInWords([
        { ticker: 'NEW', day: '2024-01-02', repeated: null },
        { ticker: 'SPY', day: '2024-01-04', repeated: '2024-01-03' },
        { ticker: 'SPY', day: '2024-01-05', repeated: '2024-01-03' },
        { ticker: 'SPY', day: '2024-01-08', repeated: '2024-01-03' },
        { ticker: 'SPY', day: '2024-01-10', repeated: '2024-01-09' },
      ]),
    ).toEqual([
      'NEW was held, and has no close on 2024-01-02 in the market data of today. There is none ' +
        'before to repeat, so it counts as if it had not moved.',
      'SPY was held, and has no close on 3 days from 2024-01-04 to 2024-01-08 in the market data ' +
        'of today. Its close of 2024-01-03 was repeated, a return of 0.',
      'SPY was held, and has no close on 2024-01-10 in the market data of today. Its close of ' +
        '2024-01-09 was repeated, a return of 0.',
    ]);
    expect(missingInWords([])).toEqual([]);
  });

  it('is empty before the first decision', () => {
    expect(livedRecord([], PRICES, 0.001)).toEqual({ days: [], values: [], marks: [], missing: [] });
  });
});
