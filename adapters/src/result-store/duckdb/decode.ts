import type { DuckDBMaterializedResult } from '@duckdb/node-api';
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
