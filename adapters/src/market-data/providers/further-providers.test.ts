import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeFurtherProviders } from '../../../testing/market-data/providers/fake-further-providers.ts';
import type { FakeBar } from '../../../testing/market-data/providers/fake-provider-server.ts';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { fetchConditionSeries } from './fetch-condition-series.ts';
import { type FetchOptions, fetchPrices } from './fetch-prices.ts';
import { fred } from './fred.ts';
import { openProvider } from './open-provider.ts';

let server: FakeFurtherProviders;
let dataDir: string;
let marketData: MarketDataFiles;

beforeEach(async () => {
  server = await FakeFurtherProviders.start();
  dataDir = await mkdtemp(join(tmpdir(), 'fetch-'));
  marketData = await openMarketDataFiles({ dataDir, simulatedTickers: false });
  server.prices.set('SPY', bars('2024-03-14'));
  server.prices.set('BRK-B', bars('2024-03-14', 50, 300));
});
afterEach(async () => {
  await marketData.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function bars(last: string, count = 60, start = 100): FakeBar[] {
  const days = sessionsBetween(day('2023-01-03'), day(last)).slice(-count);
  return [...days].map((value, i) => ({ date: formatDay(value), close: start + i / 4 }));
}

const wait = async () => {};
function provider(id: string, key = server.key) {
  const env = {
    STOOQ_URL: server.url,
    ALPACA_URL: server.url,
    APCA_API_KEY_ID: key,
    APCA_API_SECRET_KEY: 'half',
  };
  return openProvider(id, env, { wait });
}
const now = new Date('2024-03-15T23:00:00Z');
const fetchNow = (id: string, options: Partial<FetchOptions> = {}) =>
  fetchPrices({ dataDir, provider: provider(id), tickers: ['SPY', 'BRK.B'], now, ...options });

async function values(name: string): Promise<Record<string, number>> {
  const { version } = await marketData.current();
  const series = (await marketData.load(version, [name])).get(name);
  return Object.fromEntries(
    [...(series?.days ?? [])].map((at, i) => [formatDay(at), series?.closes[i] ?? 0]),
  );
}
const served = (ticker: string) =>
  Object.fromEntries((server.prices.get(ticker) ?? []).map(({ date, close }) => [date, close]));

describe.each(['stooq', 'alpaca'])('fetchPrices from %s', (id) => {
  it('fetches whole histories of adjusted closes, then only what is new', async () => {
    const { changed, failed, manifest } = await fetchNow(id);
    expect([changed, failed]).toEqual([2, []]);
    expect(await values('SPY')).toEqual(served('SPY'));
    expect(await values('BRK-B')).toEqual(served('BRK-B'));
    const assets = await marketData.assets(manifest?.version ?? '');
    expect(assets.map(({ adjustment }) => adjustment)).toEqual([
      'splits_and_dividends',
      'splits_and_dividends',
    ]);
    server.requests.length = 0;
    server.prices.get('SPY')?.push({ date: '2024-03-15', close: 116 });
    expect(await fetchNow(id, { tickers: 'known' })).toMatchObject({ changed: 1, replaced: 0, unchanged: 1 });
    expect(server.requests.every((request) => /2024-?03-?01/.test(request))).toBe(true);
    expect(await values('SPY')).toEqual(served('SPY'));
  });

  it('says of a ticker that it does not know it', async () => {
    await expect(fetchNow(id, { tickers: ['NOPE'] })).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(/NOPE \((?:Stooq|Alpaca) does not know it\)/),
    });
  });

  it('says so, too, of one that it has forgotten, whose stored prices stay', async () => {
    await fetchNow(id);
    const before = await values('SPY');
    server.prices.delete('SPY');
    server.prices.get('BRK-B')?.push({ date: '2024-03-15', close: 400 });
    await expect(fetchNow(id, { tickers: 'known' })).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringMatching(/: SPY \((?:Stooq|Alpaca) does not know it\)\. Nothing was published/),
    });
    expect(await values('SPY')).toEqual(before);
  });

  it('never shows what the provider says', async () => {
    for (const status of [400, 401, 403, 500]) {
      server.next.splice(
        0,
        9,
        ...Array.from({ length: 9 }, () => [status, '{"message":"S3CRET inner text"}'] as const),
      );
      const refused = fetchNow(id, { tickers: ['SPY'] });
      await expect(refused).rejects.toMatchObject({
        code: 'provider_refused',
        message: expect.stringContaining(String(status)),
      });
      await expect(refused).rejects.not.toMatchObject({ message: expect.stringContaining('S3CRET') });
    }
  });
});

describe('Stooq', () => {
  it.each([
    ['Exceeded the daily hits limit', /limit of today is reached/],
    ['Get your apikey:\n1. Open https://stooq.com/q/d/?s=spy.us&get_apikey', /STOOQ_API_KEY/],
    ['<html>', /no list of prices for SPY/],
  ])('refuses %j in words', async (body, message) => {
    server.next.push([200, body]);
    await expect(fetchNow('stooq', { tickers: ['SPY'] })).rejects.toMatchObject({
      code: 'provider_refused',
      message: expect.stringMatching(message),
    });
  });

  it('reads behind its own warnings, and days without dashes', async () => {
    server.next.push([
      200,
      'Warning: Division by zero in /download.inc on line ' +
        '102\n\nDate,Open,High,Low,Close,Volume\n20240313,1,1,1,7,5\n20240314,1,1,1,8,5\n',
    ]);
    await fetchNow('stooq', { tickers: ['SPY'] });
    expect(await values('SPY')).toEqual({ '2024-03-13': 7, '2024-03-14': 8 });
  });

  it('has no list of tickers', async () => {
    await expect(fetchNow('stooq', { tickers: 'all' })).rejects.toMatchObject({
      message: expect.stringContaining('name the ones to fetch'),
    });
  });
});

describe('Alpaca', () => {
  it('reads its list of assets, and asks for adjusted prices in pages', async () => {
    await fetchNow('alpaca', { tickers: 'all' });
    expect(await values('BRK-B')).toEqual(served('BRK-B'));
    expect(server.requests.filter((request) => request.includes('/SPY/'))).toHaveLength(6);
    expect(
      server.requests.every(
        (request) => !request.includes('/bars') || /adjustment=(?:all|split)/.test(request),
      ),
    ).toBe(true);
    const twice = Object.entries(served('SPY')).map(([date, close]) => [date, close * 2]);
    expect(await values('SPY|splits')).toEqual(Object.fromEntries(twice));
    server.prices.get('SPY')?.push({ date: '2024-03-15', close: 116 });
    await fetchNow('alpaca', { tickers: 'known' });
    expect(await values('SPY|splits')).toMatchObject({ '2024-03-15': 232 });
  });

  it('tells a ticker without prices from a given day on from one that it does not know', async () => {
    expect(await provider('alpaca').history('SPY', { from: '2024-03-15' })).toEqual([]);
    expect(await provider('alpaca').history('NOPE')).toBeNull();
  });

  it('needs both halves of the key', () => {
    expect(() => openProvider('alpaca', { APCA_API_KEY_ID: 'x' })).toThrow(
      'Set APCA_API_SECRET_KEY to your key for alpaca',
    );
  });
});

describe('FRED', () => {
  const source = (key = server.key) => fred({ key, baseUrl: server.url, wait });
  const fetchSeries = (ids: string[], key?: string) =>
    fetchConditionSeries({ dataDir, provider: source(key), ids, now });
  beforeEach(() => {
    server.series.set('UNRATE', [
      { date: '2024-01-01', value: '3.7', realtime_start: '2024-02-02' },
      { date: '2024-02-01', value: '3.9', realtime_start: '2024-03-08' },
      { date: '2024-01-01', value: '3.8', realtime_start: '2024-03-08' },
      { date: '2024-03-01', value: '.', realtime_start: '2024-03-12' },
    ]);
  });

  it('leaves the prices that there are as they are, on every basis', async () => {
    await fetchNow('alpaca');
    const before = [await values('SPY'), await values('SPY|splits'), await values('BRK-B|splits')];
    expect(Object.keys(before[1] ?? {})).not.toEqual([]);
    await fetchSeries(['unrate']);
    expect([await values('SPY'), await values('SPY|splits'), await values('BRK-B|splits')]).toEqual(before);
  });

  it('knows each value from the day of its publication on', async () => {
    await fetchNow('stooq');
    const result = await fetchSeries(['unrate']);
    expect(result?.report.conditionSeries).toEqual([
      expect.objectContaining({ name: '@UNRATE', hasVintages: true, after: 2 }),
    ]);
    const known = await values('@UNRATE');
    expect(Object.keys(known)[0]).toBe('2024-02-02');
    expect([known['2024-02-01'], known['2024-03-07'], known['2024-03-08']]).toEqual([undefined, 3.7, 3.9]);
    expect(await values('SPY')).toEqual(served('SPY'));
    const { version } = await marketData.current();
    expect(await marketData.conditionSeries?.(version)).toEqual([
      expect.objectContaining({
        name: '@UNRATE',
        title: 'Title of UNRATE',
        source: 'FRED',
        hasVintages: true,
      }),
    ]);
    expect(await fetchSeries(['UNRATE'])).toBeNull();
    // A later fetch of prices keeps it.
    server.prices.get('SPY')?.push({ date: '2024-03-15', close: 116 });
    await fetchNow('stooq', { tickers: 'known' });
    expect((await values('@UNRATE'))['2024-03-15']).toBe(3.9);
  });

  it('takes today’s values with a lag where there are too many vintages', async () => {
    await fetchNow('stooq');
    server.withoutVintages.add('UNRATE');
    const result = await fetchSeries(['@UNRATE']);
    expect(result?.report.conditionSeries).toEqual([
      expect.objectContaining({ hasVintages: false, lagDays: 62 }),
    ]);
    const known = await values('@UNRATE');
    expect(Object.entries(known)[0]).toEqual(['2024-03-04', 3.8]);
    // Whoever knows better says so.
    expect(await source().series('UNRATE', { lagDays: 5 })).toMatchObject({ lagDays: 5 });
  });

  it.each([
    ['an unknown series', ['NOPE'], undefined, /There is no series NOPE/],
    ['a wrong key', ['UNRATE'], 'wr0ng', /FRED did not accept the request \(400\)/],
  ])('refuses %s in words', async (_, ids, key, message) => {
    await fetchNow('stooq');
    const refused = fetchSeries(ids, key);
    await expect(refused).rejects.toMatchObject({ message: expect.stringMatching(message) });
    await expect(refused).rejects.not.toMatchObject({ message: expect.stringMatching(/Bad Request|wr0ng/) });
  });

  it('refuses a series where there are no prices', async () => {
    await expect(fetchSeries(['UNRATE'])).rejects.toMatchObject({
      message: expect.stringContaining('conditions only'),
    });
  });
});
