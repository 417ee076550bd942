import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlpacaStandIn } from '../../../testing/paper-broker/alpaca/stand-in-server.ts';
import { paperBrokerContract } from '../../../testing/paper-broker/contract.ts';
import { createPaperBrokers } from '../paper-brokers.ts';
import { openAlpacaPaperBroker } from './alpaca-paper-broker.ts';
import { paperHostFault } from './paper-host.ts';

const at = (...times: readonly string[]) => {
  const left = [...times];
  return { now: () => new Date((left.length > 1 ? left.shift() : left[0]) ?? '') };
};
const open: AlpacaStandIn[] = [];
afterAll(async () => {
  for (const server of open) await server.stop();
});

paperBrokerContract('alpaca', async () => {
  const server = await AlpacaStandIn.start();
  open.push(server);
  return {
    broker: openAlpacaPaperBroker({
      baseUrl: server.url,
      key: server.key,
      clock: at('2026-11-21T01:00:00Z'),
    }),
    day: '2026-11-20',
    close: async (prices) => server.close(prices),
  };
});

describe('an account at Alpaca', () => {
  let server: AlpacaStandIn;
  let elsewhere: AlpacaStandIn;
  beforeAll(async () => {
    elsewhere = await AlpacaStandIn.start();
  });
  afterAll(() => elsewhere.stop());
  beforeEach(async () => {
    server = await AlpacaStandIn.start();
  });
  afterEach(() => server.stop());
  const broker = (timeLimitMs = 5_000, clock = at('2026-11-21T01:00:00Z')) =>
    openAlpacaPaperBroker({ baseUrl: server.url, key: server.key, clock, timeLimitMs });
  const order = { orderId: 'o1', ticker: 'SPY', side: 'buy', quantity: 10, day: '2026-11-20' } as const;

  it('does not know whether an order was taken whose answer never came, and finds it when it is sent again', async () => {
    server.faults.push({ kind: 'silent' });
    expect(await broker(300).place(order)).toMatchObject({ kind: 'failed', retryAfterMs: 60_000 });
    expect(server.orders).toHaveLength(1);
    expect(await broker().place(order)).toMatchObject({
      kind: 'taken',
      order: { brokerOrderId: 'broker-1', status: 'open' },
    });
    expect(server.orders).toHaveLength(1);
  });

  it.each([
    [
      429,
      { 'retry-after': '7' },
      { kind: 'failed', retryAfterMs: 7_000, reason: 'The broker was asked too often' },
    ],
    [429, {}, { kind: 'failed', retryAfterMs: 60_000 }],
    [500, {}, { kind: 'failed', reason: 'The broker answered 500' }],
    [403, {}, { kind: 'refused' }],
    [422, {}, { kind: 'refused' }],
  ])('takes %i for what it is (%j)', async (status, headers, expected) => {
    server.faults.push({ kind: 'status', status, headers });
    expect(await broker().place(order)).toMatchObject(expected);
    expect(server.orders).toEqual([]);
  });

  it('says what was traded of an order that ended early', async () => {
    await broker().place(order);
    server.close({ SPY: 100 }, 0.4);
    expect(await broker().find('o1')).toEqual({
      brokerOrderId: 'broker-1',
      status: 'ended',
      quantity: 4,
      price: 100,
      reason: 'It was cancelled at the broker',
    });
  });

  it.each([
    // From 15:50 to 19:00 in New York, in winter and in summer; on a half day from 12:50.
    ['2026-11-24T20:49:59Z', 0],
    ['2026-11-24T20:50:00Z', 190],
    ['2026-07-14T19:50:00Z', 190],
    ['2026-11-24T23:59:00Z', 1],
    ['2026-11-25T00:00:00Z', 0],
    ['2026-11-27T17:50:00Z', 370],
    ['2026-11-28T21:00:00Z', 0],
  ])('holds orders for the close at %s for %i minutes', async (time, minutes) => {
    const held = await broker(5_000, at(time)).place(order);
    if (minutes === 0) expect(held).toMatchObject({ kind: 'taken' });
    else
      expect(held).toEqual({
        kind: 'failed',
        reason: 'The broker takes orders for the close from 19:00 in New York on',
        retryAfterMs: minutes * 60_000,
      });
    expect(server.orders).toHaveLength(minutes === 0 ? 1 : 0);
    // Fractions are for the day.
    expect(await broker(5_000, at(time)).place({ ...order, orderId: 'o2', quantity: 1.5 })).toMatchObject({
      kind: 'taken',
    });
  });

  it.each([403, 422])(
    'tries again what was refused with %i since the window began on its way',
    async (status) => {
      server.faults.push({ kind: 'status', status });
      const clock = at('2026-11-24T20:49:59Z', '2026-11-24T20:50:00Z');
      expect(await broker(5_000, clock).place(order)).toMatchObject({
        kind: 'failed',
        retryAfterMs: 11_400_000,
      });
    },
  );

  it('knows an order again that was taken before the window, though its answer was lost', async () => {
    server.faults.push({ kind: 'silent' });
    await broker(300, at('2026-11-24T20:49:59Z')).place(order);
    expect(await broker(5_000, at('2026-11-24T21:30:00Z')).place(order)).toMatchObject({ kind: 'taken' });
    expect(server.orders).toHaveLength(1);
  });

  it('sends whole shares for the close and fractions for the day, and writes share classes as it does', async () => {
    await broker().place({ ...order, ticker: 'BRK-B' });
    await broker().place({ ...order, orderId: 'o2', quantity: 1.5 });
    server.close({ 'BRK.B': 400 });
    expect(server.orders.map(({ symbol, time_in_force: until }) => [symbol, until])).toEqual([
      ['BRK.B', 'cls'],
      ['SPY', 'day'],
    ]);
    expect(await broker().account()).toMatchObject({ positions: [{ ticker: 'BRK-B', quantity: 10 }] });
  });

  it('follows no redirect, and shows its key to nobody else', async () => {
    server.faults.push({ kind: 'redirect', to: `${elsewhere.url}/v2/orders` });
    expect(await broker().place(order)).toMatchObject({ kind: 'failed' });
    expect(elsewhere.requests).toEqual([]);
  });

  it('leaves out what was sold short, and asks seldom where the key is not accepted', async () => {
    server.positions.set('TLT', -3);
    expect(await broker().account()).toMatchObject({ positions: [] });
    const other = openAlpacaPaperBroker({
      baseUrl: server.url,
      key: { id: 'PKOTHER', secret: 'wrong-secret' },
      clock: at('2026-11-21T01:00:00Z'),
    });
    const answer = await other.account();
    expect(answer).toEqual({
      kind: 'failed',
      reason: 'The broker does not accept the key',
      retryAfterMs: 900_000,
    });
  });

  it.each([
    ['https://api.alpaca.markets', /only paper-api/],
    ['https://paper-api.alpaca.markets.example.com', /only paper-api/],
    ['https://paper-api.alpaca.markets:8443', /has to be/],
    ['http://paper-api.alpaca.markets', /has to be/],
    ['https://me:pw@paper-api.alpaca.markets', /name or password/],
    ['http://10.0.0.1', /only paper-api/],
    ['nothing', /not an address/],
  ])('never asks %s', (baseUrl, words) => {
    expect(paperHostFault(baseUrl)).toMatch(words);
    expect(() =>
      openAlpacaPaperBroker({ baseUrl, key: server.key, clock: at('2026-11-21T01:00:00Z') }),
    ).toThrow(/not sent to this address/);
  });

  it('is the paper host', () => expect(paperHostFault('https://paper-api.alpaca.markets')).toBeNull());
});

describe('the brokers of an installation', () => {
  const deps = {
    eventStore: {} as never,
    marketData: {} as never,
    clock: { now: () => new Date(0) },
    secretKey: 'ab'.repeat(32),
  };
  const key = { id: 'PKTESTKEY', secret: 's3cret-of-the-key' };

  it('keeps keys under its own, for one user alone', async () => {
    const server = await AlpacaStandIn.start();
    const brokers = createPaperBrokers({ ...deps, alpacaUrl: server.url });
    const sealedKey = brokers.seal('ada', key);
    expect(sealedKey).not.toContain('s3cret');
    const account = { broker: 'alpaca', sealedKey } as const;
    expect(await brokers.open({ userId: 'ada', ...account }).account()).toMatchObject({ cash: 10_000 });
    const asked = server.requests.length;
    // Of another user, and after the person's data were erased.
    for (const one of [
      { userId: 'ben', ...account },
      { userId: 'ada', ...account, sealedKey: 'deleted account' },
    ])
      expect(await brokers.open(one).account()).toMatchObject({
        kind: 'failed',
        reason: expect.stringMatching(/cannot be read/),
      });
    expect(server.requests.length).toBe(asked);
    await server.stop();
  });

  it('asks nobody where it is off', async () => {
    const off = createPaperBrokers({ ...deps, alpacaUrl: null });
    expect(off.hasAlpaca).toBe(false);
    const account = { userId: 'ada', broker: 'alpaca', sealedKey: off.seal('ada', key) } as const;
    expect(await off.open(account).account()).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/turned off/),
    });
  });
});
