import { basename } from 'node:path';
import type { Asset } from '@quantloom/domain/ports/market-data';
import { MarketDataError } from '../files/market-data-error.ts';
import type { ColumnPlan } from './column-plan.ts';
import type { HeadRow } from './csv-head.ts';
import { looksLikeDate } from './dates.ts';
import { type FileTicker, tickerOfFile } from './file-ticker.ts';
import { furtherColumns } from './further-columns.ts';
import { isFieldName, severalHeaderRows } from './header-rows.ts';
import { PRICE_NAMES, plainHeader } from './price-names.ts';
import { tickerOfSource } from './source-ticker.ts';
import { wideColumns } from './wide-columns.ts';

/** What stands for the name of the price column where each ticker has one. */
export const EACH_TICKER = 'the column of each ticker';

export interface PlanOptions {
  /** The ticker of a file that names none. */
  readonly ticker?: string | undefined;
  readonly isKnown?: (ticker: string) => boolean;
}

const DATE_NAMES = [
  'date', 'timestamp', 'datetime', 'tradedate', 'pricedate', 'tradingday', 'windowstart', 'dtyyyymmdd', 'datum', 'fecha',
  'day', 'time', 'dt', 't', 'data',
]; // biome-ignore format: a list
const AMBIGUOUS_DATE_NAMES = new Set(['day', 'dt', 't', 'time', 'data']);
/** All that stands beside prices under one letter each (Polygon, Alpaca). */
const SHORT_NAMES = new Set([
  'o', 'h', 'l', 'c', 'v', 'vw', 'n', 't', 's', 'op', 'otc', 'date', 'timestamp', 'time', 'symbol', 'ticker', '', 'index', 'unnamed0',
]); // biome-ignore format: a list
const TICKER_NAMES = ['ticker', 'symbol', 'tickersymbol', 'code', 'asset', 'instrument', 'actsymbol', 'sym'];
const NAME_NAMES = ['name', 'company', 'companyname', 'security', 'description', 'longname'];
const EXCHANGE_NAMES = ['ex', 'exchange', 'exchangeshortname'];
/**
 * Chooses the columns of a file by its header (one row, or several as pandas writes them) and the first rows;
 * throws `import_refused` with the headers it found where something is missing.
 */
export function planColumns(
  file: string,
  head: {
    readonly headerRows: readonly HeadRow[];
    readonly sample: readonly (readonly string[])[];
    readonly columnCount: number;
  },
  options: PlanOptions = {},
): ColumnPlan {
  const { headerRows, sample } = head;
  const columnCount = Math.max(head.columnCount, ...headerRows.map(({ cells }) => cells.length));
  const refuse = (what: string, headers: readonly string[]): never => {
    throw new MarketDataError('import_refused', `${basename(file)}: ${what}. ${expectation(headers)}`);
  };
  if (headerRows.length === 0) return refuse('it has no line with the names of its columns', sample[0] ?? []);
  const several = severalHeaderRows(headerRows, sample, columnCount);
  if (several)
    return {
      ...several,
      headers: headerRows[0]?.cells ?? [],
      columnCount,
      headerLines: headerRows.at(-1)?.lines ?? 0,
      name: null,
      period: null,
    };
  const header = headerOf(headerRows, sample);
  if (header === null) return refuse('it has no date column', headerRows[0]?.cells ?? []);
  const { cells, lines, date } = header;
  const facts = {
    headers: cells,
    columnCount: Math.max(columnCount, cells.length),
    headerLines: lines,
    date,
  };
  const named = cells.filter((cell) => cell !== '').map((cell) => cell.toLowerCase());
  if (new Set(named).size < named.length) refuse('two columns have the same name', cells);
  const price = priceColumn(cells);
  if (price) return { ...facts, ...narrowPlan(file, cells, sample, price, options, refuse) };
  const wide = wideColumns(cells, { date, isKnown: options.isKnown });
  if ('problem' in wide) return refuse(wide.problem, cells);
  return {
    ...facts,
    form: 'a column for each ticker',
    shape: { kind: 'wide', prices: wide.prices },
    name: null,
    period: null,
    priceColumn: wide.field ?? EACH_TICKER,
    adjustment: wide.adjustment,
    ...(wide.further && { further: wide.further }),
  };
}

/** The first row that names a column of dates, else the last one where a column under another name holds dates. */
function headerOf(
  rows: readonly HeadRow[],
  sample: readonly (readonly string[])[],
): (HeadRow & { readonly date: number }) | null {
  for (const row of rows) {
    const date = dateColumn(row.cells, sample);
    if (date !== null) return { ...row, date };
  }
  const last = rows.at(-1);
  const date = last ? onlyColumnOfDates(last.cells, sample) : null;
  return last && date !== null ? { ...last, date } : null;
}

function narrowPlan(
  file: string,
  headers: readonly string[],
  sample: readonly (readonly string[])[],
  price: { readonly column: number; readonly adjustment: Asset['adjustment'] },
  options: PlanOptions,
  refuse: (what: string, headers: readonly string[]) => never,
): Pick<ColumnPlan, 'form' | 'shape' | 'name' | 'period' | 'priceColumn' | 'adjustment' | 'further'> {
  const ticker = findColumn(headers, TICKER_NAMES) ?? tickersUnderAnotherName(headers, sample);
  const source = sourceOf(file, headers);
  const period = findColumn(headers, ['per', 'period']);
  const further = price.adjustment === 'splits_and_dividends' ? furtherColumns(headers, source.form) : null;
  const rest = {
    ...(further && { further }),
    name:
      ticker !== null && plainHeader(headers[ticker] ?? '') === 'name'
        ? null
        : findColumn(headers, NAME_NAMES),
    period: source.form === 'Stooq' ? period : null,
    priceColumn: headers[price.column] ?? '',
    adjustment: price.adjustment === 'unknown' ? source.adjustment : price.adjustment,
  };
  if (ticker !== null) {
    if (options.ticker !== undefined)
      return refuse(`its column ${headers[ticker]} names the tickers: leave --ticker out`, headers);
    const exchange = findColumn(headers, EXCHANGE_NAMES);
    return {
      form: `${source.form}, a row for each ticker and day`,
      shape: { kind: 'long', ticker, exchange, price: price.column },
      ...rest,
    };
  }
  const given = options.ticker === undefined ? null : tickerOfSource(options.ticker);
  if (options.ticker !== undefined && given === null)
    return refuse(`${JSON.stringify(options.ticker)} is not a ticker`, headers);
  const found: FileTicker =
    given === null ? tickerOfFile(file, options.isKnown) : { ticker: given, rule: 'as told' };
  if (found.ticker === null)
    return refuse(
      `it has no ticker column, and ${found.reason}: say the ticker with --ticker, or name the file for it`,
      headers,
    );
  return {
    form: `${source.form}, one ticker`,
    shape: { kind: 'single', ticker: found.ticker, rule: found.rule, price: price.column },
    ...rest,
  };
}

/** A column of tickers that is called `Name` (Kaggle) or `variable` (what pandas and R make of a table). */
function tickersUnderAnotherName(
  headers: readonly string[],
  sample: readonly (readonly string[])[],
): number | null {
  const column = findColumn(headers, ['name', 'variable']);
  if (column === null || sample.length === 0) return null;
  const areTickers = sample
    .slice(0, 200)
    .filter((cells) => cells.length === headers.length)
    .every((cells) => {
      const text = cells[column] ?? '';
      return /^[A-Z][A-Z0-9.-]{0,7}$/.test(text) && !isFieldName(text);
    });
  return areTickers ? column : null;
}

/** Whose file it is, and what its plain closes are, by the columns that only this source writes. */
function sourceOf(
  file: string,
  headers: readonly string[],
): { readonly form: string; readonly adjustment: Asset['adjustment'] } {
  const names = headers.map(plainHeader);
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  const stem = basename(file).toLowerCase();
  if (has('close', 'tickvol') || has('close', 'spread')) return { form: 'MetaTrader', adjustment: 'unknown' };
  if (headers.some((header) => header === '<CLOSE>'))
    return { form: 'Stooq', adjustment: 'splits_and_dividends' };
  const isStooq = has('date', 'open', 'high', 'low', 'close') || has('data', 'otwarcie', 'zamkniecie');
  if (/_d(?: \(\d+\))?\.csv/.test(stem) && isStooq)
    return { form: 'Stooq', adjustment: 'splits_and_dividends' };
  if (has('windowstart', 'transactions')) return { form: 'Polygon', adjustment: 'none' };
  if (has('dividends', 'stocksplits')) return { form: 'yfinance', adjustment: 'splits_and_dividends' };
  if (has('adjclose', 'divcash', 'splitfactor')) return { form: 'Tiingo', adjustment: 'unknown' };
  if (has('dividendamount')) return { form: 'Alpha Vantage', adjustment: 'unknown' };
  if (/daily/.test(stem) && has('timestamp', 'open', 'high', 'low', 'close', 'volume'))
    return { form: 'Alpha Vantage', adjustment: 'none' };
  if (has('closelast')) return { form: 'nasdaq.com', adjustment: 'unknown' };
  if (has('date', 'price', 'open', 'vol', 'change') || has('datum', 'zuletzt', 'vol'))
    return { form: 'investing.com', adjustment: 'unknown' };
  if (has('tradecount', 'vwap')) return { form: 'Alpaca', adjustment: 'unknown' };
  if (headers.includes('Adjusted_close')) return { form: 'EODHD', adjustment: 'unknown' };
  if (headers.includes('Adj Close')) return { form: 'Yahoo Finance', adjustment: 'unknown' };
  return { form: 'prices', adjustment: 'unknown' };
}

/** The first column with one of these names (as `plainHeader` spells them), the first name first. */
function findColumn(headers: readonly string[], names: readonly string[]): number | null {
  for (const name of names) {
    const found = headers.findIndex((header) => plainHeader(header) === name);
    if (found >= 0) return found;
  }
  return null;
}

function priceColumn(headers: readonly string[]): { column: number; adjustment: Asset['adjustment'] } | null {
  for (const [name, adjustment] of PRICE_NAMES) {
    const column = findColumn(headers, [name]);
    if (column !== null) return { column, adjustment };
  }
  const [open, high, low, close] = ['o', 'h', 'l', 'c'].map((name) => findColumn(headers, [name]));
  // They are tickers as well, in a table that has others.
  const areFields = headers.every((header) => SHORT_NAMES.has(plainHeader(header)));
  return areFields && open !== null && high !== null && low !== null && close != null
    ? { column: close, adjustment: 'unknown' }
    : null;
}

function dateColumn(headers: readonly string[], sample: readonly (readonly string[])[]): number | null {
  const named = findColumn(headers, DATE_NAMES);
  if (named !== null && !AMBIGUOUS_DATE_NAMES.has(plainHeader(headers[named] ?? ''))) return named;
  // T and DT are tickers as well.
  if (named !== null && looksLikeDate(sample[0]?.[named] ?? '')) return named;
  // An index that pandas or R wrote without a name, or under one of theirs.
  const index = headers.findIndex((header) => /^(?:index|unnamed0|indexlevel0|)$/.test(plainHeader(header)));
  if (
    index >= 0 &&
    sample.length > 0 &&
    sample.slice(0, 20).every((cells) => looksLikeDate(cells[index] ?? ''))
  )
    return index;
  return null;
}

/**
 * Under a name that is not known (`日付`, `Kursdatum`): the one column that holds dates. A bare number may look
 * like one by chance.
 */
function onlyColumnOfDates(
  headers: readonly string[],
  sample: readonly (readonly string[])[],
): number | null {
  const rows = sample.slice(0, 20);
  const isDate = (text: string) => looksLikeDate(text) && !/^-?\d+(?:\.0)?$/.test(text.trim());
  // A row of totals holds none.
  const holdsDates = (column: number) =>
    rows.filter((cells) => isDate(cells[column] ?? '')).length >= rows.length * 0.9;
  const [column, ...others] = rows.length === 0 ? [] : [...headers.keys()].filter(holdsDates);
  return column === undefined || others.length > 0 ? null : column;
}

function expectation(headers: readonly string[]): string {
  const shown = headers.slice(0, 12).map((header) => header.slice(0, 40));
  const more = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : '';
  return (
    `Its columns are: ${shown.join(', ')}${more}. Expected are date, ticker and adj_close (and name, ` +
    'if you like), date and adj_close in one file per ticker, or a column of prices for each ticker'
  );
}
