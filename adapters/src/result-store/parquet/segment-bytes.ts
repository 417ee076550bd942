import { deflateRawSync } from 'node:zlib';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { runsOf } from '../ranges.ts';
import { HASH_LAYOUT, leavesOf } from '../row-hash.ts';
import { type Column, type ColumnPages, DOUBLE, INT32, type Layout, pagesOf } from './column-pages.ts';
import { ThriftWriter } from './thrift.ts';

/**
 * What a segment says of itself, in JSON at its beginning, so that it can be opened without Parquet. Offsets
 * count from behind it.
 */
export interface SegmentHeader {
  readonly version: 1;
  readonly rows: number;
  /** Combinations, ascending and apart. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
  readonly columns: readonly (readonly [name: string, offset: number, layout: Layout])[];
  /** Deflated JSON of `[combination, reason][]`, ascending. */
  readonly failures: { readonly at: number; readonly size: number; readonly count: number } | null;
  /** Segments whose rows are in this one: they count for nothing once it is there. */
  readonly replaces: readonly string[];
  /** Parts of the batch's hash that lie wholly in here; see `row-hash.ts`. Not in segments of earlier versions. */
  readonly leaves?: {
    readonly layout: string;
    readonly hashes: readonly (readonly [leaf: number, hash: string])[];
  };
}

export const MAGIC = Buffer.from('PAR1', 'latin1');

/** Rows ascending by combination. */
export interface SegmentContent {
  readonly combinations: Int32Array;
  readonly startDay: Int32Array;
  readonly endDay: Int32Array;
  /** Rank of the value of each variable. */
  readonly ranks: readonly Int32Array[];
  /** By name; NaN is null. */
  readonly floats: Readonly<Record<string, Float64Array>>;
  /** Ascending by combination. */
  readonly failures: ResultBlock['failures'];
  readonly replaces?: readonly string[];
  /** Combinations of the batch: its last leaf ends with it. */
  readonly total: number;
}

/**
 * The bytes of a segment: a Parquet file of one row group, with our header between its magic number and its
 * columns. Columns that lie in memory as the file wants them are not copied.
 */
export function segmentBytes(content: SegmentContent): Uint8Array[] {
  const { combinations, failures } = content;
  const rows = combinations.length;
  const pages = columnsOf(content).map(pagesOf);
  const offsets: number[] = [];
  let size = 0;
  for (const page of pages) {
    offsets.push(size);
    size += page.size;
  }
  const reasons =
    failures.length === 0
      ? null
      : deflateRawSync(JSON.stringify(failures.map(({ combination, reason }) => [combination, reason])), {
          level: 1,
        });
  const header: SegmentHeader = {
    version: 1,
    rows,
    ranges: runsOf(combinations).map(({ from, to }) => [from, to]),
    columns: pages.map(({ column, layout }, i) => [column.name, offsets[i] as number, layout]),
    failures: reasons && { at: size, size: reasons.length, count: failures.length },
    replaces: content.replaces ?? [],
    leaves: { layout: HASH_LAYOUT, hashes: leavesOf(combinations, content, content.total) },
  };
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  const start = MAGIC.length + 4 + json.length;
  const footer = footerOf(
    pages,
    offsets.map((offset) => start + offset),
    rows,
  );
  return [
    MAGIC,
    uint32(json.length),
    json,
    ...pages.flatMap(({ pieces }) => pieces.filter(({ length }) => length > 0)),
    ...(reasons ? [reasons] : []),
    footer,
    uint32(footer.length),
    MAGIC,
  ];
}

function columnsOf(content: SegmentContent): Column[] {
  return [
    { name: 'combination', values: content.combinations, isOptional: false },
    { name: 'start_date', values: content.startDay, isOptional: true, isDate: true },
    { name: 'end_date', values: content.endDay, isOptional: true, isDate: true },
    ...content.ranks.map((values, i) => ({ name: `v${i}`, values, isOptional: false })),
    ...Object.entries(content.floats).map(([name, values]) => ({ name, values, isOptional: true })),
  ];
}

/** DATE among Parquet's converted types. */
const DATE = 6;
const REQUIRED = 0;
const OPTIONAL = 1;

function footerOf(pages: readonly ColumnPages[], offsets: readonly number[], rows: number): Uint8Array {
  const writer = new ThriftWriter();
  const typeOf = ({ column }: ColumnPages) => (column.values instanceof Float64Array ? DOUBLE : INT32);
  writer.element((file) => {
    file.i32(1, 1);
    file.structs(2, [null, ...pages], (schema, page) => {
      if (page === null) return schema.binary(4, 'rows').i32(5, pages.length);
      const { name, isOptional, isDate } = page.column;
      schema
        .i32(1, typeOf(page))
        .i32(3, isOptional ? OPTIONAL : REQUIRED)
        .binary(4, name);
      return isDate ? schema.i32(6, DATE) : schema;
    });
    file.i64(3, rows);
    file.structs(4, [null], (group) => {
      group.structs(1, pages, (chunk, page, i) => {
        const offset = offsets[i] as number;
        chunk.i64(2, offset);
        chunk.struct(3, (meta) => {
          meta.i32(1, typeOf(page)).i32s(2, page.encodings).binaries(3, [page.column.name]).i32(4, 0);
          meta
            .i64(5, rows)
            .i64(6, page.size)
            .i64(7, page.size)
            .i64(9, offset + page.dataPage);
          if (page.dataPage > 0) meta.i64(11, offset);
          meta.struct(12, (statistics) => {
            statistics.i64(3, page.nulls);
            if (page.range) statistics.binary(5, page.range.max).binary(6, page.range.min);
          });
        });
      });
      group
        .i64(
          2,
          pages.reduce((sum, { size }) => sum + size, 0),
        )
        .i64(3, rows);
    });
    file.binary(6, 'quantloom');
  });
  return writer.finish();
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
