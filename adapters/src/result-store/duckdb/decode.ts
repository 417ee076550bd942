import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api';
import type { ResultColumn } from '../result-columns.ts';

/** A day as DuckDB writes it; the text has been checked to be one. */
export const dateLiteral = (day: string): string => `DATE '${day}'`;

/** Rows as users see them: ranks become values, days become `YYYY-MM-DD`. */
export async function decodeRows(
  result: DuckDBMaterializedResult,
  columns: readonly ResultColumn[],
): Promise<(string | number | null)[][]> {
  const rows = await result.getRows();
  return rows.map((row) =>
    row.map((value, i) => {
      const column = columns[i];
      if (value === null || column === undefined) return null;
      if (column.kind === 'variable') return column.dictionary.sorted[value as number] ?? null;
      return column.kind === 'date' ? String(value) : (value as number);
    }),
  );
}

/** Where a column goes to. */
export interface ColumnTarget {
  readonly name: string;
  readonly into: Float64Array | Float32Array | Uint16Array;
}

/**
 * Double columns behind a first one, the combination; NaN for null. A value goes to the place of its combination, counted from `first`, or
 * of its row where that is null.
 */
export async function readDoubles(
  result: DuckDBResult,
  into: readonly ColumnTarget['into'][],
  first: number | null,
): Promise<void> {
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const { rowCount } = chunk;
    const places = Reflect.get(chunk.getColumnVector(0), 'items') as Int32Array;
    for (const [i, values] of into.entries()) {
      const items = doublesOf(chunk, i + 1);
      // Rows that are being stored just now may lie outside: writing there does nothing.
      for (let row = 0; row < rowCount; row += 1)
        values[first === null ? at + row : (places[row] as number) - first] = items[row] as number;
    }
    at += rowCount;
  }
}

/** A double column of a chunk, NaN for null. May be the chunk's own memory. */
function doublesOf(chunk: DuckDBDataChunk, column: number): Float64Array {
  const vector = chunk.getColumnVector(column);
  const items = Reflect.get(vector, 'items') as Float64Array;
  const validity = Reflect.get(vector, 'validity') as { data: unknown; itemValid(row: number): boolean };
  if (validity.data === null) return items;
  const values = items.slice();
  for (let row = 0; row < chunk.rowCount; row += 1) if (!validity.itemValid(row)) values[row] = Number.NaN;
  return values;
}
