import type { DuckDBResultReader } from '@duckdb/node-api';
import type { AggregateQuery } from '../aggregate-sql.ts';

type Cell = string | number | null;

/** The answer of an aggregate, column by column. */
export interface AggregateColumns {
  readonly keys: readonly string[];
  readonly rows: number;
  /** Numbers as they are, NaN for null; anything else as cells. */
  readonly columns: readonly (Float64Array | readonly Cell[])[];
}

/** Reads an answer without an object per row, and without one per number. */
export function readAggregate(
  result: DuckDBResultReader,
  { keys, decode, isNumber }: AggregateQuery,
): AggregateColumns {
  const rows = result.currentRowCount;
  const read = result.getColumns();
  const columns = keys.map((_, i) => {
    const cells = read[i] ?? [];
    if (!isNumber[i]) return cells.map((cell) => decode[i]?.(cell) ?? null);
    return Float64Array.from(cells, (cell) => (cell === null ? Number.NaN : Number(cell)));
  });
  return { keys, rows, columns };
}

/** Records as the port answers them. */
export function recordsOf({ keys, rows, columns }: AggregateColumns): Record<string, Cell>[] {
  return Array.from({ length: rows }, (_, row) => {
    const record: Record<string, Cell> = {};
    for (let i = 0; i < keys.length; i += 1) {
      const cell = columns[i]?.[row] ?? null;
      record[keys[i] as string] = typeof cell === 'number' && Number.isNaN(cell) ? null : cell;
    }
    return record;
  });
}
