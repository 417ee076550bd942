import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FakeBar,
  FakeProviderServer,
} from '../../../testing/market-data/providers/fake-provider-server.ts';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { type FetchOptions, fetchPrices } from './fetch-prices.ts';
import { retryAfterMs } from './http-source.ts';
import { openProvider } from './open-provider.ts';
import type { ProviderId } from './provider.ts';

let server: FakeProviderServer;
let dataDir: string;
let marketData: MarketDataFiles;
let waits: number[];

beforeEach(async () => {
  server = await FakeProviderServer.start();
  dataDir = await mkdtemp(join(tmpdir(), 'fetch-'));
  marketData = await openMarketDataFiles({ dataDir });
  waits = [];
});
afterEach(async () => {
  await marketData.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Sessions up to a day with prices that no rounding touches. */
function bars(last: string, count = 60, start = 100): FakeBar[] {
  const days = sessionsBetween(day('2023-01-03'), day(last)).slice(-count);
  return [...days].map((value, i) => ({ date: formatDay(value), close: start + i / 4 }));
}

function provider(id: ProviderId = 'tiingo', key = server.key) {
  const env = { TIINGO_API_KEY: key, TIINGO_URL: server.url, EODHD_API_KEY: key, EODHD_URL: server.url };
  return openProvider(id, env, {
    wait: async (milliseconds) => {
      waits.push(milliseconds);
    },
  });
}

const fetchNow = (options: Partial<FetchOptions> = {}) =>
  fetchPrices({
    dataDir,
    provider: provider(),
    tickers: 'known',
    now: new Date('2024-03-15T23:00:00Z'),
    ...options,
  });

async function closes(ticker: string): Promise<Record<string, number>> {
  const { version } = await marketData.current();
  const series = (await marketData.load(version, [ticker])).get(ticker);
  return Object.fromEntries(
    [...(series?.days ?? [])].map((value, i) => [formatDay(value), series?.closes[i] ?? 0]),
  );
}

const asServed = (ticker: string) =>
  Object.fromEntries((server.prices.get(ticker) ?? []).map(({ date, close }) => [date, close]));

describe.each(['tiingo', 'eodhd'] as const)('fetchPrices from %s', (id) => {
  beforeEach(() => {
    server.prices.set('SPY', bars('2024-03-14'));
    server.prices.set('BRK-B', bars('2024-03-14', 50, 300));
  });
  const first = () => fetchNow({ provider: provider(id), tickers: ['SPY', 'brk.b'] });
  const update = (more: Partial<FetchOptions> = {}) => fetchNow({ provider: provider(id), ...more });

  it('fetches whole histories of adjusted closes and publishes them', async () => {
    const { manifest, changed, failed } = await first();
    expect([changed, failed]).toEqual([2, []]);
    expect(await marketData.current()).toEqual(manifest);
    expect(manifest).toMatchObject({ isSimulated: false, assetCount: 2, lastDay: '2024-03-14' });
    expect(await closes('SPY')).toEqual(asServed('SPY'));
    expect(await closes('BRKB')).toEqual(asServed('BRK-B'));
    const assets = await marketData.assets(manifest?.version ?? '');
    expect(assets.find(({ ticker }) => ticker === 'SPY')).toMatchObject({
      name: 'SPDR S&P 500 ETF Trust',
      adjustment: 'splits_and_dividends',
    });
  });

  it('asks for the last days only, adds the new ones, and publishes nothing where there are none', async () => {
    const { manifest } = await first();
    server.requests.length = 0;
    expect(await update()).toMatchObject({ manifest: null, changed: 0, unchanged: 2 });
    expect((await marketData.current()).version).toBe(manifest?.version);
    expect(server.requests.every((request) => request.includes('2024-03-01'))).toBe(true);
    server.prices.get('SPY')?.push({ date: '2024-03-15', close: 116 });
    const result = await update();
    expect(result).toMatchObject({ changed: 1, replaced: 0, unchanged: 1 });
    expect(await closes('SPY')).toEqual(asServed('SPY'));
    expect(await closes('BRK-B')).toEqual(asServed('BRK-B'));
    expect(result.manifest?.lastDay).toBe('2024-03-15');
  });

  it('keeps the closes that were paid beside them, and those adjusted for splits', async () => {
    const twice = (served: Record<string, number>) =>
      Object.fromEntries(Object.entries(served).map(([date, close]) => [date, close * 2]));
    await first();
    for (const name of ['SPY|raw', 'SPY|splits']) expect(await closes(name)).toEqual(twice(asServed('SPY')));
    server.prices.get('SPY')?.push({ date: '2024-03-15', close: 116 });
    await update();
    expect(Object.keys(asServed('SPY'))).toHaveLength(61);
    for (const name of ['SPY|raw', 'SPY|splits']) expect(await closes(name)).toEqual(twice(asServed('SPY')));
    // Whoever was not fetched again keeps them as well.
    expect(await closes('BRK-B|splits')).toEqual(twice(asServed('BRK-B')));
    expect(await update({ full: true })).toMatchObject({ changed: 0, unchanged: 2 });
  });

  it('replaces the whole series when the past has been re-based, and never mixes', async () => {
    await first();
    const spy = server.prices.get('SPY') as FakeBar[];
    // A dividend of half a percent: all days before it are lowered.
    for (const bar of spy) bar.close *= 0.995;
    spy.push({ date: '2024-03-15', close: 114.5 });
    const result = await update();
    expect(result).toMatchObject({ changed: 1, replaced: 1 });
    expect(result.report.flags).toContainEqual(
      expect.objectContaining({ ticker: 'SPY', kind: 'readjusted' }),
    );
    const stored = await closes('SPY');
    for (const [date, close] of Object.entries(asServed('SPY'))) expect(stored[date]).toBeCloseTo(close, 3);
    expect(stored['2024-01-05']).not.toBe(100);
  });

  it('replaces the series too where a day of the last ones was corrected', async () => {
    await first();
    const spy = server.prices.get('SPY') as FakeBar[];
    (spy.at(-5) as FakeBar).close += 0.75;
    expect(await update()).toMatchObject({ changed: 1, replaced: 1 });
    expect(await closes('SPY')).toEqual(asServed('SPY'));
  });

  it('keeps what is stored where the answer lost its history', async () => {
    await first();
    const before = await closes('SPY');
    server.prices.set('SPY', bars('2024-03-15', 20, 7));
    for (let i = 0; i < 18; i++) server.prices.set(`X${i}`, bars('2024-03-15'));
    const result = await update({ tickers: [...server.prices.keys()] });
    expect(result.failed).toEqual([
      { ticker: 'SPY', reason: expect.stringContaining('20 days where 60 are stored') },
    ]);
    expect(await closes('SPY')).toEqual(before);
  });

  it('refuses a wrong key in a sentence without the key', async () => {
    const refused = fetchNow({ provider: provider(id, 'wr0ng-k3y'), tickers: ['SPY'] });
    await expect(refused).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('401'),
    });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('wr0ng') });
    expect((await marketData.current()).isSimulated).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  it('waits as long as a 429 says, and tries failures of server and network again', async () => {
    server.faults.push(
      {
        status: 429,
        headers: { 'retry-after': '7' },
        body: '{"detail":"You have run over your hourly request allocation."}',
      },
      { status: 503 },
      { status: 200, hangUp: true },
    );
    const { manifest } = await first();
    expect(manifest).not.toBeNull();
    expect(waits).toContain(7000);
    expect(await closes('SPY')).toEqual(asServed('SPY'));
  });

  it('goes on where a failed run ended', async () => {
    for (let i = 0; i < 20; i++) server.prices.set(`T${i}`, bars('2024-03-14'));
    const tickers = [...server.prices.keys()];
    // The 12th request on is refused for good.
    const half = tickers.slice(0, 12);
    await expect(
      fetchNow({
        provider: provider(id),
        tickers,
        onProgress: ({ done }) => {
          if (done >= half.length / tickers.length && server.faults.length === 0)
            server.faults.push(
              ...Array.from({ length: 50 }, () => ({
                status: 402,
                body: 'You exceeded your daily API requests limit.',
              })),
            );
        },
      }),
    ).rejects.toMatchObject({ code: 'provider_refused', message: expect.stringContaining('402') });
    expect((await marketData.current()).isSimulated).toBe(true);
    server.faults.length = 0;
    server.requests.length = 0;
    const { changed } = await fetchNow({ provider: provider(id), tickers });
    expect(changed).toBe(22);
    expect(server.requests.filter((request) => /prices|eod/.test(request)).length).toBeLessThanOrEqual(11);
  });

  it('asks again for a close that was not out when the failed run asked', async () => {
    await first();
    // Too many are unknown: nothing is published, and that SPY has nothing new is kept for the next try.
    await expect(update({ tickers: ['SPY', 'NOPE'] })).rejects.toMatchObject({ code: 'import_refused' });
    for (const list of server.prices.values()) list.push({ date: '2024-03-15', close: 115 });
    expect((await update()).changed).toBe(2);
  });

  it('publishes nothing where too many tickers are unknown', async () => {
    const refused = fetchNow({ provider: provider(id), tickers: ['SPY', 'NOPE'] });
    await expect(refused).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('NOPE'),
    });
    expect((await marketData.current()).isSimulated).toBe(true);
  });

  it('publishes nothing where many series jump like after a split at once', async () => {
    for (let i = 0; i < 20; i++) server.prices.set(`T${i}`, bars('2024-03-14'));
    const { manifest } = await fetchNow({ provider: provider(id), tickers: [...server.prices.keys()] });
    for (const list of server.prices.values())
      list.push({ date: '2024-03-15', close: (list.at(-1)?.close ?? 1) / 2 });
    await expect(update()).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('look like errors'),
    });
    expect((await marketData.current()).version).toBe(manifest?.version);
  });

  it('fetches everything that the provider lists', async () => {
    const { manifest, changed } = await fetchNow({ provider: provider(id), tickers: 'all' });
    expect(changed).toBe(2);
    const stored = (await marketData.assets(manifest?.version ?? '')).filter(
      ({ isSimulated }) => !isSimulated,
    );
    expect(stored.map(({ ticker }) => ticker)).toEqual(['BRK-B', 'SPY']);
  });

  it('reports bars that are no prices', async () => {
    server.prices
      .get('SPY')
      ?.push(
        { date: '2024-03-16', close: 1 },
        { date: '2024-03-15', close: -1 },
        { date: '2024-03-15', close: 0 },
      );
    const { report } = await first();
    expect(report.rejectedByReason).toEqual({ weekend: 1, non_positive_price: 2 });
    expect(await closes('SPY')).toMatchObject({ '2024-03-14': 114.75 });
    expect(Object.keys(await closes('SPY'))).toHaveLength(60);
  });

  it('refuses an answer that is no list, and one that is no JSON', async () => {
    server.faults.push({ status: 200, body: '{"detail":"Error: resampling"}' });
    await expect(fetchNow({ provider: provider(id), tickers: ['SPY'] })).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('no list of prices'),
    });
    server.faults.push({ status: 200, body: '<html>' });
    await expect(fetchNow({ provider: provider(id), tickers: ['SPY'] })).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringContaining('not JSON'),
    });
  });
});

describe('fetchPrices', () => {
  it('says which variable holds the key, and which providers there are', () => {
    expect(() => openProvider('tiingo', {})).toThrow('Set TIINGO_API_KEY');
    expect(() => openProvider('toString', {})).toThrow(
      'There is no provider toString; there are tiingo, eodhd, stooq and alpaca',
    );
  });

  it('refuses an update of nothing', async () => {
    await expect(fetchNow()).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('nothing from Tiingo'),
    });
  });

  it('reads Retry-After as seconds and as a date', () => {
    const now = Date.parse('2024-01-01T00:00:00Z');
    expect(retryAfterMs('120', now)).toBe(120_000);
    expect(retryAfterMs('Mon, 01 Jan 2024 00:01:00 GMT', now)).toBe(60_000);
    expect(retryAfterMs('soon', now)).toBeNull();
    expect(retryAfterMs(null, now)).toBeNull();
  });
});
