import type { ResultBlock } from '../contracts/result-block.ts';

export interface ResultVariable {
  /** With its `$`. */
  readonly name: string;
  /** Distinct values in the user's order; blocks refer to them by index. */
  readonly values: readonly (string | number)[];
}

export interface ResultFilter {
  /** A visible column: `start_date`, `end_date`, `$VAR`, a metric, or `combination`. */
  readonly column: string;
  /** `outside`: below the first of two values, or not below the second. */
  readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'outside' | 'isNull' | 'isNotNull';
  readonly value?: string | number | readonly (string | number)[];
}

export interface ResultQuery {
  /** Ties are broken by combination number, nulls always last. */
  readonly sort?: { readonly column: string; readonly direction: 'asc' | 'desc' };
  readonly filters?: readonly ResultFilter[];
  readonly limit?: number;
  readonly offset?: number;
  /** Columns to read; default the visible ones. */
  readonly columns?: readonly string[];
}

export interface ResultPage {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Rows that match the filters. */
  readonly total: number;
}

/** Room for a column. */
export type SharedColumn =
  | Float64Array<SharedArrayBuffer>
  | Float32Array<SharedArrayBuffer>
  | Uint16Array<SharedArrayBuffer>;

export interface ColumnReading {
  /** Of a float column. */
  readonly name: string;
  readonly into: SharedColumn;
}

/** There is no room for a batch: it was never made, or deleted, or lost with its disk. */
export class ResultsMissingError extends Error {
  readonly code = 'results_missing';
  readonly batchId: string;
  constructor(batchId: string) {
    super(`There are no results of batch ${batchId}`);
    this.name = 'ResultsMissingError';
    this.batchId = batchId;
  }
}

/**
 * Rows of batches, appended idempotently, read in pages, aggregated and streamed. Whatever is asked of a
 * batch that is not there rejects with `ResultsMissingError`, but its deletion.
 */
export interface ResultStore {
  /** Makes room for a batch; repeating it changes nothing. */
  createBatch(batchId: string, variables: readonly ResultVariable[]): Promise<void>;
  /** Durable when it resolves. A block whose (batch, from) is already there is a no-op. */
  append(block: ResultBlock): Promise<void>;
  /** Ranges of combinations that are stored, merged and ascending: what a repeated partition may skip. */
  storedRanges(batchId: string): Promise<readonly { readonly from: number; readonly to: number }[]>;
  countRows(batchId: string): Promise<number>;
  query(batchId: string, query: ResultQuery): Promise<ResultPage>;
  /** Combinations of the rows that meet all filters, ascending: one number for each of them, however many there are. */
  matching(batchId: string, filters: readonly ResultFilter[]): Promise<Int32Array>;
  /** Rows as CSV (header first, quoted as `batches.md` section 5 says) or Parquet, never held in memory whole. */
  stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array>;
  /** A grouped or plain aggregate for the analysis page; see `analysis-query.ts`. */
  aggregate(
    batchId: string,
    request: AggregateRequest,
  ): Promise<readonly Readonly<Record<string, string | number | null>>[]>;
  failures(
    batchId: string,
    options?: { limit?: number; offset?: number },
  ): Promise<readonly { combination: number; reason: string }[]>;
  /**
   * Copies rows of other batches into this one where the bound strategy is the same: `map[i]` is the
   * combination of `fromBatch` that combination `targets[i]` equals.
   */
  copyRows(batchId: string, fromBatch: string, targets: Int32Array, map: Int32Array): Promise<void>;
  /** Whole float columns in combination order, for statistics over all rows. */
  column(batchId: string, name: string): Promise<Float64Array>;
  /**
   * The same into memory that threads share, several columns in one reading, so that large ones leave no
   * garbage: one number per stored row, converted to the array's type (in whole numbers NaN becomes 0).
   * Rejects where an array has another length.
   */
  readColumns(batchId: string, columns: readonly ColumnReading[]): Promise<void>;
  /** Median of each float column over the rows that have it; null where none has. */
  medians(batchId: string, columns: readonly string[]): Promise<Readonly<Record<string, number | null>>>;
  /**
   * Hex SHA-256 of the rows in combination order: days and every float column, bit by bit, the same in every
   * store and however the rows came. Rejects where rows are missing in between.
   */
  hashRows(batchId: string): Promise<string>;
  deleteBatch(batchId: string): Promise<void>;
  /** Resolves where results can be read just now; rejects with the reason else. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface AggregateRequest {
  /** Group by these columns (variables, usually), or by equal-width bins of a metric. */
  readonly groupBy?: readonly (
    | string
    | { readonly column: string; readonly bins: number; readonly min: number; readonly max: number }
  )[];
  readonly measures: readonly {
    readonly as: string;
    readonly fn: 'count' | 'min' | 'max' | 'avg' | 'median' | 'stddev' | 'sum' | 'argmax';
    readonly column?: string;
  }[];
  readonly filters?: readonly ResultFilter[];
  readonly limit?: number;
}
