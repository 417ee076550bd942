import { createHash, type Hash } from 'node:crypto';
import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';

/**
 * Combinations per leaf of a batch's hash. Leaves begin at the multiples of this, however the rows came: so whoever holds all rows of one can hash it, and
 * no cut into tasks, blocks or partitions shows in the result.
 */
export const LEAF_ROWS = 1_024;

/** A row as it is hashed: both days as whole numbers, then every float column, all little endian. */
const ROW_FLOATS = 1 + FLOAT_COLUMNS.length;
export const ROW_BYTES = 8 * ROW_FLOATS;

/** Rows that are put together at a time: they stay in the processor's nearest cache. */
const PIECE = 64;

/** Tells leaves of other columns, kept by an earlier version, from today's. */
export const HASH_LAYOUT = sha256().update(JSON.stringify(FLOAT_COLUMNS)).digest('hex').slice(0, 8);

/** Rows in columns; NaN and `NO_DAY` stand for null. A column that is left out is null in every row. */
export interface HashedRows {
  readonly startDay: Int32Array;
  readonly endDay: Int32Array;
  readonly floats: Readonly<Record<string, Float64Array>>;
}

const records = new Float64Array(PIECE * ROW_FLOATS);
const days = new Int32Array(records.buffer);

/** Hex SHA-256 of some rows in columns, `count` of them from row `first` on. */
export function leafHash(rows: HashedRows, first: number, count: number): string {
  const hash = sha256();
  for (let from = 0; from < count; from += PIECE) {
    const size = Math.min(PIECE, count - from);
    for (let row = 0; row < size; row += 1) {
      days[row * ROW_FLOATS * 2] = rows.startDay[first + from + row] as number;
      days[row * ROW_FLOATS * 2 + 1] = rows.endDay[first + from + row] as number;
    }
    FLOAT_COLUMNS.forEach((name, i) => {
      spread(rows.floats[name], first + from, size, i + 1);
    });
    hash.update(new Uint8Array(records.buffer, 0, size * ROW_BYTES));
  }
  return hash.digest('hex');
}

function spread(column: Float64Array | undefined, first: number, size: number, place: number): void {
  for (let row = 0, at = place; row < size; row += 1, at += ROW_FLOATS) {
    const value = column === undefined ? Number.NaN : (column[first + row] as number);
    if (Number.isNaN(value)) setNull(days, 2 * at);
    else records[at] = value;
  }
}

/** Any NaN is the same null, whatever its bits were. */
function setNull(words: Int32Array, at: number): void {
  words[at] = 0;
  words[at + 1] = 0x7ff80000;
}

/** The leaves that lie wholly in rows of ascending combinations, hashed: `[leaf, hex]`. The batch's last one may be shorter. */
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
  const hash = sha256().update(JSON.stringify([rows, LEAF_ROWS, FLOAT_COLUMNS]));
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
    const floats = new Float64Array(this.#leaf.buffer, 0, rows * ROW_FLOATS);
    const words = new Int32Array(this.#leaf.buffer);
    for (let row = 0; row < rows; row += 1)
      for (let at = row * ROW_FLOATS + 1; at < (row + 1) * ROW_FLOATS; at += 1)
        if (Number.isNaN(floats[at])) setNull(words, 2 * at);
    this.#leaves.push(sha256().update(this.#leaf.subarray(0, this.#filled)).digest('hex'));
    this.#filled = 0;
  }
}

function sha256(): Hash {
  return createHash('sha256');
}
