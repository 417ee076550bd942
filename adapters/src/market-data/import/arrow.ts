import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { zstdDecompressSync } from 'node:zlib';
import {
  CompressionType,
  compressionRegistry,
  DataType,
  type RecordBatch,
  RecordBatchReader,
} from 'apache-arrow';
import { unpackLz4Frame } from './lz4-frame.ts';

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: unpackLz4Frame });
compressionRegistry.set(CompressionType.ZSTD, {
  decode: (packed) => new Uint8Array(zstdDecompressSync(packed)),
});

/**
 * Writes an Arrow file or stream (Feather version 2 is one) as a CSV file: instants as ISO dates, all else as
 * its text.
 */
export async function writeArrowAsCsv(path: string, into: string): Promise<void> {
  const reader = await RecordBatchReader.from(createReadStream(path));
  await reader.open();
  await pipeline(Readable.from(csvLines(reader)), createWriteStream(into));
}

async function* csvLines(reader: AsyncIterable<RecordBatch> | Iterable<RecordBatch>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const batch of reader) {
    const { fields } = batch.schema;
    if (isFirst) yield `${fields.map(({ name }) => cell(name)).join(',')}\n`;
    isFirst = false;
    const columns = fields.map(({ type }, i) => ({ vector: batch.getChildAt(i), toText: textOf(type) }));
    let text = '';
    for (let row = 0; row < batch.numRows; row++) {
      text += `${columns.map(({ vector, toText }) => cell(toText(vector?.get(row)))).join(',')}\n`;
      if (text.length > 1 << 18) {
        yield text;
        text = '';
      }
    }
    yield text;
  }
}

function textOf(type: DataType): (value: unknown) => string {
  if (DataType.isDate(type) || DataType.isTimestamp(type)) {
    // The library gives both in milliseconds, whatever they are stored in.
    return (value) => {
      if (value === null || value === undefined) return '';
      const date = new Date(Number(value));
      return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T00:00:00.000Z', '');
    };
  }
  return (value) => (value === null || value === undefined ? '' : String(value));
}

function cell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
