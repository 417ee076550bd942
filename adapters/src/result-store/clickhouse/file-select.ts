import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import type { ResultColumn } from '../result-columns.ts';
import { text } from './schema.ts';

/** Lines of a CSV file, cells quoted already where they need it: numbers and days never do. */
export function csvSelect(columns: readonly ResultColumn[], rest: string): string {
  const cells = columns.map((column) => {
    if (column.kind !== 'variable') return `ifNull(toString(${column.sql}), '')`;
    return `[${column.dictionary.sorted.map((value) => text(csvCell(value))).join()}][${column.sql} + 1]`;
  });
  // concat of a single text is that text.
  return `SELECT concat(${cells.join(", ',', ")}, '') AS line ${rest} FORMAT TSVRaw`;
}

/** The same rows as Parquet, with types. */
export function parquetSelect(columns: readonly ResultColumn[], rest: string): string {
  const selected = columns.map((column) => {
    const name = `\`${column.name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
    if (column.kind !== 'variable') return `${column.sql} AS ${name}`;
    const { sorted, isNumeric } = column.dictionary;
    const isWhole = isNumeric && sorted.every((value) => Number.isSafeInteger(value));
    const values = sorted.map((value) => (isNumeric ? String(value) : text(String(value)))).join();
    const type = isNumeric ? (isWhole ? 'Int64' : 'Float64') : 'String';
    return `CAST([${values}] AS Array(${type}))[${column.sql} + 1] AS ${name}`;
  });
  return `SELECT ${selected.join()} ${rest} FORMAT Parquet SETTINGS output_format_parquet_compression_method = 'zstd'`;
}
