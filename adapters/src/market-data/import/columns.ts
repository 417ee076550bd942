import { basename } from 'node:path';
import type { Asset } from '@quantloom/domain/ports/market-data';
import { MarketDataError } from '../files/market-data-error.ts';
import type { HeadRow } from './csv-head.ts';
import { looksLikeDate } from './dates.ts';
import { type FileTicker, tickerOfFile } from './file-ticker.ts';
import { isPlainNumber } from './numbers.ts';
import { PRICE_NAMES, plainHeader } from './price-names.ts';
import { tickerOfSource } from './source-ticker.ts';
import { wideColumns } from './wide-columns.ts';

/** A column of prices of one ticker. */
export interface PriceColumn {
  readonly column: number;
  readonly ticker: string;
}

/** Where the prices of a file stand. */
export type Shape =
  /** A row for each ticker and day. */
  | {
      readonly kind: 'long';
      readonly ticker: number;
      readonly exchange: number | null;
      readonly price: number;
    }
  /** The whole file is one ticker. */
  | { readonly kind: 'single'; readonly ticker: string; readonly rule: string; readonly price: number }
  /** A column for each ticker. */
  | { readonly kind: 'wide'; readonly prices: readonly PriceColumn[] };

/** What to read from a file. Columns are numbered from 0. */
export interface ColumnPlan {
  /** What the form is called, for people. */
  readonly form: string;
  readonly headers: readonly string[];
  readonly columnCount: number;
  /** Lines before the first row. */
  readonly headerLines: number;
  readonly date: number;
  readonly shape: Shape;
  readonly name: number | null;
  /** Column that tells the period of a bar (Stooq's `<PER>`): only `D` is a day. */
  readonly period: number | null;
  /** Name of the column that the prices are taken from. */
  readonly priceColumn: string;
  readonly adjustment: Asset['adjustment'];
}

export interface PlanOptions {
  /** The ticker of a file that names none. */
  readonly ticker?: string | undefined;
  readonly isKnown?: (ticker: string) => boolean;
}

const DATE_NAMES = [
  'date', 'timestamp', 'datetime', 'day', 'time', 'tradedate', 'pricedate', 'tradingday', 'dt', 'windowstart', 't',
]; // biome-ignore format: a list
const TICKER_NAMES = ['ticker', 'symbol', 'tickersymbol', 'code', 'asset', 'instrument', 'actsymbol', 'sym'];
const NAME_NAMES = ['name', 'company', 'companyname', 'security', 'description', 'longname'];
const EXCHANGE_NAMES = ['ex', 'exchange', 'exchangeshortname'];
/**
 * Chooses the columns of a file by its header (one row, or several as pandas writes them) and the first rows; throws `import_refused` with
 * the headers it found where something is missing.
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
  for (const { cells, lines } of headerRows) {
    const date = dateColumn(cells, sample);
    if (date === null) continue;
    const facts = {
      headers: cells,
      columnCount: Math.max(columnCount, cells.length),
      headerLines: lines,
      date,
    };
    const named = cells.filter((cell) => cell !== '').map((cell) => cell.toLowerCase());
    if (new Set(named).size < named.length) refuse('two columns have the same name', cells);
    const price = priceColumn(cells);
    if (price) return { ...facts, ...narrowPlan(file, cells, price, options, refuse) };
    const wide = wideColumns(cells, { date, isKnown: options.isKnown });
    if ('problem' in wide) refuse(wide.problem, cells);
    else
      return {
        ...facts,
        form: 'a column for each ticker',
        shape: { kind: 'wide', prices: wide.prices },
        name: null,
        period: null,
        priceColumn: wide.field ?? 'the column of each ticker',
        adjustment: wide.adjustment,
      };
  }
  return refuse('it has no date column', headerRows[0]?.cells ?? []);
}

function narrowPlan(
  file: string,
  headers: readonly string[],
  price: { readonly column: number; readonly adjustment: Asset['adjustment'] },
  options: PlanOptions,
  refuse: (what: string, headers: readonly string[]) => never,
): Pick<ColumnPlan, 'form' | 'shape' | 'name' | 'period' | 'priceColumn' | 'adjustment'> {
  const ticker = findColumn(headers, TICKER_NAMES);
  const source = sourceOf(file, headers);
  const period = findColumn(headers, ['per', 'period']);
  const rest = {
    name: findColumn(headers, NAME_NAMES),
    period: source.form === 'Stooq' ? period : null,
    priceColumn: headers[price.column] ?? '',
    adjustment: price.adjustment === 'unknown' ? source.adjustment : price.adjustment,
  };
  if (ticker !== null) {
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

/** Whose file it is, and what its plain closes are, by the columns that only this source writes. */
function sourceOf(
  file: string,
  headers: readonly string[],
): { readonly form: string; readonly adjustment: Asset['adjustment'] } {
  const names = headers.map(plainHeader);
  const has = (...wanted: string[]) => wanted.every((name) => names.includes(name));
  const stem = basename(file).toLowerCase();
  if (headers.some((header) => header === '<CLOSE>'))
    return { form: 'Stooq', adjustment: 'splits_and_dividends' };
  if (/_d\.csv/.test(stem) && has('date', 'open', 'high', 'low', 'close'))
    return { form: 'Stooq', adjustment: 'splits_and_dividends' };
  if (has('windowstart', 'transactions')) return { form: 'Polygon', adjustment: 'none' };
  if (has('dividends', 'stocksplits')) return { form: 'yfinance', adjustment: 'splits_and_dividends' };
  if (has('adjclose', 'divcash', 'splitfactor')) return { form: 'Tiingo', adjustment: 'unknown' };
  if (has('dividendamount')) return { form: 'Alpha Vantage', adjustment: 'unknown' };
  if (/daily/.test(stem) && has('timestamp', 'open', 'high', 'low', 'close', 'volume'))
    return { form: 'Alpha Vantage', adjustment: 'none' };
  if (has('closelast')) return { form: 'nasdaq.com', adjustment: 'unknown' };
  if (has('date', 'price', 'open', 'vol', 'change')) return { form: 'investing.com', adjustment: 'unknown' };
  if (has('tradecount', 'vwap')) return { form: 'Alpaca', adjustment: 'unknown' };
  if (headers.includes('Adjusted_close')) return { form: 'EODHD', adjustment: 'unknown' };
  if (headers.includes('Adj Close')) return { form: 'Yahoo Finance', adjustment: 'unknown' };
  return { form: 'prices', adjustment: 'unknown' };
}

/** Two or three header rows, one of them with the fields (`Close`), one with the tickers: what pandas writes for several tickers. */
function severalHeaderRows(
  rows: readonly HeadRow[],
  sample: readonly (readonly string[])[],
  columnCount: number,
): Pick<ColumnPlan, 'form' | 'date' | 'shape' | 'priceColumn' | 'adjustment'> | null {
  if (rows.length < 2) return null;
  const date = dateColumnOfSample(sample, columnCount);
  if (date === null) return null;
  const cellsOf = (row: HeadRow | undefined) =>
    (row?.cells ?? [])
      .map((cell, column) => ({ cell, column }))
      .filter(({ cell, column }) => cell !== '' && column !== date);
  const isFieldRow = (row: HeadRow) => {
    const cells = cellsOf(row).slice(date === 0 ? 0 : 1);
    return cells.length > 0 && cells.every(({ cell }) => FIELD_NAMES.has(plainHeader(cell)));
  };
  const fields = rows.find(isFieldRow);
  const tickers = rows.find((row) => row !== fields && isTickerRow(cellsOf(row).map(({ cell }) => cell)));
  if (!fields || !tickers) return null;
  const best = new Map<string, { column: number; rank: number }>();
  for (const { cell, column } of cellsOf(fields)) {
    const ticker = tickerOfSource(tickers.cells[column] ?? '');
    const rank = PRICE_NAMES.findIndex(([name]) => name === plainHeader(cell));
    if (ticker === null || rank < 0) continue;
    const known = best.get(ticker);
    if (!known || rank < known.rank) best.set(ticker, { column, rank });
  }
  const ranks = new Set([...best.values()].map(({ rank }) => rank));
  const [rank] = ranks;
  // One price of all tickers: an adjusted one of some beside a plain one of others would be compared with each other.
  if (rank === undefined || ranks.size > 1) return null;
  const [field, adjustment] = PRICE_NAMES[rank] as (typeof PRICE_NAMES)[number];
  return {
    form: best.size === 1 ? 'yfinance, one ticker' : 'yfinance, several tickers',
    date,
    shape: { kind: 'wide', prices: [...best].map(([ticker, { column }]) => ({ ticker, column })) },
    priceColumn: fields.cells[[...best.values()][0]?.column ?? 0] ?? field,
    // Without a column of adjusted closes yfinance has adjusted the closes themselves.
    adjustment: field === 'close' ? 'splits_and_dividends' : adjustment,
  };
}

const FIELD_NAMES = new Set([
  ...PRICE_NAMES.map(([name]) => name),
  'open', 'high', 'low', 'volume', 'dividends', 'stocksplits', 'capitalgains', 'repaired', 'price', 'index', 'level0',
]); // biome-ignore format: a list

function isTickerRow(cells: readonly string[]): boolean {
  const tickers = cells.filter(
    (cell) => !['ticker', 'tickers', 'symbol', 'symbols'].includes(cell.toLowerCase()),
  );
  return (
    tickers.length > 0 &&
    tickers.every(
      (cell) => !isPlainNumber(cell) && !FIELD_NAMES.has(plainHeader(cell)) && tickerOfSource(cell) !== null,
    )
  );
}

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
  return open !== null && high !== null && low !== null && close != null
    ? { column: close, adjustment: 'unknown' }
    : null;
}

function dateColumn(headers: readonly string[], sample: readonly (readonly string[])[]): number | null {
  const named = findColumn(headers, DATE_NAMES);
  if (named !== null) return named;
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

function dateColumnOfSample(sample: readonly (readonly string[])[], columnCount: number): number | null {
  const rows = sample.slice(0, 10);
  for (let column = 0; column < Math.min(columnCount, 3); column++)
    if (rows.length > 0 && looksLikeDate(rows[0]?.[column] ?? '')) return column;
  return null;
}

function expectation(headers: readonly string[]): string {
  const shown = headers.slice(0, 12).map((header) => header.slice(0, 40));
  const more = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : '';
  return `Its columns are: ${shown.join(', ')}${more}. Expected are date, ticker and adj_close (and name, if you like), date and adj_close in one file per ticker, or a column of prices for each ticker`;
}
