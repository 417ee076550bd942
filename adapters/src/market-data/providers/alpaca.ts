import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import { keptAnswer } from '../../kept-answer.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { HttpSource } from './http-source.ts';
import type {
  PriceProvider,
  ProviderAsset,
  ProviderBar,
  ProviderOptions,
  RequestOptions,
} from './provider.ts';

const DATA_URL = 'https://data.alpaca.markets/';
const TRADING_URL = 'https://paper-api.alpaca.markets/';
const EXCHANGES = new Set(['NYSE', 'NASDAQ', 'ARCA', 'AMEX', 'BATS', 'NYSEARCA']);
/** The first day of its prices. */
const FIRST_DAY = '2016-01-01';
const MOST_PAGES = 1000;

/**
 * Alpaca's daily bars (https://docs.alpaca.markets/reference/stockbarsingle-1):
 * `GET /v2/stocks/AAPL/bars?timeframe=1Day&adjustment=all` in pages, with the two halves of the key in
 * headers. A bar's `t` is midnight in New York; `adjustment=all` is for splits and dividends,
 * `adjustment=split` for splits only.
 */
export function alpaca(options: ProviderOptions): PriceProvider {
  const source = new HttpSource({
    name: 'Alpaca',
    headers: { 'APCA-API-KEY-ID': options.key, 'APCA-API-SECRET-KEY': options.secret ?? '' },
    // 200 a minute on the free plan.
    requestsPerHour: options.requestsPerHour ?? 10_000,
    concurrency: 3,
    wait: options.wait,
  });
  const list = keptAnswer((request?: RequestOptions) => {
    const url = new URL('v2/assets', options.baseUrl ?? TRADING_URL);
    url.searchParams.set('status', 'active');
    url.searchParams.set('asset_class', 'us_equity');
    return source.getJson(url, request).then(parseAssets);
  });
  const barsOf = async (
    ticker: string,
    adjustment: 'all' | 'split',
    request: RequestOptions & { from?: string },
  ): Promise<ProviderBar[] | null> => {
    const bars: ProviderBar[] = [];
    let page: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      // Share classes are written with a full stop there.
      const url = new URL(
        `v2/stocks/${encodeURIComponent(ticker.replace('-', '.'))}/bars`,
        options.baseUrl ?? DATA_URL,
      );
      url.searchParams.set('timeframe', '1Day');
      url.searchParams.set('adjustment', adjustment);
      url.searchParams.set('start', request.from ?? FIRST_DAY);
      url.searchParams.set('limit', '10000');
      if (page !== null) url.searchParams.set('page_token', page);
      const answer = await source.getJson(url, request);
      if (answer === null) return null;
      const { bars: more, next } = parsePage(answer, ticker);
      bars.push(...more);
      if (next === null) return bars.length === 0 && request.from === undefined ? null : bars;
      page = next;
    }
    throw refused(`answers pages without end for ${ticker}`);
  };
  return {
    id: 'alpaca',
    name: 'Alpaca',
    adjustment: 'splits_and_dividends',
    others: { basis: 'splits', hasSplits: false },
    // As computed and rounded by it, the same every day.
    precision: 1e-4,
    assets: async (request) => [...(await list(request)).values()],
    async history(ticker, request: RequestOptions & { from?: string } = {}) {
      const bars = await barsOf(ticker, 'all', request);
      if (bars === null) return null;
      // One request more for each ticker: an answer has one basis.
      const others = await barsOf(ticker, 'split', request);
      const closes = new Map(others?.map(({ date, close }) => [date, close]));
      return bars.map((bar) => ({ ...bar, other: closes.get(bar.date) }));
    },
    assetName: async (ticker, request) => (await list(request)).get(ticker)?.name ?? null,
  };
}

function parsePage(answer: unknown, ticker: string): { bars: ProviderBar[]; next: string | null } {
  const { bars, next_page_token: next } = (answer ?? {}) as { bars?: unknown; next_page_token?: unknown };
  // Null is what it answers for a symbol without prices.
  if (bars !== null && !Array.isArray(bars)) throw refused(`answered no list of prices for ${ticker}`);
  return {
    bars: (bars ?? []).map((bar: unknown) => {
      const { t, c } = (bar ?? {}) as { t?: unknown; c?: unknown };
      if (typeof t !== 'string') throw refused(`answered a price without a date for ${ticker}`);
      return { date: t.slice(0, 10), close: typeof c === 'number' ? c : Number.NaN };
    }),
    next: typeof next === 'string' && next !== '' ? next : null,
  };
}

function parseAssets(answer: unknown): ReadonlyMap<string, ProviderAsset> {
  if (!Array.isArray(answer)) throw refused('answered no list of assets');
  const assets = new Map<string, ProviderAsset>();
  for (const asset of answer as Record<string, unknown>[]) {
    const { symbol, name, exchange } = asset;
    if (typeof symbol !== 'string' || !EXCHANGES.has(String(exchange))) continue;
    const ticker = canonicalTicker(symbol);
    if (ticker !== null)
      assets.set(ticker, { ticker, name: typeof name === 'string' && name ? name : ticker });
  }
  return assets;
}

function refused(what: string): MarketDataError {
  return new MarketDataError('provider_refused', `Alpaca ${what}`);
}
