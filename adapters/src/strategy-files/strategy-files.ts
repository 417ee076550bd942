import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { encodingOf } from '@quantloom/domain/exchange/source-bytes';
import {
  MAX_SOURCE_FILES,
  MAX_SOURCE_LENGTH,
  tooLargeSentence,
} from '@quantloom/domain/exchange/syntax/source-limits';
import yauzl from 'yauzl';
import { reasonInWords } from '../market-data/import/read-failure.ts';

/** A file with a strategy, or the reason why it cannot be read. */
export type StrategyFile =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly status: number; readonly error: string };

/** A character is at most three bytes in UTF-8. */
const MOST_BYTES = 3 * MAX_SOURCE_LENGTH;
const ENDINGS = /\.(?:json|edn|clj|cljs|txt)$/i;

/**
 * The text of a file, or the texts inside a ZIP archive, one at a time; `-` is standard input. Never throws
 * for what a file holds.
 */
export async function* readStrategyFiles(
  file: string,
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<StrategyFile> {
  try {
    if (file === '-') {
      yield { file, text: textOf(await upTo(input, MOST_BYTES)) };
      return;
    }
    const bytes = await contentOf(file);
    if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04)
      yield* readArchive(file, bytes);
    else yield { file, text: textOf(bytes) };
  } catch (error) {
    if (error instanceof TooLarge) yield { file, status: 413, error: error.message };
    else {
      const reason = reasonInWords(error) ?? (error as Error).message;
      yield { file, status: 400, error: `${file} cannot be read: ${reason}` };
    }
  }
}

class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/** The bytes of a file; one that is too large is not read at all. */
async function contentOf(file: string): Promise<Buffer> {
  await using handle = await open(file);
  const facts = await handle.stat();
  if (facts.isDirectory()) throw new Error('it is a folder');
  if (facts.size > MOST_BYTES) throw new TooLarge(tooLargeSentence(facts.size));
  return handle.readFile();
}

async function upTo(input: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of input) {
    length += part.length;
    if (length > most) throw new TooLarge(tooLargeSentence(length));
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** The strategies of an archive, by its own order; sizes are looked at before anything is unpacked. */
async function* readArchive(file: string, bytes: Buffer): AsyncGenerator<StrategyFile> {
  const archive = await yauzl.fromBufferPromise(bytes, { strictFileNames: false, decodeStrings: true });
  let found = 0;
  for await (const entry of archive.eachEntry()) {
    const inner = entry.fileName.replaceAll('\\', '/');
    const isHidden = inner.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
    if (inner.endsWith('/') || isHidden || !ENDINGS.test(inner)) continue;
    found += 1;
    const name = `${file}/${inner}`;
    if (found > MAX_SOURCE_FILES) {
      yield {
        file: name,
        status: 413,
        error: `Only the first ${MAX_SOURCE_FILES} files of an archive are read.`,
      };
      return;
    }
    if (entry.uncompressedSize > MOST_BYTES)
      yield { file: name, status: 413, error: tooLargeSentence(entry.uncompressedSize) };
    else yield await readEntry(archive, entry, name);
  }
  if (found === 0)
    yield {
      file,
      status: 422,
      error: 'There is no strategy in this archive: no .json, .edn, .clj or .txt file.',
    };
}

async function readEntry(archive: yauzl.ZipFile, entry: yauzl.Entry, file: string): Promise<StrategyFile> {
  try {
    return { file, text: textOf(await buffer(await archive.openReadStreamPromise(entry))) };
  } catch (error) {
    return { file, status: 400, error: `${file} cannot be unpacked: ${(error as Error).message}` };
  }
}
