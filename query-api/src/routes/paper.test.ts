import { evaluationFailuresProjection } from '@quantloom/domain/forward-test/failure';
import { decisionsProjection, followsProjection } from '@quantloom/domain/forward-test/projections';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { basketsProjection } from '@quantloom/domain/paper/basket';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { afterEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountPaperQueries } from './paper.ts';

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'] as const;
const [FIRST, SECOND, LAST] = DAYS;
const CLOSES: Readonly<Record<string, readonly number[]>> = { SPY: [100, 110, 120], TLT: [50, 50, 50] };
const TERMS = {
  ...{ broker: 'own', strategyIds: ['s1', 's2'], isFractional: false, cash: 10_000, slippageBps: 0 },
  ...{ startDay: FIRST, sealedKey: null, keyHint: null },
};

const opened = (number: number, over: object = {}) => ({
  type: 'PaperAccountOpened',
  data: { userId: 'ann', number, ...TERMS, ...over },
});
const filled = (day: string, quantity: number, price: number) => ({
  type: 'PaperOrdersFilled',
  data: {
    ...{ userId: 'ann', day, dataVersion: 'v', adjusted: [], lapsed: [], closes: { SPY: price } },
    fills: [{ orderId: `o${day}`, ticker: 'SPY', side: 'buy', quantity, price, cost: 0 }],
  },
});
const CLOSED = { type: 'PaperAccountClosed', data: { userId: 'ann', number: 1 } };

const basket = (day: string, over: object = {}) => ({
  ...{ userId: 'ann', number: 1, broker: 'own', day, decisions: [], orders: [], isOpen: false },
  ...{ approvedAt: `${day}T23:00:00.000Z`, ...over },
});
const decision = (strategyId: string, day: string, weights: object) => ({
  ...{ id: `${strategyId}-${day}`, strategyId, day, decidedAt: `${day}T22:00:00.000Z`, correction: null },
  decision: { strategyId, day, revision: 0, weights, isLate: false, runFrom: '2020-01-02', turnover: 0.5 },
});
const strategy = (id: string, over: object = {}) => ({
  ...{ id, name: `Name of ${id}`, ownerId: 'ann', isPublic: false, isDeleted: false, ...over },
});

interface World {
  readonly events?: readonly object[];
  readonly strategies?: readonly { readonly id: string }[];
  readonly follows?: readonly string[];
  readonly baskets?: readonly { readonly day: string }[];
  readonly decisions?: readonly { readonly strategyId: string; readonly day: string }[];
  readonly failures?: readonly { readonly id: string; readonly day: string }[];
  readonly broker?: object;
}

describe('the account of paper money', () => {
  let close = async () => {};
  afterEach(() => close());

  async function open(world: World = {}) {
    const {
      events = [opened(1)],
      strategies = [strategy('s1'), strategy('s2')],
      follows = ['s1', 's2'],
      baskets = [],
      decisions = [decision('s1', LAST, { SPY: 100 }), decision('s2', LAST, { TLT: 100 })],
      failures = [],
      broker = { kind: 'account', cash: 10_000, positions: [] },
    } = world;
    const finds: [string, FindQuery][] = [];
    const streams: string[] = [];
    const asked: object[] = [];
    const many: Readonly<Record<string, (id: string) => object | undefined>> = {
      [strategySummariesProjection.collection.name]: (id) => strategies.find((one) => one.id === id),
      [followsProjection.collection.name]: (id) => {
        const followed = follows.find((one) => id === `ann-${one}`);
        return followed ? { id, userId: 'ann', strategyId: followed } : undefined;
      },
      [evaluationFailuresProjection.collection.name]: (id) => failures.find((one) => one.id === id),
    };
    const server = await openReadServer(mountPaperQueries as never, {
      readModels: {
        getMany: async (collection: string, ids: readonly string[]) =>
          ids.flatMap((id) => many[collection]?.(id) ?? []),
        find: async (collection: string, query: FindQuery) => {
          finds.push([collection, query]);
          if (collection === basketsProjection.collection.name) return baskets.slice(0, query.limit);
          const [[, direction] = ['day', 'asc']] = query.sort ?? [];
          const ofStrategy = decisions
            .filter(({ strategyId }) => strategyId === query.where?.strategyId)
            .toSorted((a, b) => (a.day < b.day ? -1 : 1));
          return direction === 'desc' ? ofStrategy.toReversed() : ofStrategy;
        },
      },
      eventStore: {
        readStream: async function* (name: string) {
          streams.push(name);
          if (name === 'paper-ann') yield* events;
        },
      },
      paperBrokers: {
        hasAlpaca: true,
        open: (of: object) => {
          asked.push(of);
          return { account: async () => broker };
        },
      },
      marketData: {
        current: async () => ({ version: 'v', lastDay: LAST }),
        load: async (_: string, tickers: readonly string[]) =>
          new Map(
            tickers.map((ticker) => [
              ticker,
              {
                ticker,
                days: Int32Array.from(DAYS.map(dayNumber)),
                closes: Float64Array.from(CLOSES[ticker] ?? []),
              },
            ]),
          ),
      },
    });
    close = server.close;
    const account = async () => (await server.get('ann', '/paper-account')).body.account;
    return { ...server, account, finds, streams, asked };
  }

  it('is the one of the caller, read from his own stream and his own nights', async () => {
    const { get, account, finds, streams, asked } = await open();
    expect(await account()).toMatchObject({ number: 1, start_day: FIRST, start_cash: 10_000 });
    expect(asked).toEqual([expect.objectContaining({ userId: 'ann', broker: 'own' })]);
    const nights = finds.filter(([name]) => name === basketsProjection.collection.name);
    for (const [, { where, sort }] of nights)
      expect([where, sort]).toEqual([{ userId: 'ann' }, [['day', 'desc']]]);
    expect((await get('bob', '/paper-account')).body).toEqual({ account: null, has_alpaca: true });
    expect(streams).toEqual(['paper-ann', 'paper-bob']);
  });

  it('is none once it is closed', async () => {
    const { account } = await open({ events: [opened(1), CLOSED] });
    expect(await account()).toBeNull();
  });

  it('begins its record anew with the account, whatever the one before held', async () => {
    const { account } = await open({
      events: [opened(1), filled(FIRST, 50, 100), CLOSED, opened(2, { startDay: SECOND })],
      decisions: [decision('s1', SECOND, {}), decision('s1', LAST, {})],
    });
    const { record } = await account();
    expect(record).toMatchObject({ days: [SECOND, LAST], account: [10_000, 10_000], gap: 0 });
  });

  it('is worth each day what it held from its last trade on', async () => {
    const { account, finds } = await open({
      events: [opened(1), filled(SECOND, 50, 110)],
      decisions: DAYS.map((day) => decision('s1', day, { SPY: 50 })),
    });
    expect((await account()).record).toMatchObject({ days: DAYS, account: [10_000, 10_000, 10_500] });
    // The record goes from the first day on, that of the opening included.
    const { name } = decisionsProjection.collection;
    const records = finds.filter(([collection, { sort }]) => collection === name && sort?.[0]?.[1] === 'asc');
    expect(records.map(([, { where }]) => where)).toEqual([
      { strategyId: 's1', day: { gte: FIRST } },
      { strategyId: 's2', day: { gte: FIRST } },
    ]);
  });

  it('has no record of a broker who keeps one, and says why the broker could not be asked', async () => {
    const { account } = await open({
      events: [opened(1, { broker: 'alpaca', keyHint: 'TKEY' })],
      broker: { kind: 'failed', reason: 'The broker was asked too often', retryAfterMs: 1 },
    });
    expect(await account()).toMatchObject({
      ...{ broker: 'alpaca', key_hint: 'TKEY', record: null, tonight: null },
      broker_fault: 'The broker was asked too often.',
    });
  });

  it('tells nothing of a strategy that others have made private or deleted since', async () => {
    const others = strategy('s2', { ownerId: 'bob' });
    const { account, finds } = await open({ strategies: [strategy('s1'), others] });
    const { strategies, tonight } = await account();
    expect(strategies).toEqual([
      { id: 's1', name: 'Name of s1' },
      { id: 's2', name: null },
    ]);
    expect(tonight).toMatchObject({ undecided: ['s2'], unfollowed: [] });
    expect(finds.map(([, { where }]) => where?.strategyId)).not.toContain('s2');
  });

  it('shows what is held and what is wanted, by ticker', async () => {
    const broker = { kind: 'account', cash: 1_000, positions: [{ ticker: 'TLT', quantity: 2 }] };
    const { tonight } = await (await open({ broker })).account();
    expect(tonight).toMatchObject({
      day: LAST,
      cash: 1_000,
      equity: 1_100,
      can_approve: true,
      why_not: null,
    });
    expect(tonight.positions).toEqual([
      { ticker: 'SPY', quantity: 0, close: 120, wanted_percent: 50 },
      { ticker: 'TLT', quantity: 2, close: 50, wanted_percent: 50 },
    ]);
    expect(tonight.orders).toMatchObject([
      { ticker: 'SPY', side: 'buy', quantity: 4 },
      { ticker: 'TLT', side: 'buy', quantity: 9 },
    ]);
  });

  it('waits for the orders of an earlier night, not for those of tonight', async () => {
    const waiting = await open({ baskets: [basket(SECOND, { isOpen: true })] });
    const { tonight } = await waiting.account();
    expect(tonight).toMatchObject({ can_approve: false, why_not: expect.stringContaining(SECOND) });
    expect(tonight.orders).toHaveLength(2);
    await waiting.close();
    const approved = await open({ baskets: [basket(LAST, { isOpen: true })] });
    expect((await approved.account()).tonight).toMatchObject({
      ...{ orders: [], can_approve: false, why_not: 'The orders of this night are approved.' },
    });
    await approved.close();
    // Market data that were taken back to an earlier day: the orders of a later night are none of tonight's.
    const later = await open({ baskets: [basket('2026-03-05', { isOpen: true })] });
    expect((await later.account()).tonight).toMatchObject({ can_approve: true, why_not: null });
  });

  it('goes on without a decision that could not be made, and waits for one that is being made', async () => {
    const decisions = [decision('s1', LAST, { SPY: 100 }), decision('s2', SECOND, { TLT: 100 })];
    const waiting = await open({ decisions });
    expect((await waiting.account()).tonight).toMatchObject({ behind: ['s2'], can_approve: false });
    await waiting.close();
    const failed = await open({ decisions, failures: [{ id: 's2', day: LAST }] });
    expect((await failed.account()).tonight).toMatchObject({ behind: ['s2'], can_approve: true });
  });

  it('names a strategy that is not followed any more', async () => {
    const { tonight } = await (await open({ follows: ['s1'] })).account();
    expect(tonight).toMatchObject({ unfollowed: ['s2'], undecided: [] });
  });

  it('shows its own last fifty nights, the newest first', async () => {
    const days = Array.from({ length: 60 }, (_, i) =>
      new Date(Date.parse('2026-03-03') - i * 86_400_000).toISOString().slice(0, 10),
    );
    const baskets = days.map((day, i) => basket(day, { number: i === 1 ? 2 : 1 }));
    const { nights } = await (await open({ baskets })).account();
    const own = days.filter((_, i) => i !== 1).slice(0, 50);
    expect(nights.map(({ day }: { day: string }) => day)).toEqual(own);
    expect(nights[0].approved_at).toBe('2026-03-03T23:00:00.000Z');
  });
});
