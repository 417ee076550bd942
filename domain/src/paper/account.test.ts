import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import {
  countedShares,
  NO_ACCOUNT,
  type PaperAccount,
  type PaperCommand,
  paperStream,
  type TakenOrder,
} from './account.ts';
import type { PaperAccountOpened, PaperEvent, PaperOrderTaken } from './events.ts';

const userId = 'ada';
const terms = {
  broker: 'own',
  strategyIds: ['s'],
  isFractional: true,
  cash: 10_000,
  slippageBps: 100,
  startDay: '2026-11-20',
  sealedKey: null,
  keyHint: null,
} as const;
const opened = (over: object = {}): PaperAccountOpened => ({
  type: 'PaperAccountOpened',
  data: { userId, number: 1, ...terms, strategyIds: ['s'], ...over },
});
const taken = (orderId: string, over: Partial<TakenOrder> = {}): PaperOrderTaken => ({
  type: 'PaperOrderTaken',
  data: { userId, orderId, day: '2026-11-20', ticker: 'SPY', side: 'buy', quantity: 10, ...over },
});
const fill = (closes: Record<string, number>, day = '2026-11-23', then: Record<string, number> = {}) =>
  ({ type: 'FillPaperOrders', userId, day, dataVersion: 'v', closes, then }) as const;
const { evolve, decide } = paperStream.decider;

/** The account after some events, and after each filling that is asked for. */
function after(...steps: readonly (PaperEvent | PaperCommand)[]): PaperAccount {
  return steps.reduce<PaperAccount>((state, step) => {
    if (!('userId' in step)) return evolve(state, step);
    return (decide(step, state) as readonly PaperEvent[]).reduce(evolve, state);
  }, NO_ACCOUNT);
}
function filling(state: PaperAccount, command: PaperCommand) {
  const [event] = decide(command, state) as readonly PaperEvent[];
  if (event?.type !== 'PaperOrdersFilled') throw new Error('Nothing was filled');
  return event.data;
}
/** 10 SPY at 100 and 20 TLT at 50, less 1% of slippage on each. */
const holding = after(
  opened(),
  taken('o1'),
  taken('o2', { ticker: 'TLT', quantity: 20 }),
  fill({ SPY: 100, TLT: 50 }),
);

describe('the terms of an account', () => {
  const open = (over: object) =>
    given(paperStream).when({ type: 'OpenPaperAccount', userId, terms: { ...terms, ...over } });

  it('may be at their bounds', () => {
    open({ cash: 1e9 }).thenTypes('PaperAccountOpened');
    open({ slippageBps: 0 }).thenTypes('PaperAccountOpened');
    open({ slippageBps: 1_000 }).thenTypes('PaperAccountOpened');
  });

  it('name no cash at another broker, which has its own', () => {
    open({ cash: 0, broker: 'alpaca' }).thenTypes('PaperAccountOpened');
    open({ cash: 0 }).thenRefused(422, 'invalid_paper_cash');
  });
});

describe('an account that is closed', () => {
  it('is so once, and its orders wait no longer', () => {
    const close: PaperCommand = { type: 'ClosePaperAccount', userId };
    const closed = { type: 'PaperAccountClosed', data: { userId, number: 1 } } as const;
    given(paperStream, opened()).when(close).thenEvents(closed);
    given(paperStream, opened(), closed).when(close).thenRefused(409, 'no_paper_account');
    given(paperStream).when(close).thenRefused(409, 'no_paper_account');
    expect(after(opened(), taken('o1'), closed)).toMatchObject({ status: 'closed', waiting: [], number: 1 });
  });
});

describe('filling', () => {
  it('leaves cash, shares at their close, and what slippage has cost', () => {
    expect(holding).toMatchObject({
      cash: 10_000 - 1_010 - 1_010,
      costs: 20,
      positions: {
        SPY: { quantity: 10, day: '2026-11-23', close: 100 },
        TLT: { quantity: 20, day: '2026-11-23', close: 50 },
      },
      waiting: [],
      outcomes: {
        o1: { quantity: 10, price: 100, reason: null },
        o2: { quantity: 20, price: 50, reason: null },
      },
    });
  });

  it('sells first, so that what it brings can be spent on what is bought', () => {
    const poor = after(opened({ cash: 1_010 }), taken('o1'), fill({ SPY: 100 }));
    expect(poor.cash).toBe(0);
    const orders = [taken('b', { ticker: 'AAA', quantity: 9.8 }), taken('s', { side: 'sell' })];
    const state = orders.reduce(evolve, poor);
    const data = filling(state, fill({ SPY: 100, AAA: 100 }));
    expect(data.fills.map(({ orderId, quantity }) => [orderId, quantity])).toEqual([
      ['s', 10],
      ['b', 9.8],
    ]);
    expect(data.lapsed).toEqual([]);
    const next = evolve(state, { type: 'PaperOrdersFilled', data });
    expect(next.cash).toBeCloseTo(990 - 980 - 9.8, 9);
    expect(next.costs).toBeCloseTo(10 + 10 + 9.8, 9);
    expect(Object.keys(next.positions)).toEqual(['AAA']);
  });

  it('goes by ticker on each side', () => {
    const orders = ['TLT', 'AAA', 'GLD'].map((ticker) => taken(ticker, { ticker, quantity: 1 }));
    const state = [taken('z', { side: 'sell', ticker: 'TLT', quantity: 1 }), ...orders].reduce(
      evolve,
      holding,
    );
    const { fills } = filling(state, fill({ SPY: 100, TLT: 50, AAA: 1, GLD: 1 }));
    expect(fills.map(({ side, ticker }) => `${side} ${ticker}`)).toEqual([
      'sell TLT',
      'buy AAA',
      'buy GLD',
      'buy TLT',
    ]);
  });

  it('sells no more than is held, and says so of the rest', () => {
    const state = evolve(holding, taken('s', { side: 'sell', quantity: 12 }));
    const data = filling(state, fill({ SPY: 110, TLT: 50 }));
    expect(data.fills).toEqual([
      { orderId: 's', ticker: 'SPY', side: 'sell', quantity: 10, price: 110, cost: 11 },
    ]);
    expect(data.lapsed).toEqual([{ orderId: 's', quantity: 2, reason: 'not_held' }]);
    expect(data.closes).toEqual({ TLT: 50 });
    const next = evolve(state, { type: 'PaperOrdersFilled', data });
    expect(next.cash).toBe(7_980 + 1_100 - 11);
    expect(next.outcomes.s).toEqual({ quantity: 10, price: 110, reason: 'not_held' });
    expect(next.positions).toEqual({ TLT: { quantity: 20, day: '2026-11-23', close: 50 } });
    // Of what was never held nothing is sold at all.
    const none = evolve(holding, taken('s', { side: 'sell', ticker: 'GLD', quantity: 3 }));
    const { fills, lapsed } = filling(none, fill({ GLD: 10, SPY: 100, TLT: 50 }));
    expect([fills, lapsed]).toEqual([[], [{ orderId: 's', quantity: 3, reason: 'not_held' }]]);
  });

  it('buys no more than the money is enough for, slippage included', () => {
    const state = evolve(holding, taken('b', { ticker: 'GLD', quantity: 100 }));
    const data = filling(state, fill({ GLD: 100, SPY: 100, TLT: 50 }));
    expect(data.fills).toMatchObject([{ ticker: 'GLD', quantity: expect.closeTo(7_980 / 101, 5) }]);
    expect(data.lapsed).toMatchObject([{ orderId: 'b', reason: 'no_cash' }]);
    const { cash } = evolve(state, { type: 'PaperOrdersFilled', data });
    expect(cash).toBeGreaterThanOrEqual(0);
    expect(cash).toBeLessThan(0.001);
  });

  it('lets an order lapse whose ticker has no close', () => {
    const state = evolve(holding, taken('b', { ticker: 'GONE', quantity: 5 }));
    const data = filling(state, fill({ SPY: 100, TLT: 50 }));
    expect(data).toMatchObject({ fills: [], lapsed: [{ orderId: 'b', quantity: 5, reason: 'no_close' }] });
    expect(evolve(state, { type: 'PaperOrdersFilled', data })).toMatchObject({
      cash: 7_980,
      waiting: [],
      outcomes: { b: { quantity: 0, price: null, reason: 'no_close' } },
    });
  });

  it('counts a position anew after a split or a dividend, by value', () => {
    const state = evolve(holding, taken('b', { ticker: 'GLD', quantity: 1 }));
    // Two new shares for one: the close of that day is 50 as the data of today say it.
    const data = filling(state, fill({ GLD: 10, SPY: 52, TLT: 50 }, '2026-11-24', { SPY: 50, TLT: 50 }));
    expect(data.adjusted).toEqual([{ ticker: 'SPY', quantity: 20 }]);
    const next = evolve(state, { type: 'PaperOrdersFilled', data });
    expect(next.positions.SPY).toEqual({ quantity: 20, day: '2026-11-24', close: 52 });
    expect(next.positions.TLT?.quantity).toBe(20);
    expect(countedShares({ quantity: 10, day: '', close: 100 }, 50)).toBe(20);
    expect(countedShares({ quantity: 10, day: '', close: 100 }, undefined)).toBe(10);
  });

  it('keeps the close of before where there is none on the day', () => {
    const state = evolve(holding, taken('b', { ticker: 'GLD', quantity: 1 }));
    const data = filling(state, fill({ GLD: 10, SPY: 101 }, '2026-11-24'));
    expect(data.closes).toEqual({ SPY: 101, GLD: 10 });
    expect(evolve(state, { type: 'PaperOrdersFilled', data }).positions).toEqual({
      SPY: { quantity: 10, day: '2026-11-24', close: 101 },
      TLT: { quantity: 20, day: '2026-11-23', close: 50 },
      GLD: { quantity: 1, day: '2026-11-24', close: 10 },
    });
  });

  it('counts a split once where there is no close on the day', () => {
    const halted = fill({ GLD: 10, TLT: 50 }, '2026-11-24', { SPY: 50, TLT: 50 });
    const once = after(opened(), taken('o1'), fill({ SPY: 100 }), taken('b', { ticker: 'GLD' }), halted);
    expect(once.positions.SPY).toEqual({ quantity: 20, day: '2026-11-23', close: 50 });
    const next = evolve(once, taken('c', { day: '2026-11-24', ticker: 'TLT', quantity: 1 }));
    const data = filling(next, { ...halted, day: '2026-11-25' });
    expect(data.adjusted).toEqual([]);
    expect(evolve(next, { type: 'PaperOrdersFilled', data }).positions.SPY?.quantity).toBe(20);
  });

  it('keeps the close of before of what is traded on a day without one, whatever was bought of it', () => {
    const state = evolve(holding, taken('gold', { ticker: 'GLD', quantity: 1 }));
    const data = filling(state, fill({ GLD: 10 }, '2026-11-24', { SPY: 100, TLT: 50 }));
    const bought = {
      orderId: 'more',
      ticker: 'SPY',
      side: 'buy',
      quantity: 10,
      price: 120,
      cost: 0,
    } as const;
    const { SPY } = evolve(state, {
      type: 'PaperOrdersFilled',
      data: { ...data, fills: [...data.fills, bought] },
    }).positions;
    expect(SPY).toEqual({ ...holding.positions.SPY, quantity: 20 });
  });

  it('leaves what is for a later close', () => {
    const later = taken('later', { day: '2026-11-24', ticker: 'TLT', quantity: 1 });
    const state = [taken('now', { quantity: 1 }), later].reduce(evolve, holding);
    const data = filling(state, fill({ SPY: 100, TLT: 50 }, '2026-11-24'));
    expect(data.fills.map(({ orderId }) => orderId)).toEqual(['now']);
    expect(evolve(state, { type: 'PaperOrdersFilled', data }).waiting.map(({ orderId }) => orderId)).toEqual([
      'later',
    ]);
  });

  it('knows what became of the last 500 orders, and takes none of them again', () => {
    const data = {
      ...filling(evolve(holding, taken('x')), fill({ SPY: 100 })),
      fills: [],
      lapsed: Array.from({ length: 600 }, (_, i) => ({
        orderId: `n${i}`,
        quantity: 1,
        reason: 'no_close' as const,
      })),
    };
    const state = evolve(holding, { type: 'PaperOrdersFilled', data });
    expect(Object.keys(state.outcomes)).toHaveLength(500);
    const take = (orderId: string) => {
      const { userId: _, ...order } = taken(orderId).data;
      return decide({ type: 'TakePaperOrder', userId, order }, state);
    };
    expect(take('n599')).toEqual([]);
    expect(take('n0')).toHaveLength(1);
    // Another order than the one that waits.
    const waiting = evolve(holding, taken('w1'));
    const { userId: _, ...order } = taken('w2').data;
    expect(decide({ type: 'TakePaperOrder', userId, order }, waiting)).toHaveLength(1);
  });
});
