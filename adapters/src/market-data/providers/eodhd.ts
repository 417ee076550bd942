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

const BASE_URL = 'https://eodhd.com/';
const KINDS = new Set(['Common Stock', 'ETF', 'Preferred Stock', 'FUND']);
const US_EXCHANGES = new Set(['NYSE', 'NASDAQ', 'NYSE ARCA', 'NYSE MKT', 'AMEX', 'BATS']);

/**
 * EODHD's end-of-day prices (https://eodhd.com/financial-apis/api-for-historical-data-and-volumes): `GET /api/eod/AAPL.US?from=&fmt=json`
 * with the key in the query; `adjusted_close` is adjusted for splits and dividends, to four decimals.
 */
export function eodhd(options: ProviderOptions): PriceProvider {
  const source = new HttpSource({
    name: 'EODHD',
    requestsPerHour: options.requestsPerHour ?? 50_000,
    concurrency: 4,
    wait: options.wait,
  });
  const urlOf = (path: string) => {
    const url = new URL(path, options.baseUrl ?? BASE_URL);
    url.searchParams.set('api_token', options.key);
    url.searchParams.set('fmt', 'json');
    return url;
  };
  const list = keptAnswer((request?: RequestOptions) =>
    source.getJson(urlOf('api/exchange-symbol-list/US'), request).then(parseSymbols),
  );
  return {
    id: 'eodhd',
    name: 'EODHD',
    adjustment: 'splits_and_dividends',
    others: { basis: 'none', hasSplits: false },
    precision: 1e-4,
    assets: async (request) => [...(await list(request)).values()],
    async history(ticker, request: RequestOptions & { from?: string } = {}) {
      const url = urlOf(`api/eod/${encodeURIComponent(`${ticker}.US`)}`);
      url.searchParams.set('period', 'd');
      if (request.from) url.searchParams.set('from', request.from);
      const answer = await source.getJson(url, request);
      return answer === null ? null : parsePrices(answer, ticker);
    },
    assetName: async (ticker, request) => (await list(request)).get(ticker)?.name ?? null,
  };
}

function parsePrices(answer: unknown, ticker: string): ProviderBar[] {
  if (!Array.isArray(answer)) throw refused(`answered no list of prices for ${ticker}`);
  return answer.map((bar: unknown) => {
    const { date, adjusted_close: close, close: paid } = (bar ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof date !== 'string') throw refused(`answered a price without a date for ${ticker}`);
    return {
      date: date.slice(0, 10),
      close: typeof close === 'number' ? close : Number.NaN,
      other: typeof paid === 'number' ? paid : undefined,
    };
  });
}

function parseSymbols(answer: unknown): ReadonlyMap<string, ProviderAsset> {
  if (!Array.isArray(answer)) throw refused('answered no list of symbols');
  const assets = new Map<string, ProviderAsset>();
  for (const symbol of answer as Record<string, unknown>[]) {
    const { Code: code, Name: name, Type: kind, Exchange: exchange, Currency: currency } = symbol;
    if (typeof code !== 'string' || !KINDS.has(String(kind)) || !US_EXCHANGES.has(String(exchange))) continue;
    if (currency !== 'USD') continue;
    const ticker = canonicalTicker(code);
    if (ticker !== null)
      assets.set(ticker, { ticker, name: typeof name === 'string' && name ? name : ticker });
  }
  return assets;
}

function refused(what: string): MarketDataError {
  return new MarketDataError('provider_refused', `EODHD ${what}`);
}
