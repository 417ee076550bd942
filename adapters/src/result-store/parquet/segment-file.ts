import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { type Layout, NULL32 } from './column-pages.ts';
import { MAGIC, type SegmentHeader } from './segment-bytes.ts';

/** A file of rows of one batch. It never changes once it has its name. */
export interface Segment {
  readonly name: string;
  readonly file: string;
  /** Where the offsets of the header count from. */
  readonly start: number;
  readonly header: SegmentHeader;
  readonly columns: ReadonlyMap<string, { readonly offset: number; readonly layout: Layout }>;
  /** First combination, and the one behind the last. */
  readonly first: number;
  readonly past: number;
}

/** Pieces that one system call takes. */
const PIECES_AT_ONCE = 512;
/** Enough for the header of most segments. */
const FIRST_BYTES = 16_384;

/**
 * Writes a file in one step: under a name of its own, flushed, then renamed. Whoever sees the file sees all
 * of it. Rejects where the disk is full, and leaves nothing then.
 */
export async function writeWhole(file: string, pieces: readonly Uint8Array[], mark: string): Promise<void> {
  const unfinished = `${file}.${mark}.tmp`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      for (let from = 0; from < pieces.length; from += PIECES_AT_ONCE)
        await writeAll(handle, pieces.slice(from, from + PIECES_AT_ONCE));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await flushFolder(path.dirname(file));
}

async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    // A short write is the system's right; the next one says what is wrong, if something is.
    let { bytesWritten } = await handle.writev(rest);
    let whole = 0;
    while (whole < rest.length && bytesWritten >= (rest[whole] as Uint8Array).length) {
      bytesWritten -= (rest[whole] as Uint8Array).length;
      whole += 1;
    }
    rest = rest.slice(whole);
    if (bytesWritten > 0) rest[0] = (rest[0] as Uint8Array).subarray(bytesWritten);
  }
}

/** Makes new names in a folder last through a power cut. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads what a segment says of itself. Throws on a file that is none. */
export function openSegment(folder: string, name: string): Segment {
  const file = path.join(folder, name);
  const fd = openSync(file, 'r');
  try {
    let bytes = Buffer.alloc(FIRST_BYTES);
    const read = readSync(fd, bytes, 0, bytes.length, 0);
    if (read < 8 || !bytes.subarray(0, 4).equals(MAGIC)) throw new Error(`${file} is no file of results`);
    const size = bytes.readUInt32LE(4);
    if (8 + size > read) {
      bytes = Buffer.alloc(8 + size);
      readFully(fd, bytes, 0, file);
    }
    const header = JSON.parse(bytes.toString('utf8', 8, 8 + size)) as SegmentHeader;
    if (header.version !== 1) throw new Error(`${file} was written by a later version of the product`);
    return {
      name,
      file,
      start: 8 + size,
      header,
      columns: new Map(header.columns.map(([column, offset, layout]) => [column, { offset, layout }])),
      first: header.ranges[0]?.[0] ?? 0,
      past: header.ranges.at(-1)?.[1] ?? 0,
    };
  } finally {
    closeSync(fd);
  }
}

/** Reads columns of one segment; closed by whoever opened it. */
export class SegmentReader {
  readonly #segment: Segment;
  readonly #fd: number;

  constructor(segment: Segment) {
    this.#segment = segment;
    this.#fd = openSync(segment.file, 'r');
  }

  /** Numbers with NaN for null; all NaN where the segment lacks the column. */
  floats(name: string): Float64Array<ArrayBuffer> {
    return this.#column(name, (length) => new Float64Array(length), Number.NaN);
  }

  /** Whole numbers, `NULL32` for null. */
  integers(name: string): Int32Array<ArrayBuffer> {
    return this.#column(name, (length) => new Int32Array(length), NULL32);
  }

  failures(): ResultBlock['failures'] {
    const { failures } = this.#segment.header;
    if (!failures) return [];
    const bytes = Buffer.alloc(failures.size);
    readFully(this.#fd, bytes, this.#segment.start + failures.at, this.#segment.file);
    const pairs = JSON.parse(inflateRawSync(bytes).toString('utf8')) as [number, string][];
    return pairs.map(([combination, reason]) => ({ combination, reason }));
  }

  close(): void {
    closeSync(this.#fd);
  }

  #column<Values extends Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer>>(
    name: string,
    make: (length: number) => Values,
    nothing: number,
  ): Values {
    const { rows } = this.#segment.header;
    const known = this.#segment.columns.get(name);
    const values = make(rows);
    if (!known || known.layout.count === 0) return values.fill(nothing) as Values;
    const { offset, layout } = known;
    const at = this.#segment.start + offset;
    const stored = layout.count === rows ? values : make(layout.count);
    const read = layout.isConstant ? stored.subarray(0, 1) : stored;
    readFully(this.#fd, read, at + layout.at, this.#segment.file);
    if (layout.isConstant) stored.fill(stored[0] as number);
    if (layout.bits === null) return values;
    const bits = new Uint8Array(Math.ceil(rows / 8));
    readFully(this.#fd, bits, at + layout.bits, this.#segment.file);
    let next = 0;
    for (let row = 0; row < rows; row += 1) {
      const isThere = ((bits[row >> 3] as number) >> (row & 7)) & 1;
      values[row] = isThere ? (stored[next] as number) : nothing;
      next += isThere;
    }
    return values;
  }
}

function readFully(fd: number, into: NodeJS.ArrayBufferView, position: number, file: string): void {
  let done = 0;
  while (done < into.byteLength) {
    const read = readSync(fd, into, done, into.byteLength - done, position + done);
    if (read === 0) throw new Error(`${file} ends too soon`);
    done += read;
  }
}
