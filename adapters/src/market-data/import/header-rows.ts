import type { Asset } from '@quantloom/domain/ports/market-data';
import type { ColumnPlan } from './column-plan.ts';
import type { HeadRow } from './csv-head.ts';
import { looksLikeDate } from './dates.ts';
import { isPlainClose } from './further-columns.ts';
import { isPlainNumber } from './numbers.ts';
import { PRICE_NAMES, plainHeader } from './price-names.ts';
import { tickerOfSource } from './source-ticker.ts';

const PRICE_FIELDS = new Set(PRICE_NAMES.map(([name]) => name));
const FIELD_NAMES = new Set([
  ...PRICE_FIELDS,
  'open', 'high', 'low', 'volume', 'dividends', 'stocksplits', 'capitalgains', 'repaired', 'price', 'index', 'level0',
]); // biome-ignore format: a list
const TICKER_LABELS = new Set(['ticker', 'tickers', 'symbol', 'symbols']);

/** Whether a cell of a header names a field of a bar, and no ticker. */
export function isFieldName(cell: string): boolean {
  return FIELD_NAMES.has(plainHeader(cell));
}

interface Row {
  /** What stands in front of the values: the name of the level, where pandas wrote one. */
  readonly labels: readonly string[];
  /** By column; empty cells hold what stands to their left, as spreadsheets show merged cells. */
  readonly cells: ReadonlyMap<number, string>;
}

/**
 * Two or three header rows, one of them with the fields (`Close`), one with the tickers: what pandas writes
 * for several tickers.
 */
export function severalHeaderRows(
  rows: readonly HeadRow[],
  sample: readonly (readonly string[])[],
  columnCount: number,
): Pick<ColumnPlan, 'form' | 'date' | 'shape' | 'priceColumn' | 'adjustment' | 'further'> | null {
  if (rows.length < 2) return null;
  const date = dateColumnOfSample(sample, columnCount);
  if (date === null) return null;
  const read = rows.map((row) => rowOf(row, date, columnCount));
  const fields = read.find(isFieldRow);
  const tickers = read.find((row) => row !== fields && isTickerRow(row));
  if (!fields || !tickers) return null;
  const best = new Map<string, { column: number; rank: number }>();
  const plain = new Map<string, number>();
  for (const [column, cell] of fields.cells) {
    const ticker = tickerOfSource(tickers.cells.get(column) ?? '');
    const rank = PRICE_NAMES.findIndex(([name]) => name === plainHeader(cell));
    if (ticker === null || rank < 0) continue;
    if (isPlainClose(cell) && !plain.has(ticker)) plain.set(ticker, column);
    const known = best.get(ticker);
    if (!known || rank < known.rank) best.set(ticker, { column, rank });
  }
  const ranks = new Set([...best.values()].map(({ rank }) => rank));
  const [rank] = ranks;
  // One price of all tickers: an adjusted one of some beside a plain one of others would be compared with each other.
  if (rank === undefined || ranks.size > 1) return null;
  const [field, adjustment] = PRICE_NAMES[rank] as (typeof PRICE_NAMES)[number];
  const others = [...best.keys()].map((ticker) => plain.get(ticker)).filter((column) => column !== undefined);
  const hasOthers = adjustment === 'splits_and_dividends' && others.length === best.size;
  return {
    ...(hasOthers && {
      further: { columns: others, basis: 'splits' as const, splitFactor: null },
    }),
    form: best.size === 1 ? 'yfinance, one ticker' : 'yfinance, several tickers',
    date,
    shape: { kind: 'wide', prices: [...best].map(([ticker, { column }]) => ({ ticker, column })) },
    priceColumn: fields.cells.get([...best.values()][0]?.column ?? 0) ?? field,
    // Without a column of adjusted closes yfinance has adjusted the closes themselves.
    adjustment: (field === 'close' ? 'splits_and_dividends' : adjustment) satisfies Asset['adjustment'],
  };
}

function rowOf({ cells }: HeadRow, date: number, columnCount: number): Row {
  const values = new Map<number, string>();
  let left = '';
  for (let column = date + 1; column < Math.max(columnCount, cells.length); column++) {
    left = cells[column] || left;
    if (left !== '') values.set(column, left);
  }
  return { labels: cells.slice(0, date + 1).map((cell) => cell.toLowerCase()), cells: values };
}

/** Fields throughout, a price among them: LOW and OPEN are tickers as well. */
function isFieldRow({ labels, cells }: Row): boolean {
  const values = [...cells.values()];
  return (
    !labels.some((label) => TICKER_LABELS.has(label)) &&
    values.every(isFieldName) &&
    values.some((cell) => PRICE_FIELDS.has(plainHeader(cell)))
  );
}

function isTickerRow({ labels, cells }: Row): boolean {
  const values = [...cells.values()];
  const isLabelled = labels.some((label) => TICKER_LABELS.has(label));
  return (
    values.length > 0 &&
    values.every((cell) => !isPlainNumber(cell) && tickerOfSource(cell) !== null) &&
    (isLabelled || values.every((cell) => !isFieldName(cell) || cell === cell.toUpperCase()))
  );
}

function dateColumnOfSample(sample: readonly (readonly string[])[], columnCount: number): number | null {
  const rows = sample.slice(0, 10);
  for (let column = 0; column < Math.min(columnCount, 3); column++)
    if (rows.length > 0 && looksLikeDate(rows[0]?.[column] ?? '')) return column;
  return null;
}
