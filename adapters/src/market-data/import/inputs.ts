import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import yauzl from 'yauzl';
import { MarketDataError } from '../files/market-data-error.ts';
import { writeArrowAsCsv } from './arrow.ts';
import { cannotBeRead } from './read-failure.ts';

/** A file to import. */
export interface InputFile {
  /** For people: as it was named, below its folder or archive. */
  readonly name: string;
  /** Where it lies, perhaps as a copy. */
  readonly path: string;
  readonly kind: 'csv' | 'parquet';
  /** How `path` is packed. */
  readonly packing: 'none' | 'gzip' | 'zstd';
  /** Named by the user, and not found in a folder or archive: what cannot be used of those is left out with a line. */
  readonly isNamed: boolean;
}

export interface Inputs {
  readonly files: readonly InputFile[];
  /** Files of folders and archives that are left out, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

const ENDINGS = /\.(?:csv|tsv|txt|parquet|pq|arrow|feather|ipc|zip)(?:\.gz|\.zst)?$/i;
const SPREADSHEET = /\.(?:xls[xmb]?|ods|numbers)$/i;
const MOST_FILES = 200_000;
/** What archives may unpack to, in all; a whole market of 40 years is a tenth of it. */
const MOST_UNPACKED_BYTES = 40 * 2 ** 30;

/** Finds the files behind names of files, folders and ZIP archives; copies (unpacked, in UTF-8) go into `folder`. */
export async function collectInputs(paths: readonly string[], folder: string): Promise<Inputs> {
  const collector = new Collector(folder);
  for (const path of paths) await collector.add(path);
  return collector;
}

class Collector implements Inputs {
  readonly files: InputFile[] = [];
  readonly leftOut: { name: string; reason: string }[] = [];
  readonly #folder: string;
  #copies = 0;
  #unpacked = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async add(path: string): Promise<void> {
    const name = basename(path);
    const facts = await stat(path).catch((cause) => {
      throw cannotBeRead(name, cause);
    });
    if (!facts.isDirectory()) {
      await this.#addFile(path, name, true);
      return;
    }
    const found = (await readdir(path, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => relative(path, join(entry.parentPath, entry.name)))
      .filter((file) => !isHidden(file))
      .sort();
    for (const file of found) await this.#addFound(join(path, file), join(name, file));
    if (found.length === 0)
      throw new MarketDataError('import_refused', `There is no file in the folder ${name}`);
  }

  async #addFound(path: string, name: string): Promise<void> {
    if (ENDINGS.test(name)) await this.#addFile(path, name, false);
    else this.leftOut.push({ name, reason: reasonFor(name) });
  }

  async #addFile(path: string, name: string, isNamed: boolean): Promise<void> {
    if (this.files.length >= MOST_FILES)
      throw new MarketDataError(
        'import_refused',
        `These are more than ${MOST_FILES} files; import them in parts`,
      );
    const head = await firstBytes(path).catch((cause) => {
      throw cannotBeRead(name, cause);
    });
    const is = (...bytes: number[]) => bytes.every((byte, i) => head[i] === byte);
    // By content, not by name: a gzip file is often called .csv.
    if (is(0xd0, 0xcf, 0x11, 0xe0) && /\.(?:xls|csv|txt)$/i.test(name)) throw spreadsheet(name);
    if (is(0x50, 0x4b, 0x03, 0x04) || is(0x50, 0x4b, 0x05, 0x06) || /\.zip$/i.test(name)) {
      if (SPREADSHEET.test(name)) throw spreadsheet(name);
      await this.#addArchive(path, name);
      return;
    }
    if (is(0x41, 0x52, 0x52, 0x4f, 0x57, 0x31) || /\.(?:arrow|feather|ipc)$/i.test(name)) {
      const copy = this.#nextCopy();
      await writeArrowAsCsv(path, copy).catch((cause) => {
        if (cause instanceof MarketDataError) throw cause;
        throw new MarketDataError(
          'import_refused',
          `${name} cannot be read: it is no Arrow file, or is damaged`,
          {
            cause,
          },
        );
      });
      this.files.push({ name, path: copy, kind: 'csv', packing: 'none', isNamed });
      return;
    }
    const packing =
      /\.gz$/i.test(name) || is(0x1f, 0x8b) ? 'gzip' : is(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : 'none';
    if (is(0x50, 0x41, 0x52, 0x31) || /\.(?:parquet|pq)$/i.test(name)) {
      this.files.push({ name, path, kind: 'parquet', packing: 'none', isNamed });
      return;
    }
    const encoding = encodingOf(packing === 'none' ? head : await firstUnpacked({ path, packing }));
    if (encoding === null) this.files.push({ name, path, kind: 'csv', packing, isNamed });
    else
      this.files.push({
        name,
        path: await this.#inUtf8({ path, packing }, encoding),
        kind: 'csv',
        packing: 'none',
        isNamed,
      });
  }

  /** A copy of a text in another encoding. */
  async #inUtf8(file: Pick<InputFile, 'path' | 'packing'>, encoding: string): Promise<string> {
    const copy = this.#nextCopy();
    await pipeline(openText(file), decodeFrom(encoding), createWriteStream(copy));
    return copy;
  }

  #nextCopy(): string {
    return join(this.#folder, `input-${this.#copies++}`);
  }

  async #addArchive(path: string, name: string): Promise<void> {
    let found = 0;
    try {
      const archive = await yauzl.openPromise(path, { strictFileNames: false, decodeStrings: true });
      for await (const entry of archive.eachEntry()) {
        const inner = entry.fileName.replaceAll('\\', '/');
        // Whatever it is called: Excel's files and those of LibreOffice are archives.
        if (inner === '[Content_Types].xml' || inner === 'content.xml') throw spreadsheet(name);
        if (inner.endsWith('/') || isHidden(inner)) continue;
        const innerName = `${name}/${inner}`;
        if (!ENDINGS.test(inner) || /\.zip$/i.test(inner)) {
          this.leftOut.push({
            name: innerName,
            reason: reasonFor(inner),
          });
          continue;
        }
        this.#unpacked += entry.uncompressedSize;
        if (this.#unpacked > MOST_UNPACKED_BYTES)
          throw new MarketDataError(
            'import_refused',
            `${name} would unpack to more than ${MOST_UNPACKED_BYTES / 2 ** 30} GiB`,
          );
        const copy = this.#nextCopy();
        await pipeline(await archive.openReadStreamPromise(entry), createWriteStream(copy));
        await this.#addFile(copy, innerName, false);
        found++;
      }
    } catch (cause) {
      throw cannotBeRead(name, cause);
    }
    if (found === 0) {
      const sheet = this.leftOut.find(({ reason }) => reason === 'it is a spreadsheet')?.name;
      const why = sheet === undefined ? '' : `: ${basename(sheet)} is a spreadsheet, save it as CSV first`;
      throw new MarketDataError('import_refused', `There is no price file in ${name}${why}`);
    }
  }
}

/** Why a file of a folder or archive is left out by its name alone. */
function reasonFor(name: string): string {
  if (/\.zip$/i.test(name)) return 'it is an archive in an archive';
  return SPREADSHEET.test(name) ? 'it is a spreadsheet' : 'its ending is not that of a price file';
}

function spreadsheet(name: string): MarketDataError {
  return new MarketDataError('import_refused', `${name} is a spreadsheet: save it as CSV first`);
}

/** The text of a file, unpacked. */
export function openText(file: Pick<InputFile, 'path' | 'packing'>): Readable {
  const raw = createReadStream(file.path);
  if (file.packing === 'none') return raw;
  const unpacked = raw.pipe(file.packing === 'gzip' ? createGunzip() : createZstdDecompress());
  raw.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => raw.destroy());
  return unpacked;
}

/** A step of a pipeline that turns bytes into text. */
function decodeFrom(encoding: string): (source: AsyncIterable<Uint8Array>) => AsyncGenerator<string> {
  return async function* decode(source) {
    const decoder = new TextDecoder(encoding);
    for await (const bytes of source) yield decoder.decode(bytes, { stream: true });
    yield decoder.decode();
  };
}

/** Copies a text from Windows' Western encoding into UTF-8, in place. */
export async function reencode(path: string, into: string): Promise<void> {
  await rm(into, { force: true });
  await pipeline(createReadStream(path), decodeFrom('windows-1252'), createWriteStream(into));
}

async function firstBytes(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return buffer.subarray(0, bytesRead);
}

/** The first bytes of what a packed file holds; none of a damaged one, which whoever reads it will tell. */
async function firstUnpacked(file: Pick<InputFile, 'path' | 'packing'>): Promise<Buffer> {
  const stream = openText(file);
  try {
    for await (const part of stream) return (part as Buffer).subarray(0, 512);
  } catch {
    return Buffer.alloc(0);
  } finally {
    stream.destroy();
  }
  return Buffer.alloc(0);
}

/**
 * UTF-16 by its mark, or by its many zero bytes; what Windows wrote where it is no UTF-8; null for what is
 * (or may be) UTF-8.
 */
function encodingOf(head: Buffer): 'utf-16le' | 'utf-16be' | 'shift_jis' | 'windows-1252' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = (offset: number) => head.filter((byte, i) => i % 2 === offset && byte === 0).length;
  const half = head.length / 2;
  if (head.length >= 8 && zeros(1) > half * 0.9) return 'utf-16le';
  if (head.length >= 8 && zeros(0) > half * 0.9) return 'utf-16be';
  if (head.includes(0) || decodes(head, 'utf-8') !== null) return null;
  // An accent between Latin letters is one sign of Japanese at most.
  return /[\u3041-\u30ff\u4e00-\u9fff]{2}/.test(decodes(head, 'shift_jis') ?? '')
    ? 'shift_jis'
    : 'windows-1252';
}

/** The beginning of a text, which may end within a sign; null where it is in another encoding. */
function decodes(head: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

function isHidden(name: string): boolean {
  return name.split('/').some((part) => part.startsWith('.') || part === '__MACOSX');
}
