import { getBatchResults } from '@quantloom/domain/contracts/http/results';
import { ApiError, api } from '../../../lib/api.ts';
import { fixed, formatCount, formatPercent, MISSING } from '../../../lib/format.ts';

/** Rows of one page of the table. */
export const PAGE_ROWS = 1000;

export type Cell = string | number | null;
export interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total: number;
  readonly nextCursor: string | null;
}
export interface ResultSort {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

/** An answer that is neither rows nor a link. */
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
export function nextSort(sort: ResultSort, column: string): ResultSort {
  if (sort.column !== column) return { column, direction: 'asc' };
  return { column, direction: sort.direction === 'asc' ? 'desc' : 'asc' };
}

/** A page of rows, sorted and filtered by the server. `combination` comes along for row actions. */
export async function fetchRows(
  id: string,
  query: { sort: ResultSort | null; filters: readonly string[]; cursor: string | null },
  signal: AbortSignal,
): Promise<ResultRows> {
  const answer: unknown = await api().call(getBatchResults, {
    params: { id },
    query: {
      format: 'json',
      limit: PAGE_ROWS,
      ...(query.sort && { sort: `${query.sort.column}:${query.sort.direction}` }),
      ...(query.filters.length > 0 && { filter: [...query.filters] }),
      ...(query.cursor && { cursor: query.cursor }),
    },
    signal,
  });
  const page = answer as { columns?: unknown; rows?: unknown; total?: unknown; next_cursor?: unknown } | null;
  if (!page || !Array.isArray(page.columns) || !Array.isArray(page.rows)) throw new ResultsFormatError();
  return {
    columns: page.columns as string[],
    rows: page.rows as Cell[][],
    total: Number(page.total),
    nextCursor: typeof page.next_cursor === 'string' ? page.next_cursor : null,
  };
}

/** Saves all rows (or those of a query) by a presigned link, so that the browser streams them to disk. */
export async function downloadResults(
  id: string,
  format: 'csv' | 'parquet',
  query: { sort: ResultSort | null; filters: readonly string[] } | null,
): Promise<void> {
  const answer: unknown = await api().call(getBatchResults, {
    params: { id },
    query: {
      link: true,
      format,
      ...(query?.sort && { sort: `${query.sort.column}:${query.sort.direction}` }),
      ...(query && query.filters.length > 0 && { filter: [...query.filters] }),
    },
  });
  const url = (answer as { presigned_url?: unknown } | null)?.presigned_url;
  if (typeof url !== 'string') throw new ResultsFormatError();
  const link = document.createElement('a');
  link.href = url;
  link.download = `batch_backtest_${id}.${format}`;
  link.click();
}

const PERCENT = [
  'cumulative_return',
  'annualized_return',
  'max_drawdown',
  'trailing_1_month',
  'trailing_3_month',
];
const RATIO = ['sharpe_ratio', 'calmer_ratio', 'standard_deviation'];

/** A cell as the table shows it: percent with two decimals, ratios with four; the percent rule wins for drawdowns. */
export function formatCell(column: string, value: Cell): string {
  if (value === null || value === '') return column.startsWith('$') ? '' : MISSING;
  if (typeof value !== 'number') return value;
  if (PERCENT.some((name) => column.includes(name))) return formatPercent(value);
  if (RATIO.some((name) => column.includes(name))) return fixed(value, 4);
  return column.startsWith('$') ? String(value) : formatCount(value);
}

/** Whether the cell is shown as a ticker chip. */
export function isTickerCell(column: string, value: Cell): value is string {
  return column.startsWith('$') && typeof value === 'string' && value !== '' && Number.isNaN(Number(value));
}

/** What the error area says. */
export function resultsErrorText(error: unknown): string {
  if (error instanceof ResultsFormatError) return 'Error parsing CSV data';
  if (error instanceof ApiError && error.code === 'results_not_ready') return error.message;
  return 'Error loading results';
}
