import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import type { Asset, DataSetManifest, MarketData } from '@quantloom/domain/ports/market-data';
import { chooseEncoding } from '@quantloom/http/content-encoding';
import type { Principal } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { beforeEach, describe, expect, it } from 'vitest';
import { mountMarketDataQueries, sessionsBehind } from './market-data.ts';

const asset = (ticker: string, isSimulated = false): Asset => ({
  ticker,
  name: `${ticker} Inc.`,
  firstDay: '2020-01-02',
  lastDay: '2020-03-06',
  source: 'test',
  adjustment: 'splits_and_dividends',
  isSimulated,
});

const report: ImportReport = {
  version: 'v1',
  createdAt: '2020-03-07T00:00:00Z',
  source: 'a.csv',
  seconds: 1.5,
  files: [{ file: 'a.csv', rows: 101, rejected: 1, priceColumn: 'adj_close' }],
  rows: 100,
  tickers: 2,
  keptTickers: 0,
  firstDay: '2020-01-02',
  lastDay: '2020-03-06',
  rejectedRows: 1,
  rejectedByReason: { weekend: 1 },
  rejected: [{ file: 'a.csv', line: 7, reason: 'weekend', ticker: 'SPY', date: '2020-01-04', price: '1' }],
  flagCount: 1,
  flagsByKind: { gap: 1 },
  flags: [{ ticker: 'SPY', kind: 'gap', from: '2020-01-06', to: '2020-02-06', message: 'a gap' }],
  notes: [],
};

class Fake implements MarketData {
  version = 'v1';
  assetReads = 0;
  list = [asset('SPY'), asset('BRK-B'), asset('SIM:SPY', true)];
  #manifest(version: string): DataSetManifest {
    return {
      version,
      createdAt: '2020-03-07T00:00:00Z',
      label: 'test',
      isSimulated: false,
      lastDay: '2020-03-06',
      assetCount: this.list.length,
    };
  }
  async current() {
    return this.#manifest(this.version);
  }
  async versions() {
    return [this.#manifest('v1'), this.#manifest('v2')];
  }
  async assets() {
    this.assetReads++;
    return this.list;
  }
  async load() {
    return new Map();
  }
  async report() {
    return report;
  }
}

function principal(features: readonly string[]): Principal {
  return { userId: 'u', clientId: null, features, scopes: [] } as unknown as Principal;
}

describe('market-data routes', () => {
  let marketData: Fake;
  const now = new Date('2020-03-10T12:00:00Z');
  const server = (features: readonly string[] = []) => {
    const app = createServer({
      authenticate: async (header) => (header === undefined ? null : principal(features)),
    });
    mountMarketDataQueries(app, { marketData, clock: { now: () => now } });
    return app;
  };
  const get = (url: string, headers: Record<string, string> = {}, features: readonly string[] = []) =>
    server(features).inject({ method: 'GET', url, headers: { authorization: 'Bearer x', ...headers } });

  beforeEach(() => {
    marketData = new Fake();
  });

  it('lists series for conditions apart from the tickers', async () => {
    const vix = {
      name: '@VIXCLS',
      title: 'CBOE Volatility Index',
      source: 'FRED',
      firstDay: '1990-01-02',
      lastDay: '2020-03-05',
      count: 7000,
      lagDays: 1,
      hasVintages: false,
    };
    Object.assign(marketData, { conditionSeries: async () => [vix] });
    const { data, series } = (await get('/api/v1/tickers')).json();
    expect(series).toEqual([
      {
        name: '@VIXCLS',
        title: 'CBOE Volatility Index',
        source: 'FRED',
        first_day: '1990-01-02',
        last_day: '2020-03-05',
        lag_days: 1,
        has_vintages: false,
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('VIXCLS');
  });

  it('answers all tickers, the simulated ones only with their feature', async () => {
    const plain = await get('/api/v1/tickers');
    expect(plain.statusCode).toBe(200);
    expect(plain.json().data).toEqual([
      {
        ticker: 'SPY',
        name: 'SPY Inc.',
        first_day: '2020-01-02',
        last_day: '2020-03-06',
        is_simulated: false,
      },
      {
        ticker: 'BRK-B',
        name: 'BRK-B Inc.',
        first_day: '2020-01-02',
        last_day: '2020-03-06',
        is_simulated: false,
      },
    ]);
    const more = await get('/api/v1/tickers', {}, ['web.simulated-tickers.view']);
    expect(more.json().data).toHaveLength(3);
    expect(more.headers.etag).not.toBe(plain.headers.etag);
  });

  it('compresses as the client likes it', async () => {
    const gzipped = await get('/api/v1/tickers', { 'accept-encoding': 'gzip, deflate' });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    // A cache between must not give one person's list, or encoding, to another.
    expect(gzipped.headers.vary).toBe('accept-encoding, authorization');
    expect(JSON.parse(gunzipSync(gzipped.rawPayload).toString()).data).toHaveLength(2);
    const br = await get('/api/v1/tickers', { 'accept-encoding': 'gzip, br' });
    expect(br.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(br.rawPayload).toString()).data).toHaveLength(2);
    expect(chooseEncoding('br;q=0, gzip;q=0.5')).toBe('gzip');
    expect(chooseEncoding(undefined)).toBe('identity');
  });

  it('answers 304 while nothing has changed, and the new list at once when it has', async () => {
    const app = server();
    const ask = (etag?: string) =>
      app.inject({
        url: '/api/v1/tickers',
        headers: { authorization: 'x', 'accept-encoding': 'gzip', ...(etag && { 'if-none-match': etag }) },
      });
    const first = await ask();
    const etag = String(first.headers.etag);
    const second = await ask(etag);
    expect([second.statusCode, second.body]).toEqual([304, '']);
    // Whoever keeps several answers names them all; a compressing proxy makes each a weak one.
    for (const several of [`"other", W/${etag}`, `W/${etag},"other"`, '*'])
      expect((await ask(several)).statusCode, several).toBe(304);
    expect((await ask('"other", "another"')).statusCode).toBe(200);
    expect(marketData.assetReads).toBe(1);
    marketData.list = [asset('QQQ')];
    marketData.version = 'v2';
    const third = await ask(etag);
    expect(third.statusCode).toBe(200);
    expect(gunzipSync(third.rawPayload).toString()).toContain('QQQ');
  });

  it('answers anew where only a series for conditions has changed', async () => {
    const app = server();
    const ask = (etag = 'none') =>
      app.inject({ url: '/api/v1/tickers', headers: { authorization: 'x', 'if-none-match': etag } });
    const seriesUpTo = (version: string, lastDay: string) => {
      marketData.version = version;
      Object.assign(marketData, { conditionSeries: async () => [{ name: '@VIXCLS', lastDay }] });
    };
    seriesUpTo('v1', '2020-03-05');
    const first = await ask();
    const etag = String(first.headers.etag);
    seriesUpTo('v2', '2020-03-06');
    const second = await ask(etag);
    expect([second.statusCode, second.json().series]).toEqual([
      200,
      [{ name: '@VIXCLS', last_day: '2020-03-06' }],
    ]);
  });

  it('tries again what could not be read', async () => {
    const app = server();
    const ask = () => app.inject({ url: '/api/v1/tickers', headers: { authorization: 'x' } });
    const read = marketData.assets.bind(marketData);
    marketData.assets = () => Promise.reject(new Error('The disk is gone'));
    expect((await ask()).statusCode).toBe(500);
    marketData.assets = read;
    expect((await ask()).json().data).toHaveLength(2);
  });

  it('tells how fresh the data set is', async () => {
    const answer = await get('/api/v1/market-data');
    expect(answer.json().data).toMatchObject({ version: 'v1', last_day: '2020-03-06', sessions_behind: 1 });
    expect(sessionsBehind('2020-03-06', new Date('2020-03-09T23:00:00Z'))).toBe(0);
    expect(sessionsBehind('2020-12-24', new Date('2020-12-29T00:00:00Z'))).toBe(1);
  });

  it('shows admins, and nobody else, versions, report and defects', async () => {
    const refused = await get('/api/v1/admin/market-data');
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'feature_missing']);
    const answer = await get('/api/v1/admin/market-data', {}, ['web.admin.view']);
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toMatchObject({
      current: { version: 'v1' },
      versions: [
        { version: 'v1', is_current: true },
        { version: 'v2', is_current: false },
      ],
      report: { rows: 100, rejectedByReason: { weekend: 1 }, firstDay: '2020-01-02' },
      rejected: [{ line: 7, reason: 'weekend' }],
      assets_with_defects: [{ ticker: 'SPY', flags: [{ kind: 'gap' }] }],
    });
    const unknown = await get('/api/v1/admin/market-data?version=nope', {}, ['web.admin.view']);
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'data_set_not_found']);
  });

  it('asks visitors to sign in', async () => {
    const answer = await server().inject({ url: '/api/v1/tickers' });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'unauthenticated']);
  });
});
