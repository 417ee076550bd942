import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import type { OpenBatch } from '../parquet/open-batches.ts';
import type { ResultColumn } from '../result-columns.ts';
import type { HeldFiles } from './held-files.ts';

export interface StreamSource {
  readonly columns: readonly ResultColumn[];
  /** Where the rows come from, piece by piece: those of the file are those of the pieces one after the other. */
  readonly pieces: readonly ((batch: OpenBatch) => PieceSql)[];
  readonly folder: string;
}

/** What stands behind FROM: a table, and what narrows and orders its rows. */
export interface PieceSql {
  readonly table: string;
  readonly rest: string;
}

type WithBatch = (work: (connection: DuckDBConnection, batch: OpenBatch) => Promise<void>) => Promise<void>;

/**
 * Lets DuckDB write the rows into files with all its threads, then streams and removes them: the process
 * never holds more than a few kilobytes, and a slow reader holds no transaction open. While one piece is read
 * the next one is written. Parquet is one piece.
 */
export async function* streamFiles(
  source: StreamSource,
  format: 'csv' | 'parquet',
  held: HeldFiles,
  withBatch: WithBatch,
): AsyncIterable<Uint8Array> {
  if (format === 'csv') yield Buffer.from(`${source.columns.map(({ name }) => csvCell(name)).join()}\n`);
  const written: string[] = [];
  const write = async (piece: StreamSource['pieces'][number]): Promise<string> => {
    const file = join(source.folder, `${randomUUID()}.${format}`);
    written.push(file);
    await withBatch((connection, batch) =>
      writeFile(connection, source.columns, piece(batch), { format, file }),
    );
    return file;
  };
  let next: Promise<string> | undefined;
  try {
    for (const [i, piece] of source.pieces.entries()) {
      const file = await (next ?? write(piece));
      const following = source.pieces[i + 1];
      next = following === undefined ? undefined : write(following);
      // Whoever awaits it gets the error; until then it must not count as unhandled.
      next?.catch(() => undefined);
      yield* held.read(file);
    }
  } finally {
    await next?.catch(() => undefined);
    await Promise.all(written.map((file) => rm(file, { force: true })));
  }
}

async function writeFile(
  connection: DuckDBConnection,
  columns: readonly ResultColumn[],
  { table, rest }: PieceSql,
  { format, file }: { readonly format: 'csv' | 'parquet'; readonly file: string },
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
  const target = file.replaceAll("'", "''");
  await connection.run(
    `COPY (SELECT ${selected.join(', ')} FROM ${table}${joins.join('')}${rest}) TO '${target}' (${options})`,
  );
}
