import type { Asset } from '@quantloom/domain/ports/market-data';
import type { FurtherColumns } from './further-columns.ts';

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
  /** Closes on another basis, where the prices are adjusted and the file has them too. */
  readonly further?: FurtherColumns;
}
