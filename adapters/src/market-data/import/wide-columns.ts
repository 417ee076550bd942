import { knownName } from '@quantloom/domain/market-data/demo/demo-data-set';
import type { Asset } from '@quantloom/domain/ports/market-data';
import type { PriceColumn } from './column-plan.ts';
import { type FurtherColumns, isPlainClose } from './further-columns.ts';
import { PRICE_NAMES, plainHeader } from './price-names.ts';
import { tickerOfSource } from './source-ticker.ts';

export type WideColumns =
  | {
      readonly prices: readonly PriceColumn[];
      readonly field: string | null;
      readonly adjustment: Asset['adjustment'];
      readonly further?: FurtherColumns;
    }
  | { readonly problem: string };

/** What stands in tables beside prices, or instead of them; never a ticker. */
const FIELDS = new Set(
  `open high low volume vol nav bid ask mid vwap return returns ret chg change changepct pctchange percentchange signal position weight
  yield rate index total amount settle settlement turnover dividend dividends split splits stocksplits shares marketcap count trades
  transactions period per interest openint openinterest month year week quarter day weekday number row average mean sum rank score factor
  risk currency exchange notes comment adjopen adjhigh adjlow adjvolume divcash splitfactor time hour`
    .split(/\s+/)
    .filter(Boolean),
);
/** Tickers of New York that are words for something else. */
const TICKERS_LIKE_FIELDS = new Set(['LOW', 'OPEN', 'DAY', 'MID', 'VOL', 'NAV', 'TIME', 'NOTE', 'SUM']);
/**
 * What stands in front of `Price` or `Close` where the whole file is one ticker (`Unit Price`, `Prev Close`);
 * in capitals it is one (`LOW.Close`).
 */
const KINDS_OF_PRICE = new Set(
  `open opening high low last prev previous day daily bid ask mid avg average settle settlement unit market stock share fund nav index spot
  strike target fair net gross theoretical`
    .split(/\s+/)
    .filter(Boolean),
);
/** Polygon's spelling of preferred shares. */
const PREFERRED = /^[A-Z]{1,5}p[A-Z]?$/;
const LEAST_TICKERS = 4;
const PRICE_WORDS = 'adj(?:usted)?[ ._]?close|adjusted|close[ ._]?adj(?:usted)?|close|last|price';
const OTHER_WORDS =
  'adj[ ._]?(?:open|high|low|volume)|open|high|low|volume|dividends|stock[ ._]?splits|capital[ ._]?gains';

/**
 * The columns of a table in which each ticker has its own (`SPY`, `SPY_Close`, `Adj Close SPY`,
 * `SPY.Adjusted`, `('Close', 'SPY')`).
 */
export function wideColumns(
  headers: readonly string[],
  options: { readonly date: number; readonly isKnown?: ((ticker: string) => boolean) | undefined },
): WideColumns {
  const cells = headers
    .map((header, column) => ({ header, column }))
    // An unnamed column is an index that pandas wrote.
    .filter(
      ({ header, column }) =>
        column !== options.date && !/^(?:|index|unnamed0|indexlevel0)$/.test(plainHeader(header)),
    );
  const parsed = cells.map(({ header, column }) => ({ column, header, ...partsOf(header) }));
  const withFields = parsed.filter(({ field }) => field !== null);
  if (withFields.length > 0 && withFields.length < parsed.length)
    return problem(parsed.filter(({ field }) => field === null).map(({ header }) => header));
  if (withFields.length > 0) return bestFields(withFields, options.isKnown);
  const tickers = parsed.filter(({ symbol }) => isTicker(symbol, options.isKnown));
  // LOW, OPEN and DAY are tickers as well; in a table of many others, and without the fields that would stand
  // beside them.
  const mayBeFields =
    tickers.length < LEAST_TICKERS || parsed.some(({ symbol }) => /^(?:high|volume)$/i.test(symbol));
  const wrong = parsed.filter(
    (one) => !tickers.includes(one) && (mayBeFields || !TICKERS_LIKE_FIELDS.has(one.symbol)),
  );
  if (wrong.length > 0 || parsed.length === 0) return problem(wrong.map(({ header }) => header));
  return unique(
    parsed.map(({ symbol, column }) => ({ ticker: tickerOfSource(symbol) ?? '', column })),
    null,
    'unknown',
  );
}

function problem(headers: readonly string[]): WideColumns {
  const named = headers.filter((header) => header !== '').slice(0, 5);
  return {
    problem:
      'it has no price ' +
      `column${named.length > 0 ? `, and ${named.join(', ')} ${named.length === 1 ? 'is no ticker' : 'are no tickers'}` : ''}`,
  };
}

/** The ticker and the field that a header names. */
function partsOf(header: string): { readonly symbol: string; readonly field: string | null } {
  const tuple = /^\(\s*['"](.*?)['"]\s*,\s*['"](.*?)['"]\s*\)$/.exec(header);
  if (tuple) {
    const [a = '', b = ''] = tuple.slice(1);
    return isField(a)
      ? { symbol: b, field: a }
      : isField(b)
        ? { symbol: a, field: b }
        : { symbol: header, field: null };
  }
  const behind = new RegExp(`^(.+?)[ ._-]+(${PRICE_WORDS}|${OTHER_WORDS})$`, 'i').exec(header);
  if (behind) return { symbol: behind[1] ?? '', field: behind[2] ?? '' };
  const before = new RegExp(`^(${PRICE_WORDS}|${OTHER_WORDS})[ ._-]+(.+)$`, 'i').exec(header);
  if (before) return { symbol: before[2] ?? '', field: before[1] ?? '' };
  return { symbol: header, field: null };
}

function isField(text: string): boolean {
  return (
    FIELDS.has(plainHeader(text)) ||
    PRICE_NAMES.some(([name]) => name === plainHeader(text)) ||
    plainHeader(text) === 'capitalgains'
  );
}

/** In capitals, as tickers are written in tables; in small letters only where it is known. */
function isTicker(symbol: string, isKnown: ((ticker: string) => boolean) | undefined): boolean {
  const ticker = tickerOfSource(symbol);
  if (ticker === null || FIELDS.has(plainHeader(symbol)) || /^\d/.test(symbol)) return false;
  if (symbol === symbol.toUpperCase()) return symbol.length <= 12;
  return PREFERRED.test(symbol) || (isKnown?.(ticker) ?? false);
}

/** A ticker beside the name of a field; `Apple Price` is the price of no ticker. */
function isTickerOfField(symbol: string, isKnown: ((ticker: string) => boolean) | undefined): boolean {
  const ticker = tickerOfSource(symbol);
  if (ticker === null) return false;
  const isUpper = symbol === symbol.toUpperCase() || PREFERRED.test(symbol);
  const isLower = symbol === symbol.toLowerCase() && symbol.replaceAll(/[^a-z]/g, '').length <= 4;
  return isUpper || isLower || knownName(ticker) !== null || (isKnown?.(ticker) ?? false);
}

function bestFields(
  parsed: readonly {
    readonly column: number;
    readonly header: string;
    readonly symbol: string;
    readonly field: string | null;
  }[],
  isKnown: ((ticker: string) => boolean) | undefined,
): WideColumns {
  const priced = parsed.flatMap(({ column, header, symbol, field }) => {
    const rank = PRICE_NAMES.findIndex(([name]) => name === plainHeader(field ?? ''));
    return rank < 0 ? [] : [{ column, header, symbol, rank }];
  });
  const rank = Math.min(...priced.map((one) => one.rank));
  const [field, adjustment] = PRICE_NAMES[rank] ?? [];
  if (field === undefined || adjustment === undefined) return problem([]);
  const chosen = priced.filter((one) => one.rank === rank);
  const all = new Set(priced.map(({ symbol }) => symbol));
  // An adjusted price of some tickers beside a plain one of others would be compared with each other.
  if (chosen.length < all.size)
    return { problem: `only some of its tickers have a column ${field}, the others have another price` };
  const wrong = chosen.filter(({ symbol }) => !isTickerOfField(symbol, isKnown));
  const areWords = chosen.every(
    ({ symbol }) => symbol !== symbol.toUpperCase() && KINDS_OF_PRICE.has(symbol.toLowerCase()),
  );
  if (wrong.length > 0 || areWords) return problem((areWords ? chosen : wrong).map(({ header }) => header));
  const found = unique(
    chosen.map(({ column, symbol }) => ({ column, ticker: tickerOfSource(symbol) ?? '' })),
    field,
    adjustment,
  );
  if (adjustment !== 'splits_and_dividends' || 'problem' in found) return found;
  const plain = chosen.map(
    ({ symbol }) => parsed.find((one) => one.symbol === symbol && isPlainClose(one.field ?? ''))?.column,
  );
  const columns = plain.filter((column) => column !== undefined);
  return columns.length === chosen.length
    ? { ...found, further: { columns, basis: null, splitFactor: null } }
    : found;
}

function unique(
  prices: readonly PriceColumn[],
  field: string | null,
  adjustment: Asset['adjustment'],
): WideColumns {
  const seen = new Set<string>();
  for (const { ticker } of prices) {
    if (seen.has(ticker)) return { problem: `it has two columns of prices for ${ticker}` };
    seen.add(ticker);
  }
  return { prices, field, adjustment };
}
