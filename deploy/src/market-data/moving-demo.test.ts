import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutOf } from '@quantloom/adapters/market-data/files/layout';
import { takeImportLock } from '@quantloom/adapters/market-data/files/lock';
import {
  type MarketDataFiles,
  openMarketDataFiles,
} from '@quantloom/adapters/market-data/files/market-data-files';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { startMovingDemo } from './moving-demo.ts';
import { openMovingDemo } from './open-refresh.ts';

let dataDir: string;
let marketData: MarketDataFiles;
let now: Date;
const messages: string[] = [];
const log = {
  info: (_facts: object, message: string) => messages.push(message),
  warn: (_facts: object, message: string) => messages.push(message),
};
const lastDay = async () => (await marketData.current()).lastDay;
const start = () => startMovingDemo({ marketData, clock: { now: () => now }, log, retryEveryMs: 1 });

beforeEach(async () => {
  messages.length = 0;
  dataDir = await mkdtemp(join(tmpdir(), 'moving-'));
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  await marketData.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('goes on by a day at each close of the exchange, and not on its holidays', async () => {
  now = new Date('2026-11-23T20:59:00Z');
  const demo = start();
  await demo.run();
  expect(await lastDay()).toBe('2026-11-20');
  for (const [time, day] of [
    ['2026-11-23T21:05:00Z', '2026-11-23'],
    ['2026-11-24T21:05:00Z', '2026-11-24'],
    ['2026-11-25T21:05:00Z', '2026-11-25'],
    // Thanksgiving.
    ['2026-11-26T21:05:00Z', '2026-11-25'],
    ['2026-11-27T21:05:00Z', '2026-11-27'],
  ] as const) {
    now = new Date(time);
    await demo.run();
    expect(await lastDay(), time).toBe(day);
  }
  await demo.stop();
  expect(messages).toHaveLength(4);
  expect(messages.at(-1)).toBe('simulated prices go on to 2026-11-27');
});

it('makes up for weeks in one step when it starts, once in a cluster', async () => {
  now = new Date('2027-01-15T12:00:00Z');
  const both = [start(), start()];
  await expect.poll(lastDay, { timeout: 60_000 }).toBe('2027-01-14');
  await Promise.all(both.map((one) => one.stop()));
  expect(messages.filter((one) => one === 'simulated prices go on to 2027-01-14')).toHaveLength(1);
});

it('waits for an import that is under way', async () => {
  now = new Date('2026-11-23T22:00:00Z');
  const lock = takeImportLock(layoutOf(dataDir));
  const demo = start();
  await demo.run();
  expect(await lastDay()).toBe('2026-11-20');
  lock.release();
  await expect.poll(lastDay, { timeout: 60_000 }).toBe('2026-11-23');
  await demo.stop();
});

it('stays where the settings say so', async () => {
  now = new Date('2026-11-23T22:00:00Z');
  const deps = { marketData, clock: { now: () => now }, log };
  expect(await openMovingDemo(readConfig({ DEMO_DATA_MOVES: 'false' }), deps)).toBeNull();
  const demo = await openMovingDemo(readConfig({}), deps);
  await demo?.run();
  await demo?.stop();
  expect(await lastDay()).toBe('2026-11-23');
});
