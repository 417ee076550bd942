import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import { NO_ACCOUNT, type PaperCommand, paperStream } from './account.ts';
import { whyNotApproved } from './approval.ts';
import { type BasketCommand, basketStream, filledAfter, orderIdOf } from './basket.ts';
import type { BasketApproved, PaperAccountOpened, PaperOrderTaken } from './events.ts';
import { proposalOf, sharedWeights } from './proposal.ts';
import { paperRecord } from './record.ts';
import { tradable } from './tradable.ts';

const userId = 'ada';
const terms = {
  broker: 'own',
  strategyIds: ['s'],
  isFractional: false,
  cash: 10_000,
  slippageBps: 10,
  startDay: '2026-11-20',
  sealedKey: null,
  keyHint: null,
} as const;
const opened = {
  type: 'PaperAccountOpened',
  data: { userId, number: 1, ...terms, strategyIds: ['s'] },
} satisfies PaperAccountOpened;
const order = { orderId: 'o1', day: '2026-11-20', ticker: 'SPY', side: 'buy', quantity: 10 } as const;
const taken: PaperOrderTaken = { type: 'PaperOrderTaken', data: { userId, ...order } };
const take: PaperCommand = { type: 'TakePaperOrder', userId, order };
const fill = (closes: Record<string, number>, day = '2026-11-23', then = {}): PaperCommand => ({
  type: 'FillPaperOrders',
  userId,
  day,
  dataVersion: 'v',
  closes,
  then,
});

describe('a paper account', () => {
  it('is one at a time, and the next has a number of its own', () => {
    const open: PaperCommand = { type: 'OpenPaperAccount', userId, terms };
    const closed = { type: 'PaperAccountClosed', data: { userId, number: 1 } } as const;
    given(paperStream).when(open).thenEvents(opened);
    given(paperStream, opened).when(open).thenRefused(409, 'paper_account_open');
    given(paperStream, opened, closed)
      .when(open)
      .thenEvents({ ...opened, data: { ...opened.data, number: 2 } });
    given(paperStream, opened, closed).when(take).thenRefused(409, 'no_paper_account');
    for (const cash of [0, -1, 1e10, Number.NaN])
      given(paperStream)
        .when({ ...open, terms: { ...terms, cash } })
        .thenRefused(422, 'invalid_paper_cash');
    for (const slippageBps of [-1, 1_001, Number.NaN])
      given(paperStream)
        .when({ ...open, terms: { ...terms, slippageBps } })
        .thenRefused(422, 'invalid_slippage');
  });

  it('takes an order once, also after it was filled', () => {
    given(paperStream, opened).when(take).thenEvents(taken);
    given(paperStream, opened, taken).when(take).thenEvents();
    const [filled] = given(paperStream, opened, taken).when(fill({ SPY: 100 })).decided as [never];
    given(paperStream, opened, taken, filled).when(take).thenEvents();
    given(paperStream, opened, taken, filled)
      .when(fill({ SPY: 100 }))
      .thenEvents();
  });

  it('fills nothing at the close that decided, and pays slippage at the next', () => {
    given(paperStream, opened, taken)
      .when(fill({ SPY: 99 }, '2026-11-20'))
      .thenEvents();
    given(paperStream, opened, taken)
      .when(fill({ SPY: 100 }))
      .thenEvents({
        type: 'PaperOrdersFilled',
        data: {
          userId,
          day: '2026-11-23',
          dataVersion: 'v',
          adjusted: [],
          fills: [{ orderId: 'o1', ticker: 'SPY', side: 'buy', quantity: 10, price: 100, cost: 1 }],
          lapsed: [],
          closes: { SPY: 100 },
        },
      });
  });

  it('never has less than no money, whatever is ordered', () => {
    const decided = given(paperStream, opened, { ...taken, data: { ...taken.data, quantity: 1e6 } }).when(
      fill({ SPY: 333.33 }),
    ).decided;
    const state = (decided as never[]).reduce(paperStream.decider.evolve, {
      ...NO_ACCOUNT,
      status: 'open' as const,
      terms,
      cash: 10_000,
    });
    expect(state.cash).toBeGreaterThanOrEqual(0);
    expect(state.positions.SPY?.quantity).toBe(29);
  });
});

describe('the orders of a night', () => {
  const night = { userId, number: 1, day: '2026-11-20' };
  const id = orderIdOf(night, 'SPY');
  const approved: BasketApproved = {
    type: 'BasketApproved',
    data: {
      ...night,
      broker: 'own',
      decisions: [{ strategyId: 's', revision: 3, day: '2026-11-20' }],
      orders: [{ id, ticker: 'SPY', side: 'buy', quantity: 10, close: 100 }],
    },
  };
  const approve: BasketCommand = { type: 'ApproveBasket', basket: approved.data };

  it('are approved once, and their ids are the same whenever', () => {
    given(basketStream).when(approve).thenEvents(approved);
    given(basketStream, approved).when(approve).thenEvents();
    given(basketStream)
      .when({ ...approve, basket: { ...approved.data, orders: [] } })
      .thenEvents();
    expect(orderIdOf(night, 'SPY')).toBe(id);
    expect(new Set([id, orderIdOf(night, 'TLT'), orderIdOf({ ...night, number: 2 }, 'SPY')]).size).toBe(3);
  });

  it('are filled at a close that nobody knew when they were approved, however late the market data came', () => {
    const after = (approvedAt: string, broker: 'own' | 'alpaca' = 'own') =>
      filledAfter({ day: '2026-11-20', broker }, approvedAt);
    // On the evening of that Friday, over the weekend, and on Monday before the close.
    for (const at of ['2026-11-20T23:00:00Z', '2026-11-22T12:00:00Z', '2026-11-23T20:59:59Z'])
      expect(after(at)).toBe('2026-11-20');
    expect(after('2026-11-23T21:00:00Z')).toBe('2026-11-23');
    expect(after('2026-11-26T12:00:00Z')).toBe('2026-11-25');
    // Alpaca takes nothing for a close in the ten minutes before it.
    expect(after('2026-11-23T20:50:00Z', 'alpaca')).toBe('2026-11-23');
    // Simulated prices may be ahead of the clock.
    expect(after('2026-11-18T12:00:00Z')).toBe('2026-11-20');
  });

  it('come to one end, whoever tells it how often', () => {
    const end: BasketCommand = { type: 'NoteEnded', orderId: id, quantity: 10, price: 100, reason: null };
    const noted = { type: 'BasketOrderTaken', data: { userId, orderId: id, brokerOrderId: 'b' } } as const;
    const ended = {
      type: 'BasketOrderEnded',
      data: { userId, orderId: id, quantity: 10, price: 100, reason: null },
    } as const;
    const note: BasketCommand = { type: 'NoteTaken', orderId: id, brokerOrderId: 'b' };
    given(basketStream, approved).when(note).thenEvents(noted);
    given(basketStream, approved, noted).when(note).thenEvents();
    given(basketStream, approved, noted).when(end).thenEvents(ended);
    given(basketStream, approved, noted, ended).when(end).thenEvents();
    given(basketStream, approved, noted, ended)
      .when({ type: 'NoteRefused', orderId: id, reason: 'x' })
      .thenEvents();
    given(basketStream, approved)
      .when({ ...note, orderId: 'other' })
      .thenEvents();
  });

  it('wait for those of an earlier night, and for the decisions', () => {
    const tonight = { orders: [{}] as never[], behind: ['s'], day: '2026-11-20' };
    const failure = { id: 's', day: '2026-11-20', code: 'x', failedAt: '' } as never;
    expect(whyNotApproved(tonight, { failures: [], openDay: '2026-11-19' })?.code).toBe('orders_open');
    expect(whyNotApproved(tonight, { failures: [], openDay: null })?.code).toBe('not_decided_yet');
    expect(whyNotApproved(tonight, { failures: [failure], openDay: null })).toBeNull();
    // That it failed on an earlier day says nothing about tonight.
    const earlier = { ...(failure as object), day: '2026-11-19' } as never;
    expect(whyNotApproved(tonight, { failures: [earlier], openDay: null })?.code).toBe('not_decided_yet');
    expect(
      whyNotApproved({ ...tonight, behind: [], orders: [] }, { failures: [], openDay: null })?.code,
    ).toBe('no_orders');
  });
});

describe('what an account would trade', () => {
  const base = {
    cash: 10_000,
    positions: {},
    isFractional: false,
    slippageBps: 0,
    closes: { SPY: 300, TLT: 90 },
  };
  const told = (fields: Partial<Parameters<typeof proposalOf>[0]>) => {
    const { orders } = proposalOf({ ...base, weights: {}, ...fields });
    return orders.map(({ ticker, side, quantity }) => `${side} ${quantity} ${ticker}`);
  };

  it('is whole shares for the money, or fractions', () => {
    expect(told({ weights: { SPY: 60, TLT: 40 } })).toEqual(['buy 20 SPY', 'buy 44 TLT']);
    expect(told({ weights: { SPY: 50 }, isFractional: true })).toEqual(['buy 16.666666 SPY']);
    expect(told({ weights: { SPY: 100 }, slippageBps: 100 })).toEqual(['buy 33 SPY']);
  });

  it('sells first, all of what is not wanted any more, and leaves alone what has no close', () => {
    const positions = { SPY: 10.25, OLD: 5 };
    expect(told({ positions, weights: { TLT: 50 } })).toEqual(['sell 10.25 SPY', 'buy 72 TLT']);
    expect(proposalOf({ ...base, positions, weights: {} }).unpriced).toEqual(['OLD']);
    expect(told({ positions: { SPY: 33 }, cash: 100, weights: { SPY: 100 } })).toEqual([]);
  });

  it('sets the cost aside of what is traded, and of nothing else', () => {
    const whole = { weights: { SPY: 100 }, isFractional: true };
    for (const slippageBps of [10, 1_000]) {
      const account = { ...base, ...whole, slippageBps };
      const [bought] = proposalOf(account).orders;
      const quantity = bought?.quantity ?? 0;
      expect(quantity * 300 * (1 + slippageBps / 10_000)).toBeCloseTo(10_000, 2);
      const cash = 10_000 - quantity * 300 * (1 + slippageBps / 10_000);
      // The night after it is all there, and nothing is sold to set anything aside.
      expect(proposalOf({ ...account, cash, positions: { SPY: quantity } }).orders).toEqual([]);
      const turned = { cash, positions: { SPY: quantity }, weights: { TLT: 100 } };
      const [sold, next] = proposalOf({ ...account, ...turned }).orders;
      expect(sold).toMatchObject({ side: 'sell', ticker: 'SPY', quantity });
      const left = cash + quantity * 300 * (1 - slippageBps / 10_000);
      expect((next?.quantity ?? 0) * 90 * (1 + slippageBps / 10_000)).toBeCloseTo(left, 2);
    }
    // Where some of it stays cash anyway, that pays.
    expect(told({ weights: { SPY: 60 }, slippageBps: 100 })).toEqual(['buy 20 SPY']);
  });

  it('shares the money out equally, and nets what one buys and another sells', () => {
    expect(sharedWeights([{ SPY: 100 }, { TLT: 60, SPY: 40 }, {}])).toEqual({
      SPY: expect.closeTo(140 / 3, 9),
      TLT: 20,
    });
  });

  it('rounds down, but not a whole number that is a hair short', () => {
    expect(tradable(2.9999999999, false)).toBe(3);
    expect(tradable(2.99, false)).toBe(2);
    expect(tradable(0.1234567, true)).toBe(0.123456);
    expect(tradable(-1, true)).toBe(0);
  });
});

describe('the record of an account', () => {
  const series = (closes: readonly number[]) => ({
    ticker: 'SPY',
    days: Int32Array.from(closes.map((_, i) => 20_000 + i)),
    closes: Float64Array.from(closes),
  });
  const dayOf = (i: number) => new Date((20_000 + i) * 86_400_000).toISOString().slice(0, 10);
  const decided = (i: number, weights: Record<string, number>) =>
    ({
      day: dayOf(i),
      decidedAt: dayOf(i),
      decision: { strategyId: 's', weights, isLate: false, revision: 0 },
    }) as never;
  const closes = [100, 110, 110, 121];

  it('is a day behind what was lived, and says so', () => {
    const record = paperRecord({
      terms: { ...terms, startDay: dayOf(0), slippageBps: 0 },
      costs: 0,
      held: [
        { day: dayOf(0), cash: 10_000, positions: {} },
        { day: dayOf(1), cash: 100, positions: { SPY: { quantity: 90, day: dayOf(1), close: 110 } } },
      ],
      decisions: closes.map((_, i) => decided(i, { SPY: 100 })),
      baskets: [{ day: dayOf(0), orders: [{ status: 'ended', traded: 90, quantity: 90 } as never] }],
      series: new Map([['SPY', series(closes)]]),
    });
    expect(record.days).toEqual([0, 1, 2, 3].map(dayOf));
    expect(record.account).toEqual([10_000, 10_000, 10_000, 100 + 90 * 121].map((n) => expect.closeTo(n, 6)));
    expect(record.as_lived).toEqual([10_000, 11_000, 11_000, 12_100].map((n) => expect.closeTo(n, 6)));
    expect(record.gap).toBeCloseTo(10_990 - 12_100, 6);
    expect(record.reasons).toEqual([
      expect.stringContaining('the close after the one that decided'),
      'Whole shares leave 0.9% of the account in cash.',
    ]);
  });

  it('names nights that were not approved', () => {
    const { reasons } = paperRecord({
      terms: { ...terms, startDay: dayOf(0) },
      costs: 0,
      held: [{ day: dayOf(0), cash: 10_000, positions: {} }],
      decisions: closes.map((_, i) => decided(i, i === 2 ? {} : { SPY: 100 })),
      baskets: [],
      series: new Map([['SPY', series(closes)]]),
    });
    expect(reasons[0]).toBe(`2 nights with trades were not approved: ${dayOf(0)}, ${dayOf(2)}.`);
  });
});
