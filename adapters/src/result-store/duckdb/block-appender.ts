import {
  DATE,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBDateVector,
  type DuckDBDoubleVector,
  type DuckDBIntegerVector,
  INTEGER,
} from '@duckdb/node-api';
import { NO_DAY } from '@quantloom/domain/contracts/result-block';
import type { BlockRows } from '../block-rows.ts';
import type { Dictionary } from '../dictionary.ts';
import type { Range } from '../ranges.ts';
import type { ResultColumns } from '../result-columns.ts';

/** DuckDB's vector size: the most rows a chunk can hold. */
const CHUNK = 2048;
/** Chunks written before queries get their turn on this thread: some ten milliseconds, since flushing holds it as well. */
const CHUNKS_PER_TURN = 4;

/** Appends rows within the connection's transaction, column by column without a value becoming an object. */
export async function appendRows(
  connection: DuckDBConnection,
  batch: { readonly table: string; readonly columns: ResultColumns; readonly floats: readonly string[] },
  rows: BlockRows,
): Promise<void> {
  const { dictionaries } = batch.columns;
  const { floats } = batch;
  const types = [INTEGER, DATE, DATE, ...dictionaries.map(() => INTEGER), ...floats.map(() => DOUBLE)];
  const appender = await connection.createAppender(batch.table);
  // One for all: each holds most of a megabyte that the garbage collector does not see, and the appender copies what it is given.
  const chunk = DuckDBDataChunk.create(types);
  try {
    for (let from = 0; from < rows.count; from += CHUNK) {
      const to = Math.min(rows.count, from + CHUNK);
      chunk.reset();
      chunk.rowCount = to - from;
      fillChunk(chunk, rows, { from, to, dictionaries, floats });
      appender.appendDataChunk(chunk);
      if ((from / CHUNK + 1) % CHUNKS_PER_TURN !== 0) continue;
      appender.flushSync();
      await new Promise(setImmediate);
    }
    appender.flushSync();
  } finally {
    appender.closeSync();
  }
}

interface ChunkContent extends Range {
  readonly dictionaries: readonly Dictionary[];
  readonly floats: readonly string[];
}

function fillChunk(
  chunk: DuckDBDataChunk,
  rows: BlockRows,
  { from, to, dictionaries, floats }: ChunkContent,
): void {
  const count = to - from;
  let column = 0;
  const combination = chunk.getColumnVector(column++) as DuckDBIntegerVector;
  itemsOf<Int32Array>(combination).set(rows.combinations.subarray(from, to));
  combination.flush();
  for (const days of [rows.startDay, rows.endDay]) {
    const vector = chunk.getColumnVector(column++) as DuckDBDateVector;
    const part = days.subarray(from, to);
    itemsOf<Int32Array>(vector).set(part);
    setNulls(vector, count, (i) => part[i] === NO_DAY);
    vector.flush();
  }
  for (const [i, dictionary] of dictionaries.entries()) {
    const vector = chunk.getColumnVector(column++) as DuckDBIntegerVector;
    const items = itemsOf<Int32Array>(vector);
    const part = (rows.variables[i] as Int32Array).subarray(from, to);
    if (dictionary.isIdentity) items.set(part);
    else for (let row = 0; row < count; row++) items[row] = dictionary.ranks[part[row] as number] as number;
    vector.flush();
  }
  for (const name of floats) {
    const vector = chunk.getColumnVector(column++) as DuckDBDoubleVector;
    const part = rows.floats[name]?.subarray(from, to) ?? new Float64Array(count).fill(Number.NaN);
    itemsOf<Float64Array>(vector).set(part);
    setNulls(vector, count, (i) => Number.isNaN(part[i]));
    vector.flush();
  }
}

/** The typed array behind a vector: part of its runtime shape, private only to the compiler. */
function itemsOf<Items>(vector: object): Items {
  return Reflect.get(vector, 'items') as Items;
}

/**
 * Marks rows as null. `setItemValid` costs a BigInt operation per row, which is dear where a whole column is null, so after the
 * first null the bits are cleared in the buffer it made.
 */
function setNulls(vector: object, count: number, isNull: (row: number) => boolean): void {
  let bits: Uint8Array | undefined;
  const validity = Reflect.get(vector, 'validity') as { setItemValid(row: number, valid: boolean): void };
  for (let row = 0; row < count; row++) {
    if (!isNull(row)) continue;
    if (bits) {
      bits[row >> 3] = (bits[row >> 3] as number) & ~(1 << (row & 7));
      continue;
    }
    validity.setItemValid(row, false);
    const words: unknown = Reflect.get(validity, 'data');
    if (words instanceof BigUint64Array)
      bits = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  }
}
