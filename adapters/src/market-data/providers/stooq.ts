import { MarketDataError } from '../files/market-data-error.ts';
import { HttpSource } from './http-source.ts';
import type { PriceProvider, ProviderBar, ProviderOptions, RequestOptions } from './provider.ts';

const BASE_URL = 'https://stooq.com/';

/**
 * Stooq's daily prices as its pages offer them: `GET /q/d/l/?s=spy.us&i=d&d1=20240102` answers CSV
 * (`Date,Open,High,Low,Close,Volume`), adjusted for splits and dividends. What it cannot answer it says in a
 * line of text with status 200. A key is sent where there is one. It has no list of tickers.
 */
export function stooq(options: ProviderOptions): PriceProvider {
  const source = new HttpSource({
    name: 'Stooq',
    // It counts hits a day, and does not say how many it allows.
    requestsPerHour: options.requestsPerHour ?? 200,
    concurrency: 1,
    wait: options.wait,
  });
  return {
    id: 'stooq',
    name: 'Stooq',
    adjustment: 'splits_and_dividends',
    precision: 1e-4,
    assets: async () => {
      throw refused('has no list of tickers: name the ones to fetch');
    },
    async history(ticker, request: RequestOptions & { from?: string } = {}) {
      const url = new URL('q/d/l/', options.baseUrl ?? BASE_URL);
      url.searchParams.set('s', `${ticker.toLowerCase()}.us`);
      url.searchParams.set('i', 'd');
      if (request.from) url.searchParams.set('d1', request.from.replaceAll('-', ''));
      if (options.key) url.searchParams.set('apikey', options.key);
      const answer = await source.get(url, request);
      return answer === null ? null : parsePrices(answer.toString('utf8'), ticker);
    },
    assetName: async () => null,
  };
}

function parsePrices(text: string, ticker: string): ProviderBar[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  // Its own warnings may stand before the header.
  const header = lines.findIndex((line) => /^\uFEFF?(?:Date|Data),/.test(line));
  if (header < 0) {
    if (/^(?:No data|Brak danych)/i.test(text.trim())) return null;
    if (/limit/i.test(text)) throw refused('says that its limit of today is reached; go on tomorrow');
    if (/api ?key/i.test(text)) throw refused('asks for a key: set STOOQ_API_KEY in the environment');
    throw refused(`answered something that is no list of prices for ${ticker}`);
  }
  const columns = (lines[header] ?? '').split(',');
  const close = columns.findIndex((name) => name === 'Close' || name === 'Zamkniecie');
  if (close < 0) throw refused(`answered a list of prices without closes for ${ticker}`);
  return lines.slice(header + 1).map((line) => {
    const cells = line.split(',');
    return { date: dashed(cells[0] ?? ''), close: cells[close] ? Number(cells[close]) : Number.NaN };
  });
}

/** 20240102 as 2024-01-02. */
function dashed(date: string): string {
  return date.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
}

function refused(what: string): MarketDataError {
  return new MarketDataError('provider_refused', `Stooq ${what}`);
}
