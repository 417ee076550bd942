import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Principal } from '@quantloom/http/principal';
import { createServer } from '@quantloom/http/server';
import { describe, expect, it } from 'vitest';
import { mountTickerQuery } from './market-data-ticker.ts';

const DAYS = sessionsBetween(18_000, 18_400);
/** Doubled from day 100 on, and one bad day at 200. */
const CLOSES = Float64Array.from(DAYS, (_, i) => (i === 200 ? 900 : 100 + (i % 3)) * (i < 100 ? 2 : 1));
const manifest = {
  version: 'v1',
  createdAt: '2020-03-07T00:00:00Z',
  label: 'test',
  isSimulated: false,
  lastDay: formatDay(DAYS.at(-1) as number),
  assetCount: 1,
};
const marketData: MarketData = {
  current: async () => manifest,
  versions: async () => [manifest],
  assets: async () => [
    {
      ticker: 'BRK-B',
      name: 'Berkshire',
      firstDay: formatDay(DAYS[0] as number),
      lastDay: manifest.lastDay,
      source: 'brk.csv',
      adjustment: 'none',
      isSimulated: false,
    },
  ],
  load: async (_, tickers) =>
    new Map(tickers.map((ticker): [string, PriceSeries] => [ticker, { ticker, days: DAYS, closes: CLOSES }])),
};

function get(url: string, prices = marketData) {
  const app = createServer({
    authenticate: async () =>
      ({
        userId: 'u',
        clientId: null,

        features: ['web.admin.view'],
        scopes: [],
      }) as unknown as Principal,
  });
  mountTickerQuery(app, { marketData: prices });
  return app.inject({ method: 'GET', url, headers: { authorization: 'Bearer x' } });
}

describe('a ticker for admins', () => {
  it('is found by any spelling, with its span, source, basis and suspicions, the most serious first', async () => {
    const answer = await get('/api/v1/admin/market-data/tickers/brk.b');
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json();
    expect(data).toMatchObject({ ticker: 'BRK-B', source: 'brk.csv', basis: 'none', days: DAYS.length });
    const [first] = data.suspicions;
    expect(first).toMatchObject({ severity: 'serious' });
    const kinds = data.suspicions.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['split_like_move', 'reverting_move']));
    for (const { days } of data.suspicions)
      for (const { from, prices } of days) {
        expect(prices.days).toContain(from);
        expect(prices.closes).toHaveLength(prices.days.length);
      }
    expect(data.versions).toEqual([expect.objectContaining({ version: 'v1', change: null })]);
  });

  it('names the newest twelve versions that have it, the newest first', async () => {
    const versions = Array.from({ length: 14 }, (_, i) => ({ ...manifest, version: `v${i}` }));
    const current = versions.at(-1) as typeof manifest;
    const { data } = (
      await get('/api/v1/admin/market-data/tickers/BRK-B', {
        ...marketData,
        current: async () => current,
        versions: async () => versions,
      })
    ).json();
    expect(data.versions.map(({ version }: { version: string }) => version)).toEqual(
      Array.from({ length: 12 }, (_, i) => `v${13 - i}`),
    );
  });

  it.each(['/api/v1/admin/market-data/tickers/NOPE', '/api/v1/admin/market-data/tickers/BRK-B?version=v9'])(
    'answers 404 for %s',
    async (url) => {
      expect((await get(url)).statusCode).toBe(404);
    },
  );
});
