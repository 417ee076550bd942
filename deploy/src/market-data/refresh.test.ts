import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type MarketDataFiles,
  openMarketDataFiles,
} from '@quantloom/adapters/market-data/files/market-data-files';
import { fetchPrices } from '@quantloom/adapters/market-data/providers/fetch-prices';
import { openProvider } from '@quantloom/adapters/market-data/providers/open-provider';
import { FakeProviderServer } from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMarketDataRefresh } from './open-refresh.ts';
import { startMarketDataRefresh } from './refresh.ts';
import { versionsInUse } from './versions-in-use.ts';

let server: FakeProviderServer;
let dataDir: string;
let marketData: MarketDataFiles;
let now: Date;
const messages: string[] = [];
const log = {
  info: (_facts: object, message: string) => messages.push(message),
  warn: (_facts: object, message: string) => messages.push(message),
};

beforeEach(async () => {
  messages.length = 0;
  server = await FakeProviderServer.start();
  dataDir = await mkdtemp(join(tmpdir(), 'refresh-'));
  marketData = await openMarketDataFiles({ dataDir });
  now = new Date('2024-03-01T23:00:00Z');
  server.prices.set(
    'SPY',
    Array.from({ length: 20 }, (_, i) => ({
      date: `2024-02-${String(i + 1).padStart(2, '0')}`,
      close: 100 + i,
    })).filter(({ date }) => ![0, 6].includes(new Date(date).getUTCDay())),
  );
});
afterEach(async () => {
  await marketData.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const provider = () =>
  openProvider('tiingo', { TIINGO_API_KEY: server.key, TIINGO_URL: server.url }, { wait: async () => {} });
const start = (inUse: readonly string[] = [], retryEveryMs = 20 * 60_000) =>
  startMarketDataRefresh({
    dataDir,
    marketData,
    provider: provider(),
    at: '23:30',
    clock: { now: () => now },
    log,
    keep: 1,
    versionsInUse: async () => inUse,
    retryEveryMs,
  });

describe('market data refresh', () => {
  it('publishes the new days, and removes old versions but those in use', async () => {
    const first = await fetchPrices({ dataDir, provider: provider(), tickers: ['SPY'], now });
    const versions = [first.manifest?.version ?? ''];
    const refresh = start([...versions]);
    for (const date of ['2024-03-04', '2024-03-05', '2024-03-06']) {
      now = new Date(`${date}T23:30:00Z`);
      server.prices.get('SPY')?.push({ date, close: 120 });
      versions.push((await refresh.run())?.manifest?.version ?? '');
    }
    await refresh.stop();
    const left = (await marketData.versions())
      .filter(({ isSimulated }) => !isSimulated)
      .map(({ version }) => version);
    // The one before the newest was current until a moment ago.
    expect(left).toEqual([versions[0], versions[2], versions[3]]);
    expect((await marketData.current()).lastDay).toBe('2024-03-06');
  });

  it('makes up for a refresh that was missed, when it is started again, and for no other', async () => {
    await fetchPrices({ dataDir, provider: provider(), tickers: ['SPY'], now });
    const lastDay = async () => (await marketData.current()).lastDay;
    const startAgain = (time: string) => {
      now = new Date(time);
      return start();
    };
    // Nothing was ever refreshed here: starting is no reason to fetch.
    server.prices.get('SPY')?.push({ date: '2024-03-01', close: 120 });
    await startAgain('2024-03-01T23:40:00Z').stop();
    expect(server.requests.filter((one) => one.includes('startDate')).length).toBe(1);
    const refresh = start();
    await refresh.run();
    await refresh.stop();
    expect(await lastDay()).toBe('2024-03-01');
    // A Saturday, and a Monday before its time: nothing is due.
    server.prices.get('SPY')?.push({ date: '2024-03-04', close: 121 });
    const asked = server.requests.length;
    for (const time of ['2024-03-02T23:40:00Z', '2024-03-04T23:29:00Z']) await startAgain(time).stop();
    expect(server.requests.length).toBe(asked);
    // It was down at its time on Monday, and comes back on Tuesday.
    const late = startAgain('2024-03-05T08:00:00Z');
    await expect.poll(lastDay, { timeout: 60_000 }).toBe('2024-03-04');
    await late.stop();
  });

  it('leaves the current version alone when the provider fails, and says so', async () => {
    const { manifest } = await fetchPrices({ dataDir, provider: provider(), tickers: ['SPY'], now });
    server.faults.push({ status: 403, body: 'no' });
    const refresh = start();
    expect(await refresh.run()).toBeNull();
    await refresh.stop();
    expect(messages).toEqual([
      'market data were not refreshed; the version there is stays current',
      'no closes for 2024-03-01 since 2024-03-01 23:00 UTC: asked for every 20 minutes until 2024-03-04 14:30 UTC',
    ]);
    expect((await marketData.current()).version).toBe(manifest?.version);
  });

  describe('where the closes of the last session are not there', () => {
    const lastDay = async () => (await marketData.current()).lastDay;
    /** Requests for prices since `from`: one for each try, as long as nothing is there. */
    const asked = (from: number) => server.requests.slice(from).filter((one) => one.includes('startDate'));
    beforeEach(async () => {
      server.prices.set('QQQ', [...(server.prices.get('SPY') ?? [])]);
      server.prices.set('IWM', [...(server.prices.get('SPY') ?? [])]);
      await fetchPrices({ dataDir, provider: provider(), tickers: ['SPY', 'QQQ', 'IWM'], now });
      for (const bars of server.prices.values()) bars.push({ date: '2024-03-01', close: 120 });
      await fetchPrices({ dataDir, provider: provider(), tickers: 'known', now });
      now = new Date('2024-03-04T23:30:00Z');
    });
    const bringMonday = () => {
      for (const bars of server.prices.values()) bars.push({ date: '2024-03-04', close: 121 });
    };

    it('asks for one ticker until they come, warns once, and is done only then', async () => {
      const refresh = start([], 1);
      await refresh.run();
      const before = server.requests.length;
      await expect.poll(() => asked(before).length, { timeout: 60_000 }).toBeGreaterThan(4);
      // Another ticker each time, since one may have stopped trading.
      expect(new Set(asked(before).slice(0, 3)).size).toBe(3);
      await refresh.stop();
      // Whoever starts now finds a refresh that was not done.
      const again = start([], 1);
      bringMonday();
      await expect.poll(lastDay, { timeout: 60_000 }).toBe('2024-03-04');
      await again.stop();
      expect(messages.filter((one) => one.startsWith('no closes'))).toEqual([
        'no closes for 2024-03-04 since 2024-03-04 23:30 UTC: asked for every 0 minutes until 2024-03-05 14:30 UTC',
      ]);
      const quiet = server.requests.length;
      await start([], 1).stop();
      expect(server.requests.length).toBe(quiet);
    });

    it('goes on after failures, with one warning', async () => {
      server.faults.push({ status: 403 }, { status: 403 }, { status: 403 });
      const refresh = start([], 1);
      await refresh.run();
      const before = server.requests.length;
      await expect.poll(() => asked(before).length, { timeout: 60_000 }).toBeGreaterThan(2);
      bringMonday();
      await expect.poll(lastDay, { timeout: 60_000 }).toBe('2024-03-04');
      await refresh.stop();
      expect(messages.filter((one) => one.startsWith('market data were not'))).toHaveLength(1);
      expect(messages.filter((one) => one.startsWith('no closes'))).toHaveLength(1);
      for (const ticker of ['SPY', 'QQQ', 'IWM'])
        expect(
          (await marketData.assets((await marketData.current()).version)).find(
            (one) => one.ticker === ticker,
          ),
        ).toMatchObject({ lastDay: '2024-03-04' });
    });

    it('gives up when the exchange opens again', async () => {
      const refresh = start([], 1);
      await refresh.run();
      now = new Date('2024-03-05T14:30:00Z');
      let before = -1;
      // Until two looks in a row have seen no further request.
      await expect
        .poll(
          () => {
            const isQuiet = before === server.requests.length;
            before = server.requests.length;
            return isQuiet;
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(true);
      bringMonday();
      await refresh.run();
      expect(await lastDay()).toBe('2024-03-04');
      await refresh.stop();
    });

    it('leaves it to another process that has fetched them', async () => {
      const refresh = start([], 1);
      await refresh.run();
      const noted = () => readFileSync(join(dataDir, 'market-data', 'last-refresh'), 'utf8');
      expect(noted()).not.toBe(now.toISOString());
      const elsewhere = await FakeProviderServer.start();
      for (const [ticker, bars] of server.prices)
        elsewhere.prices.set(ticker, [...bars, { date: '2024-03-04', close: 121 }]);
      const env = { TIINGO_API_KEY: elsewhere.key, TIINGO_URL: elsewhere.url };
      await fetchPrices({ dataDir, provider: openProvider('tiingo', env), tickers: 'known', now });
      await elsewhere.stop();
      await expect.poll(noted, { timeout: 60_000 }).toBe(now.toISOString());
      await refresh.stop();
      expect(messages.filter((one) => one === 'market data refreshed')).toHaveLength(1);
    });

    it('knows that a holiday brings none', async () => {
      bringMonday();
      for (const bars of server.prices.values())
        bars.push(
          ...sessionsBetween(day('2024-03-05'), day('2024-03-28'))
            .values()
            .map((one) => ({
              date: formatDay(one),
              close: 121,
            })),
        );
      // Good Friday.
      now = new Date('2024-03-29T23:30:00Z');
      const refresh = start([], 1);
      await refresh.run();
      await refresh.run();
      await refresh.stop();
      expect(messages.filter((one) => one.startsWith('no closes'))).toEqual([]);
    });
  });

  it('runs on weekdays at the time of the settings, or not at all', async () => {
    const eventStore = {
      async *readAll() {},
    };
    const deps = { marketData, eventStore, clock: { now: () => now }, log };
    const config = { DATA_DIR: dataDir, MARKET_DATA_PROVIDER: 'tiingo' };
    expect(await openMarketDataRefresh(config, deps, {})).toBeNull();
    const scheduled = { ...config, MARKET_DATA_REFRESH_AT: '22:45' };
    await expect(openMarketDataRefresh(scheduled, deps, {})).rejects.toThrow('TIINGO_API_KEY');
    const refresh = await openMarketDataRefresh(scheduled, deps, { TIINGO_API_KEY: 'k' });
    const next = refresh?.nextRun();
    await refresh?.stop();
    expect([next?.getUTCHours(), next?.getUTCMinutes()]).toEqual([22, 45]);
    expect([0, 6]).not.toContain(next?.getUTCDay());
  });
});

describe('versionsInUse', () => {
  it('is what batches that still exist were created with', async () => {
    const event = (type: string, stream: string, data: object) =>
      ({ type, stream, data }) as unknown as RecordedEvent;
    const log = [
      event('BatchBacktestCreated', 'batch-1', { dataVersion: 'a' }),
      event('BatchBacktestCreated', 'batch-2', { dataVersion: 'b' }),
      event('BatchBacktestCreated', 'batch-3', { dataVersion: 'a' }),
      event('BatchBacktestDeleted', 'batch-2', {}),
      event('BatchBacktestDeleted', 'batch-3', {}),
    ];
    const eventStore = {
      async *readAll() {
        yield* log;
      },
    };
    expect(await versionsInUse(eventStore)).toEqual(new Set(['a']));
  });
});
