import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** One file of an archive. */
export interface ArchiveFile {
  /** With slashes; safe to unpack on every system. */
  readonly path: string;
  readonly content: string | AsyncIterable<Uint8Array | string>;
  /** ISO 8601: when it was changed last; default: now. */
  readonly changedAt?: string;
}

/**
 * Files as one ZIP, read one after the other as the client takes them: the next is asked for when the one
 * before has been written. Destroying the stream ends the reading; a failure destroys the stream, so that no
 * half archive looks whole.
 */
export function zipOf(files: AsyncIterable<ArchiveFile>): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  let current: Readable | null = null;
  zip.once('error', (error: Error) => output.destroy(error));
  output.once('close', () => current?.destroy());
  // One for all: the list of what was packed keeps it to the end, and must not keep any file with it.
  const begin = (go: (error: unknown, stream: Readable) => void): void => {
    if (current) go(null, current);
  };
  const write = async (): Promise<void> => {
    for await (const { path, content, changedAt } of files) {
      if (output.destroyed) return;
      // Only a stream waits until there is room; a whole text would be written at once.
      current = Readable.from(chunksOf(content), { objectMode: false });
      const done = finished(current);
      zip.addReadStreamLazy(path, { mtime: changedAt ? new Date(changedAt) : new Date() }, begin);
      keepNameOnly(zip);
      await done;
      current = null;
    }
    zip.end();
  };
  write().catch((error: Error) => output.destroy(error));
  return output;
}

async function* chunksOf(content: ArchiveFile['content']): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else for await (const part of content) yield typeof part === 'string' ? Buffer.from(part) : part;
}

/**
 * The names of all files are kept to the end, each a small part of the pool that Node cuts buffers from: that
 * would keep all of the pool, some 20 kB a file. `entries` is no documented part of yazl; where it is gone,
 * an archive only takes more memory.
 */
function keepNameOnly(zip: ZipFile): void {
  const { entries } = zip as unknown as { readonly entries?: { utf8FileName?: Buffer }[] };
  const last = entries?.at(-1);
  if (!last?.utf8FileName) return;
  // Not from the pool, unlike what `Buffer.from` makes.
  const name = Buffer.alloc(last.utf8FileName.length);
  last.utf8FileName.copy(name);
  last.utf8FileName = name;
}
