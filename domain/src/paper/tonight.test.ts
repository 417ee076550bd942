import { describe, expect, it } from 'vitest';
import type { DecisionDocument } from '../forward-test/projections.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { MarketData } from '../ports/market-data.ts';
import type { ReadModels } from '../ports/read-models.ts';
import type { BasketDocument } from './basket.ts';
import { tonightOf } from './tonight.ts';

const DAY = '2026-11-20';
const decision = (strategyId: string, weights: Record<string, number>, over: object = {}) =>
  ({
    strategyId,
    day: DAY,
    revision: 1,
    weights,
    turnover: 1,
    runFrom: '2020-01-02',
    ...over,
  }) as unknown as DecisionDocument['decision'];
const order = (over: object = {}) => ({ status: 'ended', traded: 5, quantity: 5, ...over });
const basket = (over: object = {}) =>
  ({
    userId: 'u',
    number: 1,
    day: '2026-11-19',
    orders: [order()],
    decisions: [],
    ...over,
  }) as unknown as BasketDocument;

interface World {
  readonly decisions?: readonly DecisionDocument['decision'][];
  readonly baskets?: readonly BasketDocument[];
  readonly strategies?: readonly { id: string; ownerId?: string; isPublic?: boolean; isDeleted?: boolean }[];
  readonly followed?: readonly string[];
  readonly strategyIds?: readonly string[];
  readonly cash?: number;
  readonly positions?: readonly { ticker: string; quantity: number }[];
  readonly account?: unknown;
}

/** 20,000 is the day of the closes: SPY at 100, TLT at 50; OLD has none on it. */
async function tonight(world: World) {
  const { strategyIds = ['s'], followed = strategyIds, cash = 1_000, positions = [] } = world;
  const series = (closes: readonly number[]) => ({
    days: Int32Array.from(closes.map((_, i) => 20_777 - closes.length + 1 + i)),
    closes: Float64Array.from(closes),
  });
  const prices = new Map<string, unknown>([
    ['SPY', series([90, 100])],
    ['TLT', series([50])],
    ['OLD', { days: Int32Array.of(20_000), closes: Float64Array.of(7) }],
  ]);
  type Query = { where: Record<string, unknown>; limit: number; sort: [[string, 'asc' | 'desc']] };
  const readModels = {
    find: async (name: string, { where, limit, sort }: Query) => {
      const all = name.startsWith('baskets')
        ? [...(world.baskets ?? [])]
        : (world.decisions ?? []).map((one) => ({ day: one.day, strategyId: one.strategyId, decision: one }));
      const [[field, direction]] = sort;
      const value = (one: object) => String((one as Record<string, unknown>)[field]);
      const after = (where.day as { gt: string } | undefined)?.gt;
      return all
        .filter(
          (one) => !('strategyId' in where) || ('strategyId' in one && one.strategyId === where.strategyId),
        )
        .filter((one) => !('userId' in where) || ('userId' in one && one.userId === where.userId))
        .filter(({ day }) => after === undefined || day > after)
        .sort((a, b) => (value(a) < value(b) ? -1 : 1) * (direction === 'asc' ? 1 : -1))
        .slice(0, limit);
    },
    getMany: async (_: string, ids: readonly string[]) =>
      (world.strategies ?? strategyIds.map((id) => ({ id })))
        .filter(({ id }) => ids.includes(id))
        .map((one) => ({ ownerId: 'u', isPublic: false, isDeleted: false, ...one })),
  } as unknown as ReadModels;
  const marketData = {
    current: async () => ({ version: 'v1', lastDay: DAY }),
    load: async (_: string, tickers: readonly string[]) =>
      new Map(tickers.flatMap((ticker) => (prices.has(ticker) ? [[ticker, prices.get(ticker)]] : []))),
  } as unknown as MarketData;
  const broker = { account: async () => world.account ?? { cash, positions } };
  return await tonightOf(
    { readModels, marketData },
    broker as never,
    { userId: 'u', number: 1, followed: new Set(followed) },
    { strategyIds: [...strategyIds], isFractional: false, slippageBps: 0 },
  );
}
async function proposed(world: World) {
  const answer = await tonight(world);
  if (isRefusal(answer)) throw new Error(answer.detail);
  return answer;
}
const told = async (world: World) =>
  (await proposed(world)).orders.map(({ side, quantity, ticker }) => `${side} ${quantity} ${ticker}`);

describe('what an account would trade tonight', () => {
  it('follows from what was decided, at the closes of the day', async () => {
    const answer = await proposed({
      decisions: [decision('s', { SPY: 60, TLT: 40 })],
      positions: [{ ticker: 'OLD', quantity: 3 }],
    });
    expect(answer).toMatchObject({
      day: DAY,
      dataVersion: 'v1',
      cash: 1_000,
      equity: 1_000,
      positions: [{ ticker: 'OLD', quantity: 3 }],
      closes: { SPY: 100, TLT: 50 },
      weights: { SPY: 60, TLT: 40 },
      unpriced: ['OLD'],
      decisions: [{ strategyId: 's', revision: 1, day: DAY }],
      behind: [],
      undecided: [],
      unfollowed: [],
    });
    expect(answer.orders.map(({ side, quantity, ticker }) => `${side} ${quantity} ${ticker}`)).toEqual([
      'buy 6 SPY',
      'buy 8 TLT',
    ]);
  });

  it('is refused in the words of the broker, where he cannot be asked', async () => {
    const account = { kind: 'failed', reason: 'The broker does not answer', retryAfterMs: 0 };
    expect(await tonight({ account })).toMatchObject({
      status: 409,
      code: 'broker_away',
      detail: 'The broker does not answer.',
    });
  });

  it('counts the newest decision, and of several revisions on its day the newest one', async () => {
    const decisions = [
      decision('s', { SPY: 100 }, { day: '2026-11-18', revision: 9 }),
      decision('s', { TLT: 100 }, { revision: 3 }),
      decision('s', { SPY: 50 }, { revision: 2 }),
    ];
    expect((await proposed({ decisions })).weights).toEqual({ TLT: 100 });
  });

  it('holds what was decided last where a strategy is behind', async () => {
    const answer = await proposed({ decisions: [decision('s', { SPY: 100 }, { day: '2026-11-18' })] });
    expect([answer.behind, answer.weights]).toEqual([['s'], { SPY: 100 }]);
  });

  it('leaves cash for strategies that nobody has decided, sees or follows', async () => {
    const strategyIds = ['mine', 'public', 'private', 'deleted', 'left', 'new'];
    const decisions = strategyIds
      .filter((id) => id !== 'new')
      .map((id) => decision(id, { [id.toUpperCase()]: 60 }));
    const answer = await proposed({
      strategyIds,
      // What is deleted is told as such, whether it is still followed or not.
      followed: strategyIds.filter((id) => id !== 'left' && id !== 'deleted'),
      decisions,
      strategies: [
        { id: 'mine' },
        { id: 'public', ownerId: 'other', isPublic: true },
        { id: 'private', ownerId: 'other' },
        { id: 'deleted', isDeleted: true },
        { id: 'left' },
        { id: 'new' },
      ],
    });
    expect(answer.weights).toEqual({ MINE: 10, PUBLIC: 10 });
    expect(answer.undecided).toEqual(['private', 'deleted', 'new']);
    expect(answer.unfollowed).toEqual(['left']);
    expect(answer.decisions.map(({ strategyId }) => strategyId)).toEqual(['mine', 'public']);
  });
});

describe('an account that holds what was decided', () => {
  const then = { strategyId: 's', revision: 1, day: '2026-11-19' };
  const first = decision('s', { SPY: 100 }, { day: '2026-11-19' });
  const quiet = (over: object = {}) => decision('s', { SPY: 99 }, { turnover: 0, ...over });
  const held: World = {
    decisions: [first, quiet()],
    baskets: [basket({ decisions: [then] })],
    positions: [{ ticker: 'SPY', quantity: 8 }],
    cash: 200,
  };

  it('trades nothing, though its weights have drifted', async () => {
    expect(await told(held)).toEqual([]);
    expect(await told({ ...held, decisions: [first] })).toEqual([]);
  });

  it.each<[string, World]>([
    [
      'an order was not traded whole',
      { baskets: [basket({ decisions: [then], orders: [order(), order({ traded: 4 })] })] },
    ],
    [
      'an order is not at its end',
      { baskets: [basket({ decisions: [then], orders: [order({ status: 'taken' })] })] },
    ],
    ['it never had orders', { baskets: [] }],
    ['the orders were those of another account', { baskets: [basket({ number: 2, decisions: [then] })] }],
    ['the orders were those of somebody else', { baskets: [basket({ userId: 'x', decisions: [then] })] }],
    ['something was decided since that trades', { decisions: [first, quiet({ turnover: 0.1 })] }],
    ['another revision decides', { decisions: [first, quiet({ revision: 2 })] }],
    [
      'it is run from another day',
      { decisions: [first, quiet({ runFrom: '2021-01-04', day: DAY }), quiet({ day: '2026-11-21' })] },
    ],
    ['it was not decided when the orders were made', { baskets: [basket({ decisions: [] })] }],
    [
      'nobody knows any more what was decided since',
      { decisions: [first, ...Array.from({ length: 250 }, () => quiet())] },
    ],
  ])('trades again where %s', async (_, over) => {
    expect(await told({ ...held, ...over })).not.toEqual([]);
  });

  it('trades all anew where one of its strategies trades', async () => {
    const world: World = {
      ...held,
      strategyIds: ['s', 't', 'never'],
      decisions: [
        first,
        quiet(),
        decision('t', { TLT: 100 }, { day: '2026-11-19' }),
        decision('t', { TLT: 90 }, { turnover: 0 }),
      ],
      baskets: [basket({ decisions: [then, { ...then, strategyId: 't' }] })],
    };
    expect(await told(world)).toEqual([]);
    expect(
      await told({
        ...world,
        decisions: [...(world.decisions ?? []), decision('t', { TLT: 1 }, { day: '2026-11-21' })],
      }),
    ).not.toEqual([]);
    // One that was decided then and is not to be seen any more.
    expect(await told({ ...world, followed: ['s'] })).not.toEqual([]);
  });
});
