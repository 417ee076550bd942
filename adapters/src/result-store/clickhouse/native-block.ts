import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { BlockRows } from '../block-rows.ts';
import type { Dictionary } from '../dictionary.ts';

export interface RowOwner {
  readonly bucket: number;
  readonly batchId: string;
  readonly generation: number;
  readonly dictionaries: readonly Dictionary[];
}

/** Names of the columns that a native block carries, in its order. */
export const NATIVE_COLUMNS: readonly string[] = [
  'bucket',
  'batch_id',
  'generation',
  'combination',
  'variables',
  'start_day',
  'end_day',
  ...FLOAT_COLUMNS,
];

/**
 * Rows in ClickHouse's Native format: columns one after the other, as they lie in memory, so that no value is turned
 * into text. Typed arrays are little endian wherever Node runs, as the format wants them.
 */
export function nativeBlock(owner: RowOwner, rows: BlockRows): Buffer[] {
  const { count } = rows;
  return [
    varint(NATIVE_COLUMNS.length),
    varint(count),
    ...column('bucket', 'UInt8', Buffer.alloc(count, owner.bucket)),
    ...column('batch_id', 'String', repeatedText(owner.batchId, count)),
    ...column('generation', 'UInt32', bytesOf(new Uint32Array(count).fill(owner.generation))),
    ...column('combination', 'Int32', bytesOf(rows.combinations)),
    ...column('variables', 'Array(UInt32)', ...rankArrays(owner.dictionaries, rows)),
    ...column('start_day', 'Int32', bytesOf(rows.startDay)),
    ...column('end_day', 'Int32', bytesOf(rows.endDay)),
    ...FLOAT_COLUMNS.flatMap((name) =>
      column(name, 'Float64', bytesOf(rows.floats[name] ?? new Float64Array(count).fill(Number.NaN))),
    ),
  ];
}

/** An array column: where each row's array ends, then all values. */
function rankArrays(dictionaries: readonly Dictionary[], { count, variables }: BlockRows): Buffer[] {
  const width = dictionaries.length;
  const ends = BigUint64Array.from({ length: count }, (_, row) => BigInt((row + 1) * width));
  const ranks = new Uint32Array(count * width);
  dictionaries.forEach((dictionary, i) => {
    const indexes = variables[i] as Int32Array;
    for (let row = 0; row < count; row++)
      ranks[row * width + i] = dictionary.ranks[indexes[row] as number] as number;
  });
  return [bytesOf(ends), bytesOf(ranks)];
}

function column(name: string, type: string, ...data: Buffer[]): Buffer[] {
  return [sized(name), sized(type), ...data];
}

function repeatedText(value: string, count: number): Buffer {
  const one = sized(value);
  return Buffer.alloc(one.length * count, one);
}

function sized(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** Unsigned LEB128. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

const bytesOf = (values: ArrayBufferView) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
