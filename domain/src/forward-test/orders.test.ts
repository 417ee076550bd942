import { describe, expect, it } from 'vitest';
import { heldBefore, ordersOf } from './orders.ts';

const now = { weights: { SPY: 60, GLD: 25, BIL: 15 }, closes: { SPY: 610, GLD: 400, TLT: 90 } };

it('names what is sold, bought and held from one decision to the next', () => {
  const before = { weights: { TLT: 40, SPY: 35, GLD: 25 } };
  const brief = ordersOf(now, before, null).map((order) => [
    order.ticker,
    order.side,
    order.from_percent,
    order.to_percent,
  ]);
  expect(brief).toEqual([
    ['TLT', 'sell', 40, 0],
    ['BIL', 'buy', 0, 15],
    ['SPY', 'buy', 35, 60],
    ['GLD', 'hold', 25, 25],
  ]);
});

it('counts money and whole shares where an amount is given and the close is known', () => {
  const orders = ordersOf(now, null, 10_000);
  expect(orders.find(({ ticker }) => ticker === 'SPY')).toMatchObject({
    money: 6_000,
    shares: 9,
    close: 610,
  });
  expect(orders.find(({ ticker }) => ticker === 'BIL')).toMatchObject({
    money: 1_500,
    shares: null,
    close: null,
  });
  // $110 are 100 shares at $1.10, though the division comes to 99.99….
  expect(ordersOf({ weights: { SPY: 11 }, closes: { SPY: 1.1 } }, null, 1_000)[0]?.shares).toBe(100);
  expect(ordersOf(now, null, null).every(({ money, shares }) => money === null && shares === null)).toBe(
    true,
  );
});

describe('what was held before', () => {
  type Told = Parameters<typeof heldBefore>[0] & { readonly closes: Record<string, number> };
  const decided = (weights: Record<string, number>, more: Partial<Told> = {}): Told => ({
    ...{ weights, revision: 1, runFrom: '2025-01-02', isLate: false, closes: {} },
    ...more,
  });
  const sides = (decision: Told, earlier: Told[]) =>
    ordersOf(decision, heldBefore(decision, earlier), null).map(({ ticker, side }) => `${side} ${ticker}`);
  const drifted = { SPY: 60.4, BIL: 39.6 };
  const before = decided({ SPY: 60, BIL: 40 });

  it('has drifted where the day traded nothing, and is no trade', () => {
    expect(sides(decided(drifted, { turnover: 0 }), [before])).toEqual(['hold BIL', 'hold SPY']);
    expect(sides(decided(drifted, { turnover: 0.008 }), [before])).toEqual(['sell BIL', 'buy SPY']);
    // Decisions of earlier versions do not say.
    expect(sides(decided(drifted), [before])).toEqual(['sell BIL', 'buy SPY']);
  });

  it('is nothing at first, and what another run held: what the day turned over does not count from there', () => {
    expect(sides(decided(drifted, { turnover: 0 }), [])).toEqual(['buy BIL', 'buy SPY']);
    const others = [{ revision: 0 }, { runFrom: '2024-01-02' }];
    for (const more of others)
      expect(sides(decided(drifted, { turnover: 0 }), [{ ...before, ...more }])).toEqual([
        'sell BIL',
        'buy SPY',
      ]);
  });

  it('is what was decided in time: a late decision was not traded', () => {
    const late = decided({ TLT: 100 }, { isLate: true, turnover: 2 });
    const now = decided({ TLT: 100 }, { turnover: 0 });
    expect(sides(now, [before, late])).toEqual(['sell BIL', 'sell SPY', 'buy TLT']);
    expect(sides(late, [before])).toEqual(['sell BIL', 'sell SPY', 'buy TLT']);
    expect(sides({ ...late, turnover: 0 }, [before, late])).toEqual(['hold TLT']);
    expect(sides(now, [late])).toEqual(['buy TLT']);
    const quiet = decided(drifted, { isLate: true, turnover: 0 });
    expect(sides(decided(drifted, { turnover: 0 }), [before, quiet])).toEqual(['hold BIL', 'hold SPY']);
  });
});
