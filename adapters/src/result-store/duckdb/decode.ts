import type { DuckDBDoubleVector, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api';
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

/** One double column as it is; NaN for null. */
export async function readDoubles(result: DuckDBResult, count: number): Promise<Float64Array> {
  const values = new Float64Array(count).fill(Number.NaN);
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const rows = Math.min(chunk.rowCount, count - at);
    const vector = chunk.getColumnVector(0) as DuckDBDoubleVector;
    const items = Reflect.get(vector, 'items') as Float64Array;
    values.set(items.subarray(0, rows), at);
    const validity = Reflect.get(vector, 'validity') as { data: unknown; itemValid(row: number): boolean };
    if (validity.data !== null) {
      for (let row = 0; row < rows; row++) if (!validity.itemValid(row)) values[at + row] = Number.NaN;
    }
    at += rows;
  }
  return values.subarray(0, at);
}
