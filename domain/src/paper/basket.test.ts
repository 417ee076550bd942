import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { given } from '../../testing/given.ts';
import type { PriceSeries } from '../ports/market-data.ts';
import { nightOf } from './answers.ts';
import {
  type BasketCommand,
  basketId,
  basketStream,
  basketsProjection,
  filledAfter,
  isOrderOpen,
} from './basket.ts';
import { closeOn, lastCloseOn, nextDayOf } from './closes.ts';
import type { BasketApproved, BasketEvent } from './events.ts';
import { proposalOf } from './proposal.ts';

const night = { userId: 'ada', number: 2, day: '2026-11-20' };
const order = (id: string, ticker = id) => ({ id, ticker, side: 'buy', quantity: 10, close: 100 }) as const;
const approved: BasketApproved = {
  type: 'BasketApproved',
  data: { ...night, broker: 'own', decisions: [], orders: [order('a'), order('b')] },
};
const taken = {
  type: 'BasketOrderTaken',
  data: { userId: 'ada', orderId: 'a', brokerOrderId: 'x' },
} as const;
const refused = { type: 'BasketOrderRefused', data: { userId: 'ada', orderId: 'a', reason: 'No' } } as const;
const ended = {
  type: 'BasketOrderEnded',
  data: { userId: 'ada', orderId: 'b', quantity: 7, price: 99, reason: 'late' },
} as const;
const stream = `basket-${basketId(night)}`;
const basket = (...events: readonly BasketEvent[]) =>
  folded(basketsProjection, ...[approved, ...events].map((event) => ({ ...event, stream })));

describe('the basket of a night', () => {
  const open = { status: 'approved', brokerOrderId: null, traded: 0, price: null, reason: null };

  it('shows each order and what became of it', () => {
    expect(basket()).toEqual({
      id: 'ada-2-2026-11-20',
      ...approved.data,
      orders: [
        { ...order('a'), ...open },
        { ...order('b'), ...open },
      ],
      approvedAt: '2026-01-01T00:00:00.000Z',
      isOpen: true,
    });
    expect(basket(taken)).toMatchObject({
      orders: [
        { status: 'taken', brokerOrderId: 'x' },
        { status: 'approved', brokerOrderId: null },
      ],
      approvedAt: '2026-01-01T00:00:00.000Z',
      isOpen: true,
    });
    expect(basket(refused, ended)).toMatchObject({
      orders: [
        { status: 'refused', reason: 'No', traded: 0 },
        { status: 'ended', traded: 7, price: 99, reason: 'late' },
      ],
      isOpen: false,
    });
    expect(basket(ended)).toMatchObject({ isOpen: true });
    expect(() => folded(basketsProjection, { ...taken, stream })).toThrow(
      'An order of a basket that was never approved',
    );
    expect(
      (['approved', 'taken', 'refused', 'ended'] as const).map((status) => isOrderOpen({ status })),
    ).toEqual([true, true, false, false]);
  });

  it('has no price in an answer for what was not traded', () => {
    const document = basket(refused);
    expect(document && nightOf(document, document.approvedAt)).toMatchObject({
      day: night.day,
      approved_at: '2026-01-01T00:00:00.000Z',
      orders: [
        { id: 'a', status: 'refused', traded: 0, price: null, reason: 'No' },
        { id: 'b', status: 'approved', traded: 0, price: null, reason: null },
      ],
    });
  });

  it('notes a refusal once, and nothing after it', () => {
    const refuse: BasketCommand = { type: 'NoteRefused', orderId: 'a', reason: 'No' };
    given(basketStream, approved).when(refuse).thenEvents(refused);
    given(basketStream, approved, taken).when(refuse).thenEvents(refused);
    given(basketStream, approved, refused).when(refuse).thenEvents();
    given(basketStream, approved, refused)
      .when({ type: 'NoteTaken', orderId: 'a', brokerOrderId: 'x' })
      .thenEvents();
    given(basketStream).when(refuse).thenEvents();
  });

  it('is filled after the close that decided, or the last one that was over when it was approved', () => {
    const after = (approvedAt: string) => filledAfter({ day: '2026-11-20', broker: 'own' }, approvedAt);
    expect(after('2026-11-18T23:00:00Z')).toBe('2026-11-20');
    expect(after('2026-11-24T23:00:00Z')).toBe('2026-11-24');
  });
});

describe('closes of a series', () => {
  const series = (days: readonly number[]): PriceSeries =>
    ({
      ticker: 'X',
      days: Int32Array.from(days),
      closes: Float64Array.from(days, (_, i) => i + 1),
    }) as PriceSeries;
  // Days 20,000 to 20,002 are 4 to 6 October 2024.
  const some = series([20_000, 20_002]);

  it('are those of exactly a day, or the last up to it', () => {
    expect(
      ['2024-10-03', '2024-10-04', '2024-10-05', '2024-10-06', '2024-10-09'].map((day) => closeOn(some, day)),
    ).toEqual([undefined, 1, undefined, 2, undefined]);
    expect(lastCloseOn(some, '2024-10-03')).toBeUndefined();
    expect(lastCloseOn(some, '2024-10-05')).toEqual({ day: '2024-10-04', close: 1 });
    expect(lastCloseOn(some, '2024-10-09')).toEqual({ day: '2024-10-06', close: 2 });
    expect(closeOn(undefined, '2024-10-04')).toBeUndefined();
    expect(lastCloseOn(undefined, '2024-10-04')).toBeUndefined();
    expect(lastCloseOn(series([]), '2024-10-04')).toBeUndefined();
  });

  it('go on with the first day that any of them has', () => {
    expect(nextDayOf([some, series([20_001])], '2024-10-04')).toBe('2024-10-05');
    expect(nextDayOf([series([20_001]), some], '2024-10-04')).toBe('2024-10-05');
    expect(nextDayOf([some, series([20_001])], '2024-10-05')).toBe('2024-10-06');
    expect(nextDayOf([some], '2024-10-01')).toBe('2024-10-04');
    expect(nextDayOf([some], '2024-10-06')).toBeNull();
    expect(nextDayOf([], '2024-10-04')).toBeNull();
  });
});

describe('a proposal', () => {
  const base = {
    cash: 1_000,
    positions: {},
    weights: {},
    isFractional: true,
    slippageBps: 0,
    closes: { A: 100, B: 50, C: 10 },
  };
  const proposed = (over: Partial<Parameters<typeof proposalOf>[0]>) => proposalOf({ ...base, ...over });

  it('knows the worth of all that has a close', () => {
    const { equity, unpriced } = proposed({ positions: { A: 2, OLD: 5 }, weights: { NEW: 50 } });
    expect([equity, unpriced]).toEqual([1_200, ['NEW', 'OLD']]);
  });

  it('brings each position to its part, what is sold first', () => {
    expect(proposed({ positions: { A: 8, B: 2 }, cash: 100, weights: { A: 40, B: 60 } }).orders).toEqual([
      { ticker: 'A', side: 'sell', quantity: 4, close: 100 },
      { ticker: 'B', side: 'buy', quantity: 10, close: 50 },
    ]);
    expect(proposed({ weights: { A: -5, B: 50 } }).orders).toEqual([
      { ticker: 'B', side: 'buy', quantity: 10, close: 50 },
    ]);
  });

  it('makes no order below a dollar, but sells the last crumb', () => {
    expect(proposed({ weights: { C: 0.09 } }).orders).toEqual([]);
    expect(proposed({ weights: { C: 0.1 } }).orders).toEqual([
      { ticker: 'C', side: 'buy', quantity: 0.1, close: 10 },
    ]);
    expect(proposed({ positions: { C: 0.01 } }).orders).toEqual([
      { ticker: 'C', side: 'sell', quantity: 0.01, close: 10 },
    ]);
    expect(proposed({ weights: { A: 0.05 }, isFractional: false }).orders).toEqual([]);
  });

  it('takes whole shares that cost less than a dollar', () => {
    const cheap = { weights: { P: 0.05 }, closes: { P: 0.5 }, isFractional: false };
    expect(proposed(cheap).orders).toEqual([{ ticker: 'P', side: 'buy', quantity: 1, close: 0.5 }]);
  });
});
