import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type DuckDBConnection, type DuckDBDataChunk, DuckDBInstance } from '@duckdb/node-api';
import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import { combinationsOf } from '../dictionary.ts';
import type { BatchFolders } from '../parquet/batch-folder.ts';
import { NULL32 } from '../parquet/column-pages.ts';
import type { SegmentContent } from '../parquet/segment-bytes.ts';
import { mergeRanges, missingFrom, type Range } from '../ranges.ts';

/** Rows per segment. */
const ROWS_AT_ONCE = 65_536;

/**
 * Moves the results of a file in which earlier versions kept one table per batch, then removes it. A process
 * that dies in between goes on where it was; nothing of the file is lost until all of it is moved. Rejects
 * where the file holds another number of rows than it says.
 *
 * The file is opened with as much memory as there is: with many tables in a log that was never written back,
 * it needs a megabyte for each.
 */
export async function moveOldFile(file: string, folders: BatchFolders): Promise<void> {
  if (!existsSync(file)) return;
  const instance = await DuckDBInstance.create(file);
  try {
    const connection = await instance.connect();
    try {
      const tables = await connection.runAndReadAll(
        "SELECT 1 FROM duckdb_tables() WHERE table_name = 'batches'",
      );
      if (tables.currentRowCount > 0) {
        const batches = await connection.runAndReadAll(
          'SELECT no, batch_id, variables FROM batches ORDER BY no',
        );
        for (const [no, batchId, variables] of batches.getRows())
          await moveBatch(connection, folders, {
            no: Number(no),
            batchId: String(batchId),
            variables: JSON.parse(String(variables)) as ResultVariable[],
          });
      }
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
  for (const each of [file, `${file}.wal`, `${file}.streams`, `${file}.tmp`])
    await rm(each, { recursive: true, force: true });
}

interface OldBatch {
  readonly no: number;
  readonly batchId: string;
  readonly variables: readonly ResultVariable[];
}

async function moveBatch(
  connection: DuckDBConnection,
  folders: BatchFolders,
  batch: OldBatch,
): Promise<void> {
  const { no, batchId, variables } = batch;
  if (!folders.definition(batchId)) await folders.create({ batchId, variables });
  const blocks = await connection.runAndReadAll(`SELECT first, past FROM blocks WHERE no = ${no}`);
  const stored = mergeRanges(blocks.getRows().map(([from, to]) => ({ from: Number(from), to: Number(to) })));
  const there = (await folders.segments(batchId)).flatMap(({ header }) =>
    header.ranges.map(([from, to]) => ({ from, to })),
  );
  const moved = mergeRanges(there);
  for (const range of stored)
    for (const missing of missingFrom(moved, range))
      for (let from = missing.from; from < missing.to; from += ROWS_AT_ONCE) {
        const piece = { from, to: Math.min(missing.to, from + ROWS_AT_ONCE) };
        await folders.write(batchId, await readOldRows(connection, batch, piece));
      }
}

async function readOldRows(
  connection: DuckDBConnection,
  { no, batchId, variables }: OldBatch,
  { from, to }: Range,
): Promise<SegmentContent> {
  const where = `combination >= ${from} AND combination < ${to}`;
  const result = await connection.stream(
    `SELECT * FROM batch_rows_${no} WHERE ${where} ORDER BY combination`,
  );
  const names = result.columnNames();
  const count = to - from;
  const integer = () => new Int32Array(count);
  const integers = new Map(
    ['combination', 'start_date', 'end_date', ...variables.map((_, i) => `v${i}`)].map((name) => [
      name,
      integer(),
    ]),
  );
  const floats = new Map(FLOAT_COLUMNS.map((name) => [name, new Float64Array(count).fill(Number.NaN)]));
  let rows = 0;
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    for (const [i, name] of names.entries()) {
      const into = integers.get(name) ?? floats.get(name);
      if (into) copyColumn(chunk, i, into, rows);
    }
    rows += chunk.rowCount;
  }
  if (rows !== count)
    throw new Error(`Batch ${batchId} has ${rows} rows from ${from} to ${to} in the old result file`);
  const found = await connection.runAndReadAll(
    `SELECT combination, reason FROM failures WHERE no = ${no} AND ${where} ORDER BY combination`,
  );
  return {
    combinations: integers.get('combination') ?? integer(),
    startDay: integers.get('start_date') ?? integer(),
    endDay: integers.get('end_date') ?? integer(),
    ranks: variables.map((_, i) => integers.get(`v${i}`) ?? integer()),
    floats: Object.fromEntries(floats),
    failures: found.getRows().map(([combination, reason]) => ({
      combination: Number(combination),
      reason: String(reason),
    })),
    total: combinationsOf(variables),
  };
}

/**
 * Copies a column of a chunk, with what stands for null. The typed array behind a vector is part of its
 * runtime shape, private only to the compiler.
 */
function copyColumn(
  chunk: DuckDBDataChunk,
  column: number,
  into: Int32Array | Float64Array,
  at: number,
): void {
  const vector = chunk.getColumnVector(column);
  const items = Reflect.get(vector, 'items') as Int32Array | Float64Array;
  const validity = Reflect.get(vector, 'validity') as { data: unknown; itemValid(row: number): boolean };
  into.set(items.subarray(0, chunk.rowCount), at);
  if (validity.data === null) return;
  const nothing = into instanceof Float64Array ? Number.NaN : NULL32;
  for (let row = 0; row < chunk.rowCount; row += 1) if (!validity.itemValid(row)) into[at + row] = nothing;
}
