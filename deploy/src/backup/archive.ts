import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LogHead } from '@quantloom/projectors/log/log-head';
import { extract, type Pack, pack } from 'tar-stream';
import { CommandError } from '../commands/command-error.ts';
import type { SnapshotFile } from './snapshot.ts';

/** First entry of a backup. */
export interface BackupManifest {
  readonly format: 'quantloom-backup';
  readonly version: 1;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The log's end in the backup; null: there was no event. */
  readonly log: LogHead | null;
}

const MANIFEST = 'quantloom-backup.json';
/** Last entry: without it the file was cut off. */
const CHECKSUMS = 'checksums.json';

/** Passes bytes on and hashes them. */
function hashing(): { readonly stream: Transform; readonly digest: () => string } {
  const hash = createHash('sha256');
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}

/**
 * Writes a tar file: the manifest, the files, their checksums. Beside and then renamed: a file of this name
 * is always whole. For its owner only.
 *
 * @param onProgress bytes of files written so far
 */
export async function writeArchive(
  file: string,
  manifest: BackupManifest,
  files: readonly SnapshotFile[],
  onProgress: (bytes: number) => void,
): Promise<void> {
  const part = `${file}.part`;
  const tar = pack();
  const target = createWriteStream(part, { mode: 0o600 });
  const written = pipeline(tar, target);
  try {
    await Promise.race([written, addAll(tar, manifest, files, onProgress)]);
    tar.finalize();
    await written;
    const handle = await open(part, 'r');
    await handle.sync();
    await handle.close();
    await rename(part, file);
  } catch (error) {
    tar.destroy();
    target.destroy();
    await written.catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

async function addAll(
  tar: Pack,
  manifest: BackupManifest,
  files: readonly SnapshotFile[],
  onProgress: (bytes: number) => void,
): Promise<void> {
  tar.entry({ name: MANIFEST, mode: 0o600 }, JSON.stringify(manifest, null, 2));
  const sums: Record<string, string> = {};
  let done = 0;
  for (const { name, source, bytes } of files) {
    const { stream, digest } = hashing();
    const entry = tar.entry({ name: `data/${name}`, size: bytes, mode: 0o600 });
    // As many bytes as were announced, should the file have grown.
    const content = createReadStream(source, bytes > 0 ? { end: bytes - 1 } : {});
    await pipeline(content, stream, entry);
    sums[name] = digest();
    done += bytes;
    onProgress(done);
  }
  tar.entry({ name: CHECKSUMS, mode: 0o600 }, JSON.stringify(sums));
}

/**
 * Unpacks a backup into a folder. Rejects with a `CommandError` for a file that is no backup, was cut off or
 * changed; what is in the folder then is of no use.
 */
export async function readArchive(
  file: string,
  folder: string,
): Promise<{ manifest: BackupManifest; files: number; bytes: number }> {
  const tar = extract();
  const source = createReadStream(file);
  source.on('error', (error) => tar.destroy(error));
  source.pipe(tar);
  let manifest: BackupManifest | null = null;
  let expected: Record<string, string> | null = null;
  const found: Record<string, string> = {};
  let bytes = 0;
  try {
    for await (const entry of tar) {
      const { name, size = 0 } = entry.header;
      if (name === MANIFEST) manifest = JSON.parse(await textOf(entry)) as BackupManifest;
      else if (name === CHECKSUMS) expected = JSON.parse(await textOf(entry)) as Record<string, string>;
      else {
        if (manifest?.format !== 'quantloom-backup') break;
        const inside = name.replace(/^data\//, '');
        const target = path.join(folder, inside);
        if (!target.startsWith(folder + path.sep))
          throw new CommandError(422, `${file} holds ${name}, which is no place in a data folder`);
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        const { stream, digest } = hashing();
        await pipeline(entry, stream, createWriteStream(target, { mode: 0o600 }));
        await chmod(target, 0o600);
        found[inside] = digest();
        bytes += size;
      }
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandError(404, `There is no file ${file}`);
    throw new CommandError(422, `${file} cannot be read as a backup: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (manifest?.format !== 'quantloom-backup') throw new CommandError(422, `${file} is not a backup`);
  if (manifest.version !== 1)
    throw new CommandError(422, `${file} was written by a newer version; use that one`);
  if (expected === null) throw new CommandError(422, `${file} was cut off: its last part is missing`);
  const names = new Set([...Object.keys(expected), ...Object.keys(found)]);
  for (const name of names)
    if (expected[name] !== found[name])
      throw new CommandError(422, `${file} was changed or damaged: ${name} is not what was backed up`);
  return { manifest, files: names.size, bytes };
}

async function textOf(entry: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString('utf8');
}
