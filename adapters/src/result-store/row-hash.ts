import { createHash, type Hash } from 'node:crypto';
import { COMMON_COLUMNS, FLOAT_COLUMNS, OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';

/**
 * Combinations per leaf of a batch's hash. Leaves begin at the multiples of this, however the rows came: so
 * whoever holds all rows of one can hash it, and no cut into tasks, blocks or partitions shows in the result.
 */
export const LEAF_ROWS = 1_024;

/** A row as it is streamed to be hashed: both days as whole numbers, then every float column, all little endian. */
const ROW_FLOATS = 1 + FLOAT_COLUMNS.length;
export const ROW_BYTES = 8 * ROW_FLOATS;

/**
 * Tells leaves of other columns, kept by an earlier version, from today's. Columns that only some batches
 * have are none of it: leaves of others are as they were.
 */
export const HASH_LAYOUT = sha256().update(JSON.stringify(COMMON_COLUMNS)).digest('hex').slice(0, 8);

/** Rows in columns; NaN and `NO_DAY` stand for null. A column that is left out is null in every row. */
export interface HashedRows {
  readonly startDay: Int32Array;
  readonly endDay: Int32Array;
  readonly floats: Readonly<Record<string, Float64Array>>;
}

/**
 * Hex SHA-256 of some rows in columns, `count` of them from row `first` on: which columns have values at all
 * (a byte each), both days, and the columns that have, each NaN as the same bits. Columns that only some
 * batches have follow, each behind its name, where there are values in them. What lies in memory as it is
 * hashed is not copied.
 */
export function leafHash(rows: HashedRows, first: number, count: number): string {
  const valuesOf = (name: string): Float64Array | null => {
    const column = rows.floats[name]?.subarray(first, first + count);
    const nulls = column === undefined ? count : nullsIn(column);
    if (column === undefined || nulls === count) return null;
    return nulls === 0 ? column : withEqualNulls(column);
  };
  const columns = COMMON_COLUMNS.map(valuesOf);
  const hash = sha256().update(Uint8Array.from(columns, (column) => (column === null ? 0 : 1)));
  for (const days of [rows.startDay, rows.endDay]) hash.update(bytesOf(days.subarray(first, first + count)));
  for (const column of columns) if (column !== null) hash.update(bytesOf(column));
  for (const name of OTHER_FILL_COLUMNS) {
    const column = valuesOf(name);
    if (column !== null) hash.update(name).update(bytesOf(column));
  }
  return hash.digest('hex');
}

function nullsIn(column: Float64Array): number {
  let nulls = 0;
  for (let row = 0; row < column.length; row += 1) if (Number.isNaN(column[row])) nulls += 1;
  return nulls;
}

/** A copy in which any NaN is the same null, whatever its bits were. */
function withEqualNulls(column: Float64Array): Float64Array {
  const copy = column.slice();
  const words = new Int32Array(copy.buffer);
  for (let row = 0; row < copy.length; row += 1)
    if (Number.isNaN(copy[row])) {
      words[2 * row] = 0;
      words[2 * row + 1] = 0x7ff80000;
    }
  return copy;
}

const bytesOf = (values: ArrayBufferView) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/**
 * The leaves that lie wholly in rows of ascending combinations, hashed: `[leaf, hex]`. The batch's last one
 * may be shorter.
 */
export function leavesOf(combinations: Int32Array, rows: HashedRows, total: number): [number, string][] {
  const leaves: [number, string][] = [];
  for (let row = 0; row < combinations.length; ) {
    const combination = combinations[row] as number;
    const count = Math.min(LEAF_ROWS, total - combination);
    // Ascending and apart: where the last one is in its place, all of them are.
    const isWhole =
      count > 0 && combination % LEAF_ROWS === 0 && combinations[row + count - 1] === combination + count - 1;
    if (isWhole) leaves.push([combination / LEAF_ROWS, leafHash(rows, row, count)]);
    row += isWhole ? count : 1;
  }
  return leaves;
}

/** Hex SHA-256 of all rows of a batch from its leaves, in their order. */
export function hashOfLeaves(rows: number, leaves: readonly string[]): string {
  const hash = sha256().update(JSON.stringify([rows, LEAF_ROWS, COMMON_COLUMNS]));
  for (const leaf of leaves) hash.update(leaf);
  return hash.digest('hex');
}

/** Hashes rows that come one after the other in blocks of whole leaves, the last one apart. */
export class RowBlockHash {
  readonly #leaves: string[] = [];
  #rows = 0;

  update(block: HashedRows): void {
    const count = block.startDay.length;
    if (this.#rows % LEAF_ROWS !== 0) throw new Error('Only the last block may end within a leaf');
    for (let row = 0; row < count; row += LEAF_ROWS)
      this.#leaves.push(leafHash(block, row, Math.min(LEAF_ROWS, count - row)));
    this.#rows += count;
  }

  digest(): string {
    return hashOfLeaves(this.#rows, this.#leaves);
  }
}

/** Hashes rows that come one after the other as bytes (`ROW_BYTES` each), in pieces of any size. */
export class RowStreamHash {
  readonly #leaf = new Uint8Array(LEAF_ROWS * ROW_BYTES);
  /** The leaf at hand in columns, in the same memory for each: a million rows are a thousand leaves. */
  readonly #columns = {
    startDay: new Int32Array(LEAF_ROWS),
    endDay: new Int32Array(LEAF_ROWS),
    floats: Object.fromEntries(FLOAT_COLUMNS.map((name) => [name, new Float64Array(LEAF_ROWS)])),
  };
  readonly #leaves: string[] = [];
  #filled = 0;
  #bytes = 0;

  update(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      const size = Math.min(piece.length - at, this.#leaf.length - this.#filled);
      this.#leaf.set(piece.subarray(at, at + size), this.#filled);
      this.#filled += size;
      at += size;
      if (this.#filled === this.#leaf.length) this.#close();
    }
    this.#bytes += piece.length;
  }

  /** Throws where the bytes are not whole rows. */
  digest(): { readonly rows: number; readonly hash: string } {
    if (this.#bytes % ROW_BYTES !== 0) throw new Error('The rows to be hashed ended in the middle of one');
    if (this.#filled > 0) this.#close();
    const rows = this.#bytes / ROW_BYTES;
    return { rows, hash: hashOfLeaves(rows, this.#leaves) };
  }

  #close(): void {
    const rows = this.#filled / ROW_BYTES;
    const floats = new Float64Array(this.#leaf.buffer);
    const days = new Int32Array(this.#leaf.buffer);
    const { startDay, endDay } = this.#columns;
    for (let row = 0, at = 0; row < rows; row += 1, at += 2 * ROW_FLOATS) {
      startDay[row] = days[at] as number;
      endDay[row] = days[at + 1] as number;
    }
    for (const [i, name] of FLOAT_COLUMNS.entries()) {
      const column = this.#columns.floats[name] as Float64Array;
      for (let row = 0, at = i + 1; row < rows; row += 1, at += ROW_FLOATS)
        column[row] = floats[at] as number;
    }
    this.#leaves.push(leafHash(this.#columns, 0, rows));
    this.#filled = 0;
  }
}

function sha256(): Hash {
  return createHash('sha256');
}
