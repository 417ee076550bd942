import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the versions of the data set lie below the data folder. */
export interface Layout {
  readonly root: string;
  readonly versions: string;
  /** Half-built versions; whatever lies here without the lock being held is left over from a dead process. */
  readonly work: string;
  /** Text file that holds the id of the current version. */
  readonly current: string;
  /** SQLite file whose write lock an import holds; the operating system frees it when the process dies. */
  readonly lock: string;
  readonly fetchLock: string;
}

export function layoutOf(dataDir: string): Layout {
  const root = join(dataDir, 'market-data');
  return {
    root,
    versions: join(root, 'versions'),
    work: join(root, 'work'),
    current: join(root, 'current'),
    lock: join(root, 'import.lock'),
    fetchLock: join(root, 'fetch.lock'),
  };
}

const VERSION = /^\d{8}T\d{6}Z-[0-9a-z]{1,12}$/;

/** Guards every path that is built from a version. */
export function isVersionId(text: string): boolean {
  return VERSION.test(text);
}

/** A new id that sorts behind `latest`, for example `20261121T073300Z-3f9c`. */
export function newVersionId(now: Date, latest: string | null): string {
  let time = Math.floor(now.getTime() / 1000) * 1000;
  const latestTime = latest === null ? Number.NEGATIVE_INFINITY : timeOfVersion(latest);
  if (time <= latestTime) time = latestTime + 1000;
  const stamp = new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  return `${stamp}Z-${randomBytes(2).toString('hex')}`;
}

function timeOfVersion(version: string): number {
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(version) ?? [];
  const time = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** Writes a whole file so that a reader, or a crash, sees the old content or the new, never a part. */
export async function writeFileAtomically(path: string, content: string): Promise<void> {
  const beside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(beside, 'w');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Makes renames inside a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The published version's id, or null where nothing was published yet. */
export async function readCurrent(layout: Layout): Promise<string | null> {
  try {
    return (await readFile(layout.current, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function writeCurrent(layout: Layout, version: string): Promise<void> {
  await mkdir(layout.root, { recursive: true });
  await writeFileAtomically(layout.current, `${version}\n`);
  await syncFolder(layout.root);
}
