import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FILLER = 'filler';
const CHUNK = Buffer.alloc(4 * 1024 * 1024);

/** A data folder whose disk can be full for a while. */
export interface SmallDisk {
  readonly folder: string;
  /** How a full disk is made here: a real one, or the nearest thing that needs no rights. */
  readonly how: string;
  /** `pids` are the processes that write to it. */
  fill(pids: readonly number[]): Promise<void>;
  free(pids: readonly number[]): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A file system in memory of its own, which a file fills up (ENOSPC). Where mounting is not allowed: a limit
 * of size 0 on the files that the processes write (`prlimit`, EFBIG).
 */
export async function openSmallDisk(
  megabytes: number,
  options: { readonly mayMount?: boolean } = {},
): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-disk-'));
  if (options.mayMount === false) return limitedFolder(folder, 'not wanted');
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'quantloom-lab', folder]);
  } catch (error) {
    return limitedFolder(folder, (error as Error).message.split('\n')[1] ?? '');
  }
  const filler = path.join(folder, FILLER);
  return {
    folder,
    how: `a file system of ${megabytes} MB in memory, filled up`,
    fill: async () => {
      const file = await open(filler, 'w');
      try {
        for (;;) await file.write(CHUNK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: async () => await rm(filler, { force: true }),
    remove: async () => {
      await run('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    },
  };
}

function limitedFolder(folder: string, reason: string): SmallDisk {
  const limit = async (pids: readonly number[], softLimit: string) => {
    for (const pid of pids) await run('prlimit', ['--pid', String(pid), `--fsize=${softLimit}:`]);
  };
  return {
    folder,
    how: `a limit on the size of files, without a mount (${reason.trim()})`,
    fill: (pids) => limit(pids, '0'),
    free: (pids) => limit(pids, 'unlimited'),
    remove: async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
