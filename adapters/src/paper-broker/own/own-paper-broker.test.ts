import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { paperStream } from '@quantloom/domain/paper/account';
import type { DataSetManifest, PriceSeries } from '@quantloom/domain/ports/market-data';
import { afterAll, expect, it } from 'vitest';
import { paperBrokerContract } from '../../../testing/paper-broker/contract.ts';
import { openSqliteEventStore } from '../../event-store/sqlite/sqlite-event-store.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { openOwnPaperBroker } from './own-paper-broker.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'own-broker-'));
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(folder, { recursive: true, force: true });
});
const clock = { now: () => new Date('2026-11-20T23:30:00Z') };
const DAYS = ['2026-11-20', '2026-11-23', '2026-11-24', '2026-11-25'];
let number = 0;

/** Prices of SPY and TLT whose next day comes when the test says so, and an account of $10,000 without slippage. */
async function rig(slippageBps = 0, isFractional = false) {
  const database = openSqliteDatabase(path.join(folder, `${number++}.sqlite`));
  const eventStore = openSqliteEventStore(database);
  closers.push(async () => {
    await eventStore.close();
    database.close();
  });
  const closes: Record<string, number[]> = { SPY: [100], TLT: [50] };
  let version = 0;
  const series = (ticker: string): PriceSeries => {
    const of = closes[ticker] ?? [];
    const days = DAYS.slice(0, of.length).map(dayNumber);
    return { ticker, days: Int32Array.from(days), closes: Float64Array.from(of) };
  };
  const marketData = {
    current: async () =>
      ({
        version: `v${version}`,
        lastDay: DAYS[Math.max(...Object.values(closes).map((one) => one.length)) - 1] ?? '',
      }) as DataSetManifest,
    load: async (_: string, tickers: readonly string[]) =>
      new Map(tickers.filter((one) => closes[one]).map((one) => [one, series(one)])),
  };
  const terms = {
    broker: 'own' as const,
    strategyIds: ['s'],
    isFractional,
    cash: 10_000,
    slippageBps,
    startDay: '2026-11-20',
    sealedKey: null,
    keyHint: null,
  };
  const commandId = derivedId(1, 'open');
  await handleCommand(
    eventStore,
    paperStream,
    'ada',
    { type: 'OpenPaperAccount', userId: 'ada', terms },
    {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'test' },
      now: '2026-11-20T23:30:00Z',
    },
  );
  return {
    closes,
    broker: openOwnPaperBroker({ eventStore, marketData, clock }, 'ada'),
    another: openOwnPaperBroker({ eventStore, marketData, clock }, 'ada'),
    day: '2026-11-20',
    close: async (prices: Readonly<Record<string, number>>) => {
      for (const [ticker, price] of Object.entries(prices)) closes[ticker]?.push(price);
      version += 1;
    },
  };
}

paperBrokerContract('own', rig);

const buy = { orderId: 'o1', ticker: 'SPY', side: 'buy', quantity: 100, day: '2026-11-20' } as const;

it('pays slippage, and buys as far as the money goes', async () => {
  const { broker, close } = await rig(100);
  await broker.place(buy);
  await close({ SPY: 110, TLT: 50 });
  // $10,000 is 90 shares at $110 and 1% more.
  expect(await broker.find('o1')).toEqual({
    brokerOrderId: 'o1',
    status: 'ended',
    quantity: 90,
    price: 110,
    reason: 'The money did not reach for all of it',
  });
  expect(await broker.account()).toMatchObject({ cash: 10_000 - 90 * 110 * 1.01 });
});

it('fills at the first close after the order, however late somebody looks, once for all who look', async () => {
  const { broker, another, close } = await rig();
  await broker.place({ ...buy, quantity: 10 });
  for (const SPY of [101, 102, 103]) await close({ SPY, TLT: 50 });
  const found = await Promise.all([
    broker.find('o1'),
    another.find('o1'),
    broker.account(),
    another.account(),
  ]);
  expect(found[0]).toMatchObject({ status: 'ended', quantity: 10, price: 101 });
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual({ kind: 'account', cash: 8_990, positions: [{ ticker: 'SPY', quantity: 10 }] });
  expect(found[3]).toEqual(found[2]);
});

it('counts shares anew where a split has changed all closes, and loses no money by it', async () => {
  const { broker, closes, close } = await rig();
  await broker.place({ ...buy, quantity: 10 });
  await close({ SPY: 100, TLT: 50 });
  await broker.find('o1');
  for (const [i, value] of (closes.SPY ?? []).entries()) (closes.SPY ?? [])[i] = value / 2;
  expect(await broker.account()).toMatchObject({ positions: [{ ticker: 'SPY', quantity: 20 }] });
  await broker.place({ ...buy, orderId: 'o2', side: 'sell', quantity: 20, day: '2026-11-23' });
  await close({ SPY: 55, TLT: 50 });
  expect(await broker.find('o2')).toMatchObject({ status: 'ended', quantity: 20, price: 55 });
  expect(await broker.account()).toEqual({ kind: 'account', cash: 10_100, positions: [] });
});

it('does not trade a ticker without a close on the day, nor sell what is not held', async () => {
  const { broker, close } = await rig();
  await broker.place({ ...buy, quantity: 10 });
  await broker.place({ ...buy, orderId: 'o2', ticker: 'TLT', side: 'sell', quantity: 1 });
  await close({ TLT: 50 });
  expect(await broker.find('o1')).toMatchObject({
    status: 'ended',
    quantity: 0,
    reason: 'There is no close of it on that day',
  });
  expect(await broker.find('o2')).toMatchObject({ quantity: 0, reason: 'Not as many shares were held' });
});

it('fills an order of a day whose other orders were filled before it came', async () => {
  const { broker, close } = await rig();
  await broker.place({ ...buy, quantity: 10 });
  await close({ SPY: 110, TLT: 50 });
  expect(await broker.find('o1')).toMatchObject({ status: 'ended', price: 110 });
  await broker.place({ ...buy, orderId: 'o2', quantity: 5 });
  expect(await broker.find('o2')).toMatchObject({ status: 'ended', quantity: 5, price: 110 });
  expect(await broker.account()).toMatchObject({ cash: 10_000 - 15 * 110 });
});

it('fills the orders of earlier days at their own close, in whatever order they came', async () => {
  const { broker, close } = await rig();
  await broker.place({ ...buy, orderId: 'later', quantity: 1, day: '2026-11-23' });
  await broker.place({ ...buy, orderId: 'earlier', quantity: 1 });
  await close({ SPY: 110, TLT: 50 });
  await close({ SPY: 120, TLT: 50 });
  expect(await broker.find('later')).toMatchObject({ price: 120 });
  expect(await broker.find('earlier')).toMatchObject({ price: 110 });
});
