import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api';
import type { Range } from '../ranges.ts';
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

/** One double column in the order of the rows; NaN for null. */
export async function readDoubles(result: DuckDBResult, count: number): Promise<Float64Array> {
  const values = new Float64Array(count).fill(Number.NaN);
  let at = 0;
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const rows = Math.min(chunk.rowCount, count - at);
    values.set(doublesOf(chunk, 0).subarray(0, rows), at);
    at += rows;
  }
  return values.subarray(0, at);
}

/** The second column, a double one, each value at the place that the first one, the combination, has in `range`; NaN for null. */
export async function readPlacedDoubles(result: DuckDBResult, { from, to }: Range): Promise<Float64Array> {
  const values = new Float64Array(to - from).fill(Number.NaN);
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    const places = Reflect.get(chunk.getColumnVector(0), 'items') as Int32Array;
    const items = doublesOf(chunk, 1);
    // Rows of a block that is being stored lie outside the range: they are left out.
    for (let row = 0; row < chunk.rowCount; row += 1)
      values[(places[row] as number) - from] = items[row] as number;
  }
  return values;
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
