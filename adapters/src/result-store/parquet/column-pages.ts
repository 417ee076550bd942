import { ThriftWriter } from './thrift.ts';

/**
 * Parquet's numbers for what is used here. Source:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
 */
export const INT32 = 1;
export const DOUBLE = 5;
export const PLAIN = 0;
export const RLE = 3;
const RLE_DICTIONARY = 8;
const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;

export interface Column {
  readonly name: string;
  readonly values: Int32Array | Float64Array;
  /** Whether the column may hold nulls: NaN, or `null32` in whole numbers. */
  readonly isOptional: boolean;
  readonly isDate?: boolean;
}

/** A column as it lies in a file. Offsets count from the beginning of the column. */
export interface ColumnPages {
  readonly column: Column;
  readonly pieces: readonly Uint8Array[];
  readonly size: number;
  readonly nulls: number;
  /** Bytes of the least and the greatest value; absent where all are null. */
  readonly range: { readonly min: Uint8Array; readonly max: Uint8Array } | null;
  readonly encodings: readonly number[];
  /** Where the page of data begins: behind the dictionary, if there is one. */
  readonly dataPage: number;
  /** How to read it again without Parquet. */
  readonly layout: Layout;
}

/**
 * Where the numbers are: `bits` is the offset of one bit per row (1 where there is a value, the lowest bit
 * first), or null where every row has one; `at` is the offset of the values. A constant column has its value
 * once; one without values has none.
 */
export interface Layout {
  readonly bits: number | null;
  readonly at: number;
  readonly count: number;
  readonly isConstant: boolean;
}

/** What stands for null in whole numbers. */
export const NULL32 = -2147483648;

/**
 * A column as one data page, uncompressed and plain, so that its values are bytes of memory: nothing is done
 * per value but looking whether it is null. A column of one value becomes a dictionary of one entry.
 */
export function pagesOf(column: Column): ColumnPages {
  const { values, isOptional } = column;
  const rows = values.length;
  const { nulls, min, max } = extremes(column);
  const count = rows - nulls;
  const levels = isOptional ? levelsOf(values, nulls) : new Uint8Array(0);
  const isConstant = count > 0 && Object.is(min, max);
  const encodings = isConstant ? [RLE, PLAIN, RLE_DICTIONARY] : [RLE, PLAIN];
  const hasBits = nulls > 0 && count > 0;
  const range = count > 0 ? { min: bytesOfOne(values, min), max: bytesOfOne(values, max) } : null;
  const common = { column, nulls, range, encodings };
  if (isConstant) {
    const entry = bytesOfOne(values, min);
    const dictionary = [pageHeader(DICTIONARY_PAGE, entry.length, { count: 1, encoding: PLAIN }), entry];
    // One bit per index, all of them 0 in a single run.
    const indexes = Uint8Array.from([1, ...varint(count * 2), 0]);
    const header = pageHeader(DATA_PAGE, levels.length + indexes.length, {
      count: rows,
      encoding: RLE_DICTIONARY,
    });
    const dataPage = sizeOf(dictionary);
    const pieces = [...dictionary, header, levels, indexes];
    const levelsAt = dataPage + header.length;
    const at = dataPage - entry.length;
    const layout = { bits: hasBits ? levelsAt + levelBitsAt(rows) : null, at, count, isConstant };
    return { ...common, pieces, size: sizeOf(pieces), dataPage, layout };
  }
  const plain = bytesOf(nulls > 0 ? withoutNulls(values, count) : values);
  const header = pageHeader(DATA_PAGE, levels.length + plain.length, { count: rows, encoding: PLAIN });
  const pieces = [header, levels, plain];
  const layout: Layout = {
    bits: hasBits ? header.length + levelBitsAt(rows) : null,
    at: header.length + levels.length,
    count,
    isConstant,
  };
  return { ...common, pieces, size: sizeOf(pieces), dataPage: 0, layout };
}

/** Nulls and extremes in one pass. Zeros of different signs count as different, so that a constant keeps every bit. */
function extremes({ values }: Column): { nulls: number; min: number; max: number } {
  let nulls = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let negativeZero = false;
  let positiveZero = false;
  const isFloat = values instanceof Float64Array;
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] as number;
    if (isFloat ? Number.isNaN(value) : value === NULL32) {
      nulls += 1;
      continue;
    }
    if (value < min) min = value;
    if (value > max) max = value;
    if (value === 0) {
      if (Object.is(value, -0)) negativeZero = true;
      else positiveZero = true;
    }
  }
  // As the format wants it: a least value of zero is −0, a greatest one +0, unless the column holds the other
  // sign alone.
  if (min === 0) min = negativeZero ? -0 : 0;
  if (max === 0) max = positiveZero ? 0 : -0;
  return { nulls, min, max };
}

/** Definition levels with their length before them: one run where no row or every row is null, else a bit per row. */
function levelsOf(values: Int32Array | Float64Array, nulls: number): Uint8Array {
  const rows = values.length;
  if (nulls === 0 || nulls === rows) {
    const run = [...varint(rows * 2), nulls === 0 ? 1 : 0];
    return Uint8Array.from([run.length, 0, 0, 0, ...run]);
  }
  const groups = Math.ceil(rows / 8);
  const head = varint(groups * 2 + 1);
  const bytes = new Uint8Array(4 + head.length + groups);
  new DataView(bytes.buffer).setUint32(0, head.length + groups, true);
  bytes.set(head, 4);
  const bits = bytes.subarray(4 + head.length);
  for (let row = 0; row < rows; row += 1)
    if (!isNull(values, row)) bits[row >> 3] = (bits[row >> 3] as number) | (1 << (row & 7));
  return bytes;
}

const levelBitsAt = (rows: number) => 4 + varint(Math.ceil(rows / 8) * 2 + 1).length;

const isNull = (values: Int32Array | Float64Array, row: number) =>
  values instanceof Float64Array ? Number.isNaN(values[row]) : values[row] === NULL32;

function withoutNulls(values: Int32Array | Float64Array, count: number): Int32Array | Float64Array {
  const kept = values instanceof Float64Array ? new Float64Array(count) : new Int32Array(count);
  let at = 0;
  for (let row = 0; row < values.length; row += 1) {
    if (isNull(values, row)) continue;
    kept[at] = values[row] as number;
    at += 1;
  }
  return kept;
}

function pageHeader(type: number, size: number, page: { count: number; encoding: number }): Uint8Array {
  const writer = new ThriftWriter();
  writer.element((header) => {
    header.i32(1, type).i32(2, size).i32(3, size);
    if (type === DICTIONARY_PAGE) header.struct(7, (inner) => inner.i32(1, page.count).i32(2, page.encoding));
    else header.struct(5, (inner) => inner.i32(1, page.count).i32(2, page.encoding).i32(3, RLE).i32(4, RLE));
  });
  return writer.finish();
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}

function bytesOfOne(like: Int32Array | Float64Array, value: number): Uint8Array {
  return bytesOf(like instanceof Float64Array ? Float64Array.of(value) : Int32Array.of(value));
}

const bytesOf = (values: ArrayBufferView) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
const sizeOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0);
