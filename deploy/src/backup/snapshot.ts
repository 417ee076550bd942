import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { copyDatabase } from '@quantloom/adapters/sqlite/copy-database';

/**
 * Databases that are copied by SQLite itself, the log first: what the others hold may be newer than the log,
 * never older.
 */
const DATABASES = ['quantloom.sqlite', 'identity.sqlite', 'keys.sqlite'];
const PREFIX = '.backup-';
/** Of a database in use, locks, what is being made, and earlier backups that were broken off. */
const LEFT_OUT =
  /(^|\/)(\.backup-[^/]*|[^/]*-(wal|shm)|[^/]*\.lock|[^/]*\.tmp|\.new-[^/]*|\.gone-[^/]*|work)(\/|$)/;

export interface SnapshotFile {
  /** Path in the data folder, with slashes. */
  readonly name: string;
  /** Where its content lies. */
  readonly source: string;
  readonly bytes: number;
}

/** A data folder as it was at one moment, while the product goes on working on it. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  remove(): Promise<void>;
}

/**
 * Takes the databases as SQLite sees them at one moment, and everything else by a second name for the same
 * file: published prices and result rows never change once they are there, and stay although the product
 * deletes them meanwhile. Results are looked at before the log and again after it, so that the rows of every
 * batch that is finished in the log are there.
 *
 * @param onProgress told of every part
 */
export async function takeSnapshot(
  dataDir: string,
  onProgress: (message: string) => void,
): Promise<Snapshot> {
  await removeLeftOvers(dataDir);
  const staging = await mkdtemp(path.join(dataDir, PREFIX));
  const remove = () => rm(staging, { recursive: true, force: true });
  try {
    const others = new Map<string, string>();
    await stageOthers(dataDir, staging, others);
    onProgress(`${others.size} files of prices, results and settings`);
    const files: SnapshotFile[] = [];
    for (const name of DATABASES) {
      const source = path.join(staging, name);
      if (!copyDatabase(path.join(dataDir, name), source)) continue;
      const { size } = await stat(source);
      files.push({ name, source, bytes: size });
      onProgress(`${name}: ${megabytes(size)}`);
    }
    await stageOthers(dataDir, staging, others);
    for (const [name, source] of [...others].sort(([a], [b]) => (a < b ? -1 : 1)))
      files.push({ name, source, bytes: (await stat(source)).size });
    return { files, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** For people. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function stageOthers(dataDir: string, staging: string, staged: Map<string, string>): Promise<void> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const source = path.join(entry.parentPath, entry.name);
    const name = path.relative(dataDir, source).split(path.sep).join('/');
    if (LEFT_OUT.test(name) || DATABASES.includes(name) || staged.has(name)) continue;
    const target = path.join(staging, 'files', name);
    await mkdir(path.dirname(target), { recursive: true });
    try {
      await link(source, target).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw error;
        // A file system without second names.
        await copyFile(source, target);
      });
      staged.set(name, target);
    } catch (error) {
      // The product has deleted it since the folder was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

async function removeLeftOvers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(PREFIX)) await rm(path.join(dataDir, name), { recursive: true, force: true });
}
