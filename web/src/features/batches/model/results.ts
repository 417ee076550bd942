import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { getBatchResults } from '@quantloom/domain/contracts/http/calls';
import { ApiError, api } from '../../../lib/api.ts';
import { downloadText, toCsv } from '../../../lib/csv.ts';
import { fixed, formatCount, formatPercent, MISSING } from '../../../lib/format.ts';
import { isPercentColumn } from './columns.ts';
import { CsvError, parseCsv } from './csv-table.ts';

/** Rows of one page of the table. */
export const PAGE_ROWS = 1000;
/** Number of a row's combination: read with every page for the row's actions, never shown. */
export const COMBINATION = 'combination';

export type Cell = string | number | null;
export interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: number;
  readonly nextCursor: string | null;
  /** Where the batch still runs: how many of its rows, counted from the first combination, can be read. */
  readonly rowsSoFar?: number;
}
export interface ResultSort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}
export interface ResultsRequest {
  readonly sort: ResultSort | null;
  /** `column:op:value` each. */
  readonly filters: readonly string[];
  readonly cursor: string | null;
  /** Columns to read; empty: those that the server shows. */
  readonly columns: readonly string[];
  /** Most rows to read; default a page. */
  readonly limit?: number;
  /** While the batch runs: its rows so far. */
  readonly isPartial?: boolean;
}

/**
 * About how many rows of a running batch may be read: those before the first partition that is open, whose
 * job is named after it.
 */
export function readableRows(
  batch: Pick<BatchDetail, 'status' | 'combinations' | 'partitions' | 'job_names'>,
): number {
  if (batch.status !== 'Running') return 0;
  const open = batch.job_names.map((name) => Number(name.slice(name.lastIndexOf('-') + 1)));
  return Math.floor((batch.combinations * Math.min(batch.partitions, ...open)) / batch.partitions);
}

/** An answer that is neither rows nor CSV text nor a link. */
export class ResultsFormatError extends Error {
  constructor() {
    super('Unexpected response format from API');
    this.name = 'ResultsFormatError';
  }
}

/** Index of the column that results are sorted by first: behind both dates and the variables; 3 without variables. */
export function defaultSortIndex(variables: number): number {
  return variables > 0 ? 2 + variables : 3;
}

/** The current column toggles its direction; another one begins ascending. */
export function nextSort(sort: ResultSort | null, column: string): ResultSort {
  if (sort?.column !== column) return { column, direction: 'asc' };
  return { column, direction: sort.direction === 'asc' ? 'desc' : 'asc' };
}

const isNumber = (value: Cell): value is number => typeof value === 'number';

/** Numbers by size, everything else as text; what is missing comes last either way. */
export function compareCells(a: Cell, b: Cell, direction: ResultSort['direction']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = isNumber(a) && isNumber(b) ? a - b : String(a).localeCompare(String(b));
  return direction === 'asc' ? order : -order;
}

/** CSV text as the first page of a table, sorted here. @throws CsvError */
export function rowsOfCsv(text: string, sort: ResultSort | null): ResultRows {
  const { columns, rows } = parseCsv(text);
  const at = sort ? columns.indexOf(sort.column) : -1;
  const sorted =
    sort && at !== -1
      ? rows.toSorted((a, b) => compareCells(a[at] ?? null, b[at] ?? null, sort.direction))
      : rows;
  return { columns, rows: sorted.slice(0, PAGE_ROWS), total: rows.length, nextCursor: null };
}

/** CSV text behind a presigned address: a plain GET, without the token. */
async function fetchCsv(url: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(url, signal ? { signal } : {});
  if (!response.ok) throw new Error(`Failed to fetch CSV data: ${response.status} ${response.statusText}`);
  return await response.text();
}

/** What a results answer holds, whichever of its three forms it has. @throws ResultsFormatError, CsvError */
export async function rowsOfAnswer(
  answer: unknown,
  sort: ResultSort | null,
  signal?: AbortSignal,
): Promise<ResultRows> {
  if (typeof answer === 'string') return rowsOfCsv(answer, sort);
  const page = answer as Readonly<Record<string, unknown>> | null;
  if (typeof page?.presigned_url === 'string')
    return rowsOfCsv(await fetchCsv(page.presigned_url, signal), sort);
  if (!page || !Array.isArray(page.columns) || !Array.isArray(page.rows)) throw new ResultsFormatError();
  return {
    columns: page.columns as string[],
    rows: page.rows as Cell[][],
    total: Number(page.total),
    nextCursor: typeof page.next_cursor === 'string' ? page.next_cursor : null,
    ...(page.partial === true && { rowsSoFar: Number(page.rows_so_far) }),
  };
}

const queryOf = ({ sort, filters, isPartial }: Pick<ResultsRequest, 'sort' | 'filters' | 'isPartial'>) => ({
  ...(isPartial && { partial: true }),
  ...(sort && { sort: `${sort.column}:${sort.direction}` }),
  ...(filters.length > 0 && { filter: [...filters] }),
});

/** A page of rows, sorted and filtered by the server. */
export async function fetchRows(
  id: string,
  request: ResultsRequest,
  signal?: AbortSignal,
): Promise<ResultRows> {
  const answer: unknown = await api().call(getBatchResults, {
    params: { id },
    query: {
      format: 'json',
      limit: request.limit ?? PAGE_ROWS,
      ...queryOf(request),
      ...(request.columns.length > 0 && { columns: request.columns.join(',') }),
      ...(request.cursor && { cursor: request.cursor }),
    },
    ...(signal && { signal }),
  });
  return await rowsOfAnswer(answer, request.sort, signal);
}

/**
 * Saves all rows of a query: by a presigned link, which the browser streams to disk, as
 * `batch_backtest_{id}.csv`; where the server answers CSV text instead, the shown table is written again and
 * saved as `{id}.csv`.
 */
export async function downloadResults(
  id: string,
  format: 'csv' | 'parquet',
  query: Pick<ResultsRequest, 'sort' | 'filters' | 'isPartial'>,
  shown: Pick<ResultRows, 'columns' | 'rows'>,
): Promise<void> {
  const answer: unknown = await api().call(getBatchResults, {
    params: { id },
    query: { link: true, format, ...queryOf(query) },
  });
  if (typeof answer === 'string') {
    const visible = shown.columns
      .map((name, at) => ({ name, at }))
      .filter(({ name }) => name !== COMBINATION);
    const rows = shown.rows.map((row) => visible.map(({ at }) => row[at] ?? null));
    downloadText(`${id}.csv`, 'text/csv', toCsv([visible.map(({ name }) => name), ...rows]));
    return;
  }
  const url = (answer as { presigned_url?: unknown } | null)?.presigned_url;
  if (typeof url !== 'string') throw new ResultsFormatError();
  const link = document.createElement('a');
  link.href = url;
  link.download = `batch_backtest_${id}${query.isPartial ? '_partial' : ''}.${format}`;
  document.body.append(link);
  link.click();
  link.remove();
}

const RATIO = [
  'beta',
  'correlation',
  'information_ratio',
  'sortino',
  'sharpe_ratio',
  'calmer_ratio',
  'standard_deviation',
  'skewness',
  'kurtosis',
];

/** A cell as the table shows it: percent with two decimals, ratios with four; the percent rule wins for drawdowns. */
export function formatCell(column: string, value: Cell): string {
  if (value === null || value === '') return column.startsWith('$') ? '' : MISSING;
  if (typeof value !== 'number') return value;
  if (isPercentColumn(column)) return formatPercent(value);
  if (RATIO.some((name) => column.includes(name))) return fixed(value, 4);
  return column.startsWith('$') ? String(value) : formatCount(value);
}

/** Whether the cell is shown as a ticker chip. */
export function isTickerCell(column: string, value: Cell): value is string {
  return column.startsWith('$') && typeof value === 'string' && value !== '' && Number.isNaN(Number(value));
}

/** What the error area says. */
export function resultsErrorText(error: unknown): string {
  if (error instanceof CsvError) return 'Error parsing CSV data';
  if (error instanceof ApiError && error.code === 'results_not_ready') return error.message;
  return 'Error loading results';
}
