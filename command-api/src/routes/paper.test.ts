import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { paperStream } from '@quantloom/domain/paper/account';
import { basketId, basketStream } from '@quantloom/domain/paper/basket';
import { ORDERS_A_NIGHT } from '@quantloom/domain/paper/limits';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import {
  account,
  api,
  call,
  createStrategy,
  DAYS,
  decide,
  look,
  MANY,
  server,
  setTime,
  usePaperWorld,
  world,
} from '../../testing/paper-world.ts';
import { PRINCIPALS } from '../../testing/test-api.ts';

const DAY_MS = 24 * 3_600_000;

usePaperWorld();

describe('an account of paper money', () => {
  it('trades what was decided, once for each approved night, at the next close', async () => {
    const id = await createStrategy();
    expect(await call('POST', '', { strategy_ids: [id], cash: 10_000 })).toMatchObject({
      status: 201,
      body: { number: 1, broker: 'own' },
    });
    expect((await account()).tonight).toMatchObject({ can_approve: false, undecided: [id] });
    await decide(id, '2026-11-20', { SPY: 60, TLT: 40 });
    const before = (await account()).tonight;
    expect(before).toMatchObject({ day: '2026-11-20', equity: 10_000, can_approve: true });
    const approvals = await Promise.all([1, 2, 3].map(() => call('POST', '/approve', { day: '2026-11-20' })));
    expect(approvals.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [first] = approvals;
    expect(first?.body.decisions).toEqual([{ strategy_id: id, revision: 0, day: '2026-11-20' }]);
    expect(first?.body.orders).toMatchObject([
      { ticker: 'SPY', side: 'buy', quantity: 59, status: 'approved' },
      { ticker: 'TLT', side: 'buy', quantity: 79 },
    ]);
    await look(2);
    expect((await account()).nights[0].orders[0]).toMatchObject({ status: 'taken' });
    world.known = 2;
    await decide(id, '2026-11-23', { SPY: 60, TLT: 40 });
    // Approved already, it stays so. Whoever approves the next night now would not know what is held.
    api.advance(60_000);
    expect(await call('POST', '/approve', { day: '2026-11-20' })).toMatchObject({
      status: 200,
      body: { approved_at: first?.body.approved_at },
    });
    expect((await call('POST', '/approve', { day: '2026-11-23' })).body.code).toBe('orders_open');
    api.advance(120_000);
    await look(2);
    const { tonight, nights, record } = await account();
    expect(nights).toHaveLength(1);
    expect(nights[0].orders).toMatchObject([
      { ticker: 'SPY', status: 'ended', traded: expect.any(Number), price: 110 },
      { ticker: 'TLT', status: 'ended', price: 50 },
    ]);
    const cost = ({ traded, price }: { traded: number; price: number }) => traded * price * 1.001;
    const spent = nights[0].orders.map(cost).reduce((sum: number, one: number) => sum + one);
    expect(tonight.cash).toBeCloseTo(10_000 - spent, 6);
    expect(tonight.cash).toBeGreaterThanOrEqual(0);
    expect(record.days).toEqual(DAYS.slice(0, 2));
    expect(record.reasons[0]).toMatch(/close after the one that decided/);
    // What was approved for another day is not approved.
    expect((await call('POST', '/approve', { day: '2026-11-22' })).body.code).toBe('another_day');
  });

  it('leaves alone what has drifted since it was traded, until something is traded again', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 50 }, 0.5);
    await call('POST', '/approve', { day: '2026-11-20' });
    await look();
    world.known = 2;
    api.advance(120_000);
    await look();
    await decide(id, '2026-11-23', { SPY: 40 }, 0);
    expect((await account()).tonight).toMatchObject({ orders: [], can_approve: false });
    expect((await call('POST', '/approve', { day: '2026-11-23' })).body.code).toBe('no_orders');
    world.known = 3;
    await decide(id, '2026-11-24', { SPY: 40 }, 0.1);
    expect((await account()).tonight.orders).toMatchObject([{ ticker: 'SPY', side: 'sell' }]);
    expect((await account()).record.reasons.join()).not.toContain('not approved');
  });

  it('brings what was missed up to what was decided, though nothing is traded that night', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 50 }, 0.5);
    world.known = 2;
    await decide(id, '2026-11-23', { SPY: 52 }, 0);
    expect((await account()).tonight.orders).toMatchObject([{ ticker: 'SPY', side: 'buy' }]);
    await call('POST', '/approve', { day: '2026-11-23' });
    await look();
    world.known = 3;
    api.advance(120_000);
    await look();
    await decide(id, '2026-11-24', { SPY: 54 }, 0);
    expect((await account()).tonight.orders).toEqual([]);
  });

  it('goes on without a strategy that is not followed any more', async () => {
    const [id, left] = [await createStrategy(), await createStrategy()];
    await call('POST', '', { strategy_ids: [id, left] });
    await decide(id, '2026-11-20', { SPY: 100 });
    await decide(left, '2026-11-20', { TLT: 100 });
    await call('POST', '/approve', { day: '2026-11-20' });
    await look();
    world.known = 2;
    api.advance(DAY_MS);
    await look();
    await api.call('paid', 'DELETE', `/api/v1/trading-bots/${left}/follow`);
    await decide(id, '2026-11-23', { SPY: 100 });
    const { tonight } = await account();
    expect(tonight).toMatchObject({ unfollowed: [left], undecided: [], behind: [], can_approve: true });
    const held = tonight.positions.find(({ ticker }: { ticker: string }) => ticker === 'TLT').quantity;
    expect(tonight.orders.at(-1)).toMatchObject({ side: 'sell', ticker: 'TLT', quantity: held });
    expect((await call('POST', '/approve', { day: '2026-11-23' })).status).toBe(200);
    // An account that is opened anew waits for no orders of the one before.
    await call('DELETE');
    await call('POST', '', { strategy_ids: [id] });
    world.known = 3;
    await decide(id, '2026-11-24', { SPY: 100 });
    expect((await call('POST', '/approve', { day: '2026-11-24' })).status).toBe(200);
  });

  it('fills at no close that was over at the approval, where the market data come late', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 50 });
    // Monday evening: its close is over, and everybody but the market data knows it.
    setTime('2026-11-23T22:00:00Z');
    await call('POST', '/approve', { day: '2026-11-20' });
    world.known = 2;
    await look();
    api.advance(120_000);
    await look();
    expect((await account()).nights[0].orders).toMatchObject([{ status: 'taken' }]);
    world.known = 3;
    api.advance(DAY_MS);
    await look();
    expect((await account()).nights[0].orders).toMatchObject([{ status: 'ended', price: 120 }]);
  });

  it('sends nothing late: an order that did not reach the broker before the close is refused', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 100 });
    await call('POST', '/approve', { day: '2026-11-20' });
    world.known = 2;
    await look();
    expect((await account()).nights[0].orders[0]).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('too late'),
    });
    expect((await account()).tonight.positions).toMatchObject([{ ticker: 'SPY', quantity: 0 }]);
  });

  it('keeps to its owner and to what a plan allows', async () => {
    const [id, others] = [await createStrategy(), await createStrategy('free')];
    expect((await call('POST', '', { strategy_ids: [others] })).status).toBe(404);
    // Whichever of them it is.
    expect((await call('POST', '', { strategy_ids: [id, others] })).status).toBe(404);
    expect((await call('POST', '', { strategy_ids: [] })).status).toBe(400);
    expect((await call('DELETE')).body.code).toBe('no_paper_account');
    expect((await call('POST', '/approve', { day: '2026-11-20' })).body.code).toBe('no_paper_account');
    expect((await call('GET')).body).toEqual({ account: null, has_alpaca: true });
    await call('POST', '', { strategy_ids: [id] });
    expect((await call('POST', '', { strategy_ids: [id] })).body.code).toBe('paper_account_open');
    expect((await call('GET', '', undefined, 'free')).body.account).toBeNull();
    const key = { broker: 'alpaca', key_id: 'PKTESTKEY', key_secret: 's3cret-of-the-key' };
    const free = await call('POST', '', { strategy_ids: [others], ...key }, 'free');
    expect([free.status, free.body.code]).toEqual([403, 'not_in_plan']);
    const more = Array.from({ length: 4 }, (_, i) => `${others}${i}`);
    expect((await call('POST', '', { strategy_ids: more }, 'free')).body.code).toBe('too_many_strategies');
    // As many as the plan has are looked at: these are nobody's.
    expect((await call('POST', '', { strategy_ids: more.slice(1) }, 'free')).body.code).toBe(
      'strategy_not_found',
    );
    expect((await call('DELETE')).body).toEqual({ is_open: false });
    expect(await account()).toBeNull();
  });

  it('takes no approval any more once it is closed', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 100 });
    await call('DELETE');
    const refused = await call('POST', '/approve', { day: '2026-11-20' });
    expect([refused.status, refused.body.code]).toEqual([409, 'no_paper_account']);
  });

  it('trades at no costs where that was asked for', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id], slippage_bps: 0 });
    const { state } = await loadState(api.deps.eventStore, paperStream, PRINCIPALS.paid.userId);
    expect(state.terms?.slippageBps).toBe(0);
  });

  it('begins with 10,000 dollars, and has as many orders a night as the plan', async () => {
    const id = await createStrategy('free');
    await call('POST', '', { strategy_ids: [id] }, 'free');
    const evenly = (tickers: readonly string[]) =>
      Object.fromEntries(tickers.map((ticker) => [ticker, 100 / tickers.length]));
    await decide(id, '2026-11-20', evenly(MANY));
    const { tonight } = (await call('GET', '', undefined, 'free')).body.account;
    expect(tonight).toMatchObject({ cash: 10_000, equity: 10_000 });
    const refused = await call('POST', '/approve', { day: '2026-11-20' }, 'free');
    expect([refused.status, refused.body.code]).toEqual([403, 'too_many_orders']);
    world.known = 2;
    await decide(id, '2026-11-23', evenly(MANY.slice(1)));
    const approved = await call('POST', '/approve', { day: '2026-11-23' }, 'free');
    expect(approved.status).toBe(200);
    expect(approved.body.orders).toHaveLength(ORDERS_A_NIGHT.free);
  });

  it('has no orders any more where its owner’s account was erased', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 100 });
    await call('POST', '/approve', { day: '2026-11-20' });
    const { userId } = PRINCIPALS.paid;
    // As erasures of before left it: the account is gone, and its paper account is not closed.
    const eraseAt = '2026-11-21T00:00:00Z';
    const registered = { subject: 's', email: 'p@example.com', planId: 'api', grantedFeatures: [] } as const;
    const actor = { kind: 'system', name: 'test' } as const;
    for (const command of [
      { type: 'RegisterUser', userId, ...registered },
      { type: 'RequestDeletion', eraseAt },
      { type: 'EraseAccount', now: eraseAt },
    ] as const) {
      const context = { commandId: ulid(), correlationId: 'test', actor, now: eraseAt };
      await handleCommand(api.deps.eventStore, USER_STREAM, userId, command, context);
    }
    await look();
    const id1 = basketId({ userId, number: 1, day: '2026-11-20' });
    const { state } = await loadState(api.deps.eventStore, basketStream, id1);
    expect(state?.orders).toMatchObject([{ status: 'refused', reason: 'The paper account was closed' }]);
  });

  it('takes no orders of one before it: what was approved for that is refused', async () => {
    const id = await createStrategy();
    await call('POST', '', { strategy_ids: [id] });
    await decide(id, '2026-11-20', { SPY: 100 });
    await call('POST', '/approve', { day: '2026-11-20' });
    await call('DELETE');
    await call('POST', '', { strategy_ids: [id] });
    await look();
    const key = { userId: PRINCIPALS.paid.userId, number: 1, day: '2026-11-20' };
    const { state } = await loadState(api.deps.eventStore, basketStream, basketId(key));
    expect(state?.orders).toMatchObject([{ status: 'refused', reason: 'The paper account was closed' }]);
    expect((await account()).nights).toEqual([]);
  });
});

describe('a paper account at Alpaca', () => {
  const key = { key_id: 'PKTESTKEY', key_secret: 's3cret-of-the-key' };
  const open = async () => {
    const id = await createStrategy();
    expect((await call('POST', '', { broker: 'alpaca', strategy_ids: [id], ...key })).status).toBe(201);
    await decide(id, '2026-11-20', { SPY: 60, TLT: 40 });
    return id;
  };

  it('never shows the key, nor writes it into the log as it is', async () => {
    await open();
    const { text, body } = await call('GET');
    expect(text).not.toContain(key.key_secret);
    expect(text).not.toContain(key.key_id);
    expect(body.account).toMatchObject({ broker: 'alpaca', key_hint: 'TKEY', record: null });
    const log: string[] = [];
    for await (const event of api.deps.eventStore.readAll(-1n)) log.push(JSON.stringify(event.data));
    expect(log.join()).not.toContain(key.key_secret);
    expect(log.join()).not.toContain(key.key_id);
    expect((await call('POST', '', { broker: 'alpaca', strategy_ids: ['x'] })).status).toBe(404);
  });

  it('has the money and the costs of the broker, whatever else was asked for', async () => {
    const id = await createStrategy();
    const own = { cash: 5_000, slippage_bps: 10 };
    await call('POST', '', { broker: 'alpaca', strategy_ids: [id], ...key, ...own });
    const { state } = await loadState(api.deps.eventStore, paperStream, PRINCIPALS.paid.userId);
    expect(state.terms).toMatchObject({ broker: 'alpaca', cash: 0, slippageBps: 0 });
  });

  it('gets each order once, also where a process dies between the broker’s word and ours', async () => {
    await open();
    await call('POST', '/approve', { day: '2026-11-20' });
    // At half past six Alpaca takes nothing for the close.
    await look();
    expect(server.orders).toHaveLength(0);
    setTime('2026-11-21T00:00:00Z');
    // The first is taken in silence; the process that sends the next dies with the answer in its hand.
    world.around = (broker) => ({
      ...broker,
      place: async (order) => {
        await broker.place(order);
        throw new Error('This process has died');
      },
    });
    await look();
    expect(server.orders).toHaveLength(1);
    world.around = (broker) => broker;
    server.faults.push({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    await look();
    await look(3);
    expect(server.orders.map(({ symbol, qty }) => [symbol, qty])).toEqual([
      ['SPY', '60'],
      ['TLT', '80'],
    ]);
    expect((await account()).nights[0].orders.map(({ status }: { status: string }) => status)).toEqual([
      'taken',
      'taken',
    ]);
    server.close({ SPY: 101, TLT: 50 }, 0.5);
    world.known = 2;
    api.advance(120_000);
    await look(2);
    expect((await account()).nights[0].orders).toMatchObject([
      { status: 'ended', traded: 30, price: 101, reason: 'It was cancelled at the broker' },
      { status: 'ended', traded: 40, price: 50 },
    ]);
  });

  it('approves no further night while one order of the last is still open', async () => {
    const id = await open();
    await call('POST', '/approve', { day: '2026-11-20' });
    setTime('2026-11-21T00:00:00Z');
    await look();
    server.close({ SPY: 101 });
    world.known = 2;
    api.advance(120_000);
    await look();
    const { nights } = await account();
    expect(nights[0].orders.map(({ status }: { status: string }) => status)).toEqual(['ended', 'taken']);
    await decide(id, '2026-11-23', { SPY: 40, TLT: 60 });
    expect((await call('POST', '/approve', { day: '2026-11-23' })).body.code).toBe('orders_open');
  });

  it('says so where the broker is away, and where it refuses', async () => {
    await open();
    server.away = { status: 429 };
    expect(await account()).toMatchObject({ tonight: null, broker_fault: 'The broker was asked too often.' });
    expect((await call('POST', '/approve', { day: '2026-11-20' })).body.code).toBe('broker_away');
    server.away = null;
    await call('POST', '/approve', { day: '2026-11-20' });
    server.faults.push({ kind: 'status', status: 403 });
    setTime('2026-11-21T00:00:00Z');
    await look();
    expect((await account()).nights[0].orders).toMatchObject([
      { status: 'refused', reason: expect.stringContaining('not enough money or shares') },
      { status: 'taken' },
    ]);
  });
});
