import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import { PRICE_NAMES, plainHeader } from './price-names.ts';

/** Closes that a file has beside the adjusted ones. */
export interface FurtherColumns {
  /** Their column, or that of each ticker, in the order of its prices. */
  readonly columns: readonly number[];
  /** What they are adjusted for; null: nothing but their own moves tells. */
  readonly basis: FurtherBasis | null;
  /** Column of the factor by which a share was split on a day; null: there is none. */
  readonly splitFactor: number | null;
}

/** Names of columns of closes that may stand beside adjusted ones. */
const CLOSE_NAMES = new Set(
  PRICE_NAMES.filter(([name, adjustment]) => adjustment === 'unknown' && name !== 'value').map(
    ([name]) => name,
  ),
);
/** Tiingo; Alpha Vantage; Quandl's WIKI and what was made of it. */
const SPLIT_NAMES = new Set(['splitfactor', 'splitcoefficient', 'splitratio']);
/** Sources whose closes are adjusted for splits, and those whose are for nothing. */
const ADJUSTED_FOR_SPLITS = new Set(['Yahoo Finance', 'yfinance']);
const RAW = new Set(['EODHD', 'Tiingo', 'Alpha Vantage']);

/** Whether a header or field names closes that may stand beside adjusted ones. */
export function isPlainClose(name: string): boolean {
  return CLOSE_NAMES.has(plainHeader(name));
}

/** The plain closes of a file with a row for each day, where its prices are adjusted ones; null: it has no others. */
export function furtherColumns(headers: readonly string[], form: string): FurtherColumns | null {
  const names = headers.map(plainHeader);
  const column = names.findIndex((name) => CLOSE_NAMES.has(name));
  if (column < 0) return null;
  const splits = names.findIndex((name) => SPLIT_NAMES.has(name));
  if (splits >= 0) return { columns: [column], basis: 'none', splitFactor: splits };
  // Sharadar's closes are adjusted for splits where the ones that were paid stand beside them.
  const isAdjusted = ADJUSTED_FOR_SPLITS.has(form) || names.includes('closeunadj');
  return {
    columns: [column],
    basis: isAdjusted ? 'splits' : RAW.has(form) ? 'none' : null,
    splitFactor: null,
  };
}
