import { inflateRawSync } from 'node:zlib';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import { MarketDataError } from '../files/market-data-error.ts';
import { HttpSource } from './http-source.ts';
import type {
  PriceProvider,
  ProviderAsset,
  ProviderBar,
  ProviderOptions,
  RequestOptions,
} from './provider.ts';

const BASE_URL = 'https://api.tiingo.com/';
/** The list of tickers lies on a host of its own. */
const LIST_URL = 'https://apimedia.tiingo.com/docs/tiingo/daily/supported_tickers.zip';
const US_EXCHANGES = new Set(['NYSE', 'NASDAQ', 'NYSE ARCA', 'NYSE MKT', 'AMEX', 'BATS']);

/**
 * Tiingo's end-of-day prices (https://www.tiingo.com/documentation/end-of-day):
 * `GET /tiingo/daily/<ticker>/prices?startDate=` with the token in the `Authorization` header; `adjClose` is
 * adjusted for splits and dividends. Its list of tickers has no names.
 */
export function tiingo(options: ProviderOptions): PriceProvider {
  const source = new HttpSource({
    name: 'Tiingo',
    headers: { authorization: `Token ${options.key}` },
    requestsPerHour: options.requestsPerHour ?? 10_000,
    concurrency: 4,
    wait: options.wait,
  });
  // Below another host (a proxy, a test) the list is expected there too.
  const listUrl = options.baseUrl
    ? new URL('docs/tiingo/daily/supported_tickers.zip', options.baseUrl)
    : new URL(LIST_URL);
  // Tiingo writes share classes with a hyphen, as they are stored.
  const urlOf = (path: string) => new URL(path, options.baseUrl ?? BASE_URL);
  return {
    id: 'tiingo',
    name: 'Tiingo',
    adjustment: 'splits_and_dividends',
    others: { basis: 'none', hasSplits: true },
    precision: 0,
    async assets(request) {
      const zip = await source.get(listUrl, request);
      if (zip === null) throw refused('has no list of tickers any more');
      return parseSupportedTickers(unzipFirst(zip).toString('utf8'));
    },
    async history(ticker, request: RequestOptions & { from?: string } = {}) {
      const url = urlOf(`tiingo/daily/${encodeURIComponent(ticker.toLowerCase())}/prices`);
      // Without a start date the answer is the latest day alone.
      url.searchParams.set('startDate', request.from ?? '1900-01-01');
      url.searchParams.set('format', 'json');
      const answer = await source.getJson(url, request);
      return answer === null ? null : parsePrices(answer, ticker);
    },
    async assetName(ticker, request) {
      const answer = await source.getJson(
        urlOf(`tiingo/daily/${encodeURIComponent(ticker.toLowerCase())}`),
        request,
      );
      const name = (answer as { name?: unknown } | null)?.name;
      return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
    },
  };
}

function parsePrices(answer: unknown, ticker: string): ProviderBar[] {
  if (!Array.isArray(answer)) throw refused(`answered no list of prices for ${ticker}`);
  return answer.map((bar: unknown) => {
    const { date, adjClose, close, splitFactor } = (bar ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof date !== 'string') throw refused(`answered a price without a date for ${ticker}`);
    return {
      date: date.slice(0, 10),
      close: typeof adjClose === 'number' ? adjClose : Number.NaN,
      other: typeof close === 'number' ? close : undefined,
      split: typeof splitFactor === 'number' ? splitFactor : undefined,
    };
  });
}

/**
 * Columns ticker, exchange, assetType, priceCurrency, startDate, endDate; lines without a start date have no
 * prices.
 */
export function parseSupportedTickers(csv: string): ProviderAsset[] {
  const [header, ...lines] = csv.split(/\r?\n/);
  const columns = (header ?? '').split(',');
  const at = (name: string) => {
    const index = columns.indexOf(name);
    if (index < 0) throw refused(`has a list of tickers without the column ${name}`);
    return index;
  };
  const [ticker, exchange, kind, currency, start] = [
    'ticker',
    'exchange',
    'assetType',
    'priceCurrency',
    'startDate',
  ].map(at);
  const assets = new Map<string, ProviderAsset>();
  for (const line of lines) {
    const cells = line.split(',');
    const cell = (index: number | undefined) => cells[index ?? -1] ?? '';
    if (!US_EXCHANGES.has(cell(exchange)) || cell(currency) !== 'USD' || cell(start) === '') continue;
    if (cell(kind) !== 'Stock' && cell(kind) !== 'ETF') continue;
    const stored = canonicalTicker(cell(ticker));
    if (stored !== null) assets.set(stored, { ticker: stored, name: stored });
  }
  return [...assets.values()];
}

/** The first file of a ZIP archive (PKWARE APPNOTE 4.3), read by its central directory, stored or deflated. */
export function unzipFirst(zip: Buffer): Buffer {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw refused('answered a list that is no ZIP archive');
  const entry = zip.readUInt32LE(end + 16);
  if (zip.readUInt32LE(entry) !== 0x02014b50) throw refused('answered a damaged ZIP archive');
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + size);
  if (data.length < size) throw refused('answered a ZIP archive that was cut off');
  if (method === 0) return data;
  if (method !== 8) throw refused(`answered a ZIP archive packed by method ${method}`);
  return inflateRawSync(data, { maxOutputLength: 256 << 20 });
}

function refused(what: string): MarketDataError {
  return new MarketDataError('provider_refused', `Tiingo ${what}`);
}
