import { basename } from 'node:path';
import { knownName } from '@quantloom/domain/market-data/demo/demo-data-set';
import { tickerOfSource } from './source-ticker.ts';

export type FileTicker =
  | { readonly ticker: string; readonly rule: string }
  | { readonly ticker: null; readonly reason: string };

/** Exchanges of the United States, as TradingView writes them. */
const TRADINGVIEW_US = new Set(['NASDAQ', 'NYSE', 'AMEX', 'ARCA', 'BATS', 'CBOE', 'OTC']);

/** Words that stand beside the ticker in the names of files that people and programs write. */
const DECORATIONS = new Set(
  `daily day d 1d 1day eod ohlc ohlcv price prices pricing history historical hist data dataset quotes quote stock stocks etf etfs adjusted
  adj unadjusted raw full max close closes csv export download table yahoo yfinance tiingo stooq polygon alpaca eodhd alphavantage nasdaq
  investing barchart macrotrends time series timeseries us usa usd new old final copy all long wide bars bar panel sample test input output
  result results file my the market marketdata index indices fund funds asset assets symbol symbols ticker tickers unnamed untitled sheet
  sheet1 part chunk returns return portfolio universe sp500 nyse amex values value list watchlist adjclose adj_close temp tmp`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * The ticker that a file's name tells, and by which rule; never a guess: a name that does not clearly hold
 * one ticker is refused with the reason. `isKnown` says whether a ticker is in the data set already;
 * well-known ones count too.
 */
export function tickerOfFile(file: string, isKnown: (ticker: string) => boolean = () => false): FileTicker {
  const stem = stemOf(file);
  const known = (ticker: string) => knownName(ticker) !== null || isKnown(ticker);
  const found = (text: string, rule: string): FileTicker => {
    const ticker = tickerOfSource(text.replace(/^\^/, ''));
    return ticker === null
      ? { ticker: null, reason: `its name holds ${text}, which is no ticker` }
      : { ticker, rule };
  };

  const stooq = /^\^?([a-z0-9.-]+)(?:_([a-z]{2}))?_([dwmqy])$/i.exec(stem);
  if (stooq?.[1]) {
    if (stooq[3]?.toLowerCase() !== 'd')
      return {
        ticker: null,
        reason: 'its name says that it holds no daily prices (Stooq writes _d for those)',
      };
    if (!isPlain(stooq[1]) || isDecoration(stooq[1]))
      return { ticker: null, reason: 'its name is not a ticker' };
    // Stooq names shares of Warsaw without an exchange, and all others with one.
    if (!stooq[2] && !stem.startsWith('^') && !known(stooq[1].toUpperCase()))
      return {
        ticker: null,
        reason: `its name may mean a share of Warsaw (Stooq writes ${stooq[1].toLowerCase()}_us_d for one of New York)`,
      };
    return found(stooq[2] ? `${stooq[1]}.${stooq[2]}` : stooq[1], 'Stooq’s names: ticker_exchange_d');
  }
  const alphaVantage = /^(?:time_series_)?daily(?:_adjusted)?_(.+)$/i.exec(stem);
  if (alphaVantage?.[1] && isPlain(alphaVantage[1]))
    return found(alphaVantage[1], 'Alpha Vantage’s names: daily_ticker');
  if (/^(?:time_series_)?(?:weekly|monthly|intraday)/i.test(stem))
    return { ticker: null, reason: 'its name says that it holds no daily prices' };
  if (/^historical ?(?:data|quotes|prices?)?(?:[_ -]?\d+)?$/i.test(stem))
    return { ticker: null, reason: 'its name tells no ticker' };
  const investing =
    /^(.+?) (?:(?:ETF|Stock) )*(?:Historical Data|Historische Daten|Datos históricos|Dados Históricos|Stock Price History|Price History|Historical Prices)$/i.exec(
      stem,
    );
  if (investing?.[1]) {
    if (
      isPlain(investing[1]) &&
      (investing[1] === investing[1].toUpperCase() || known(investing[1].toUpperCase()))
    )
      return found(investing[1], 'investing.com’s names: ticker Historical Data');
    return { ticker: null, reason: `its name holds ${investing[1]}, which is a name and no ticker` };
  }

  const tradingView = /^([A-Z]+)_([A-Z][A-Z0-9.]*), (\w+?)(?:_[0-9a-z]+)?$/.exec(stem);
  if (tradingView) {
    const [, exchange = '', symbol = '', period] = tradingView;
    if (period !== '1D')
      return {
        ticker: null,
        reason: 'its name says that it holds no daily prices (TradingView writes 1D for those)',
      };
    if (!TRADINGVIEW_US.has(exchange))
      return { ticker: null, reason: `its name holds an exchange outside the United States, ${exchange}` };
    return found(symbol, 'TradingView’s names: exchange_ticker, 1D');
  }

  const words = stem
    .replaceAll(/\d{4}[-_.]?\d{2}[-_.]?\d{2}|\b\d{2}[-_.]\d{2}[-_.]\d{4}\b|\b(?:19|20)\d{2}\b/g, ' ')
    .split(/[\s_,;()[\]]+|(?<=[A-Za-z]{2})-(?=[A-Za-z]{3})/)
    .map((word) => word.replace(/^[-.]+|[-.]+$/g, ''))
    .filter((word) => word !== '' && !/^\d+$/.test(word));
  // Some descriptions are tickers as well: `ALL.csv`, but not `all.csv`.
  if (words.length === 1 && isPlain(words[0] ?? '') && words[0] === words[0]?.toUpperCase())
    if (words[0]?.length === 1 || known(words[0] ?? '')) return found(words[0] ?? '', 'the file’s name');
  // `brk_b` is one ticker in two words.
  const [first = '', second = ''] = words;
  if (words.length === 2 && /^[A-Za-z]{1,4}$/.test(first) && /^[ABab]$/.test(second) && !isDecoration(first))
    return found(`${first}-${second}`, 'the file’s name');
  const left = words.filter((word) => !isDecoration(word));
  const [only] = left;
  if (only === undefined || left.length > 1) return { ticker: null, reason: 'its name is not a ticker' };
  if (!isPlain(only)) return { ticker: null, reason: `its name holds ${only}, which is no ticker` };
  // `data_A.csv` is the first of several files sooner than Agilent.
  if (only.length === 1 && words.length > 1)
    return { ticker: null, reason: `its name holds ${only}, which may be no ticker` };
  const bare = only.replace(/\.us$/i, '').replace(/^\^/, '');
  const isUpper = bare === bare.toUpperCase();
  const isLower = bare === bare.toLowerCase();
  // Names of companies are written in small letters too: `apple.csv` is not APPLE.
  if (
    !known(tickerOfSource(bare) ?? '') &&
    !isUpper &&
    (!isLower || bare.replaceAll(/[^a-z]/g, '').length > 4)
  )
    if (!/\.us$/i.test(only))
      return { ticker: null, reason: `its name holds ${only}, which may be a name and no ticker` };
  return found(
    only,
    words.length > 1 ? 'the one word of its name that is no description' : 'the file’s name',
  );
}

function stemOf(file: string): string {
  return basename(file)
    .replace(/\.(gz|zst)$/i, '')
    .replace(/\.(csv|tsv|txt|parquet|pq|arrow|feather|ipc)$/i, '')
    .replace(/(?: \(\d+\)| - Copy|-copy)+$/i, '')
    .trim();
}

function isDecoration(word: string): boolean {
  return DECORATIONS.has(word.toLowerCase());
}

/** Up to six letters and digits, a share class or exchange behind a full stop or hyphen. */
function isPlain(text: string): boolean {
  return /^\^?[A-Za-z][A-Za-z0-9]{0,5}(?:[.-][A-Za-z]{1,3}){0,2}$/.test(text);
}
