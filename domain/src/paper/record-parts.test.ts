import { describe, expect, it } from 'vitest';
import type { PriceSeries } from '../ports/market-data.ts';
import type { PaperTerms } from './account.ts';
import { paperRecord } from './record.ts';

const dayOf = (i: number) => new Date((20_000 + i) * 86_400_000).toISOString().slice(0, 10);
const series = (closes: readonly number[], from = 0) =>
  ({
    ticker: 'X',
    days: Int32Array.from(closes, (_, i) => 20_000 + from + i),
    closes: Float64Array.from(closes),
  }) as unknown as PriceSeries;
const terms: PaperTerms = {
  broker: 'own',
  strategyIds: ['s'],
  isFractional: true,
  cash: 1_000,
  slippageBps: 0,
  startDay: dayOf(0),
  sealedKey: null,
  keyHint: null,
};
const decided = (i: number, weights: Record<string, number>, over: object = {}, at = dayOf(i)) =>
  ({
    day: dayOf(i),
    decidedAt: at,
    decision: { strategyId: 's', weights, isLate: false, revision: 0, turnover: 1, ...over },
  }) as never;
const basket = (i: number, ...orders: object[]) => ({ day: dayOf(i), orders }) as never;
type Parts = Parameters<typeof paperRecord>[0];
const record = (over: Partial<Parts>) =>
  paperRecord({
    terms,
    costs: 0,
    held: [{ day: dayOf(0), cash: 1_000, positions: {} }],
    decisions: [],
    baskets: [],
    series: new Map([['SPY', series([100, 110, 121])]]),
    ...over,
  });
const full = [0, 1, 2].map((i) => decided(i, { SPY: 100 }));
const end = (traded: number, quantity: number, status = 'ended') => ({ traded, quantity, status });

describe('the record of an account', () => {
  it('is empty where nothing was decided', () => {
    expect(record({})).toEqual({ days: [], account: [], as_lived: [], gap: null, reasons: [] });
  });

  it('begins with the account, on the money that it had', () => {
    const late = record({
      decisions: full,
      terms: { ...terms, cash: 500, startDay: dayOf(1) },
      held: [{ day: dayOf(1), cash: 500, positions: {} }],
    });
    expect(late.days).toEqual([dayOf(1), dayOf(2)]);
    expect(late.as_lived).toEqual([500, 550].map((n) => expect.closeTo(n, 9)));
    const unheld = record({ decisions: full, held: [], terms: { ...terms, startDay: dayOf(2) } });
    expect([unheld.days, unheld.account]).toEqual([[dayOf(2)], [0]]);
  });

  it('counts what is held from its day on, by what it has earned since', () => {
    const position = { quantity: 5, day: dayOf(0), close: 200 };
    const { account } = record({
      decisions: full,
      held: [
        { day: dayOf(0), cash: 1_000, positions: {} },
        // Counted with 200 where the data of today say 100: a split since.
        { day: dayOf(1), cash: 0, positions: { SPY: position } },
      ],
    });
    expect(account).toEqual([1_000, 1_100, 1_210].map((n) => expect.closeTo(n, 9)));
    const unknown = record({
      decisions: full,
      held: [{ day: dayOf(0), cash: 1, positions: { GONE: position, LATE: { ...position, day: dayOf(0) } } }],
      series: new Map([
        ['SPY', series([100, 110, 121])],
        ['LATE', series([300], 2)],
      ]),
    });
    expect(unknown.account).toEqual([2_001, 2_001, 2_001]);
  });

  it('charges as lived the slippage of the account', () => {
    const turned = [decided(0, { SPY: 100 }), decided(1, {}), decided(2, {})];
    expect(record({ decisions: turned, terms: { ...terms, slippageBps: 100 } }).as_lived[1]).toBeCloseTo(
      1_100 * 0.99,
      9,
    );
  });

  it('leaves out what was decided late, and takes the first of what was decided twice', () => {
    const late = record({
      decisions: [decided(0, { SPY: 100 }, { isLate: true }), decided(1, {}), decided(2, {})],
    });
    expect(late.as_lived).toEqual([1_000, 1_000, 1_000]);
    const twice = record({
      decisions: [decided(0, {}, {}, 'b'), decided(0, { SPY: 100 }, {}, 'a'), ...full.slice(1)].reverse(),
    });
    expect(twice.as_lived[1]).toBeCloseTo(1_100, 9);
  });

  it('shares the money out among its strategies', () => {
    const both = { ...terms, strategyIds: ['s', 't'] };
    expect(
      record({ decisions: full, terms: both }).as_lived.map((value) => Math.round(value * 1e6) / 1e6),
    ).toEqual([1_000, 1_050, 1_102.5]);
  });
});

describe('why an account is not what was lived', () => {
  const reasons = (over: Partial<Parts>) =>
    record({ decisions: full, baskets: [basket(0, end(5, 5))], ...over }).reasons;
  const FILLED =
    'Orders are filled at the close after the one that decided; as lived trades at the deciding close itself.';

  it('is not asked where it is, to the cent', () => {
    const same = record({ decisions: [0, 1, 2].map((i) => decided(i, {})), baskets: [basket(0, end(5, 5))] });
    expect([same.gap, same.reasons]).toEqual([0, []]);
  });

  it('is that orders are filled later, were not traded, refused, or cost something', () => {
    expect(reasons({})).toEqual([FILLED]);
    expect(reasons({ baskets: [basket(0, end(0, 5, 'taken'))] })).toEqual([]);
    expect(reasons({ baskets: [basket(0, end(5, 5), end(4, 5), end(3, 5, 'taken'))] })).toEqual([
      FILLED,
      'One order was not traded whole.',
    ]);
    expect(reasons({ baskets: [basket(0, end(0, 5), end(4, 5), end(0, 5, 'refused'))] })).toEqual([
      FILLED,
      '2 orders were not traded whole.',
      'One order was refused.',
    ]);
    expect(reasons({ baskets: [basket(0, end(0, 5, 'refused'), end(0, 5, 'refused'))] })).toEqual([
      '2 orders were refused.',
    ]);
    expect(reasons({ costs: 1.5 })).toEqual([
      FILLED,
      '$1.50 of slippage was paid, also for the first purchase, which as lived is not charged.',
    ]);
  });

  it('is cash that whole shares leave', () => {
    const whole = { ...terms, isFractional: false };
    expect(reasons({ terms: whole })).toEqual([FILLED, 'Whole shares leave 100.0% of the account in cash.']);
    const held = [{ day: dayOf(0), cash: 0, positions: { SPY: { quantity: 5, day: dayOf(0), close: 100 } } }];
    expect(reasons({ terms: whole, held })).toEqual([FILLED]);
  });

  it('is nights that were not approved, named where they are few', () => {
    const series30 = new Map([['SPY', series(Array.from({ length: 30 }, (_, i) => 100 + i))]]);
    const turns = (count: number) =>
      Array.from({ length: count + 1 }, (_, i) => decided(i, i % 2 === 0 ? { SPY: 100 } : { SPY: 50 }));
    const missed = (count: number, over: Partial<Parts> = {}) =>
      record({ decisions: turns(count), series: series30, ...over }).reasons[0];
    expect(missed(1)).toBe(`One night with trades was not approved: ${dayOf(0)}.`);
    expect(missed(3)).toBe(`3 nights with trades were not approved: ${[0, 1, 2].map(dayOf).join(', ')}.`);
    expect(missed(4)).toBe('4 nights with trades were not approved.');
    expect(missed(3, { baskets: [basket(1, end(0, 5, 'approved'))] })).toBe(
      `2 nights with trades were not approved: ${dayOf(0)}, ${dayOf(2)}.`,
    );
    // Before the account began nobody could.
    expect(missed(3, { terms: { ...terms, startDay: dayOf(2) } })).toBe(
      `One night with trades was not approved: ${dayOf(2)}.`,
    );
    // What has drifted alone is no trade.
    const quiet = [
      decided(0, { SPY: 100 }),
      decided(1, { SPY: 99 }, { turnover: 0 }),
      decided(2, { SPY: 98 }, { turnover: 0 }),
    ];
    expect(record({ decisions: quiet }).reasons[0]).toBe(
      `One night with trades was not approved: ${dayOf(0)}.`,
    );
    const revised = [
      decided(0, { SPY: 100 }),
      decided(1, { SPY: 99 }, { turnover: 0, revision: 1 }),
      decided(2, { SPY: 99 }, { turnover: 0, revision: 1 }),
    ];
    expect(record({ decisions: revised }).reasons[0]).toBe(
      `2 nights with trades were not approved: ${dayOf(0)}, ${dayOf(1)}.`,
    );
  });
});
