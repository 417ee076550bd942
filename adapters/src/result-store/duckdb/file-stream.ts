import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { csvCell } from '../csv-cell.ts';
import type { ResultColumn } from '../result-columns.ts';

export interface StreamSource {
  readonly table: string;
  readonly columns: readonly ResultColumn[];
  /** SQL after FROM. */
  readonly rest: string;
  readonly folder: string;
}

/**
 * Lets DuckDB write the rows into a file with all its threads, then streams and removes the file: the process never holds
 * more than a piece, and a slow reader holds no transaction open.
 */
export async function* streamFile(
  source: StreamSource,
  format: 'csv' | 'parquet',
  withConnection: (work: (connection: DuckDBConnection) => Promise<void>) => Promise<void>,
): AsyncIterable<Uint8Array> {
  const file = join(source.folder, `${randomUUID()}.${format}`);
  try {
    await withConnection((connection) => writeFile(connection, source, format, file));
    if (format === 'csv') {
      yield Buffer.from(`${source.columns.map(({ name }) => csvCell(name)).join()}\n`);
    }
    for await (const piece of createReadStream(file, { highWaterMark: 1 << 18 })) yield piece as Uint8Array;
  } finally {
    await rm(file, { force: true });
  }
}

async function writeFile(
  connection: DuckDBConnection,
  { table, columns, rest }: StreamSource,
  format: 'csv' | 'parquet',
  file: string,
): Promise<void> {
  const joins: string[] = [];
  const selected: string[] = [];
  for (const [i, column] of columns.entries()) {
    const name = `"${column.name.replaceAll('"', '""')}"`;
    if (column.kind !== 'variable') {
      selected.push(`${column.sql} AS ${name}`);
      continue;
    }
    const { sorted, isNumeric } = column.dictionary;
    const isWhole = isNumeric && sorted.every((value) => Number.isSafeInteger(value));
    const type = format === 'csv' || !isNumeric ? 'VARCHAR' : isWhole ? 'BIGINT' : 'DOUBLE';
    await connection.run(`CREATE OR REPLACE TEMP TABLE values_${i} (rank_${i} INTEGER, value_${i} ${type})`);
    const appender = await connection.createAppender(`values_${i}`, null, 'temp');
    for (const [rank, value] of sorted.entries()) {
      appender.appendInteger(rank);
      if (type === 'BIGINT') appender.appendBigInt(BigInt(value));
      else if (type === 'DOUBLE') appender.appendDouble(Number(value));
      else appender.appendVarchar(format === 'csv' ? csvCell(value) : String(value));
      appender.endRow();
    }
    appender.flushSync();
    appender.closeSync();
    joins.push(` JOIN values_${i} ON rank_${i} = ${column.sql}`);
    selected.push(`value_${i} AS ${name}`);
  }
  // Cells are quoted already where they need it: numbers and days never do.
  const options =
    format === 'csv' ? "FORMAT csv, HEADER false, QUOTE '', ESCAPE ''" : 'FORMAT parquet, COMPRESSION zstd';
  const path = file.replaceAll("'", "''");
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM ${table}${joins.join('')}${rest}) TO '${path}' (${options})`,
  );
}
