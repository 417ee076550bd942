import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

/** Appends a megabyte whenever it is told to, and says what became of it. */
const WRITER = `
  const { appendFileSync } = require('node:fs');
  process.on('message', () => {
    try { appendFileSync(process.argv[1], Buffer.alloc(1_000_000)); process.send('written'); }
    catch (error) { process.send(error.code); }
  });
  process.send('started');`;

const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

describe.skipIf(!hasLimits)('openSmallDisk (needs prlimit)', () => {
  let disk: SmallDisk | undefined;
  let writer: ChildProcess | undefined;
  afterEach(async () => {
    writer?.kill('SIGKILL');
    await disk?.remove();
  });

  it.each([
    ['on a file system of its own, where mounting is allowed', true],
    ['by a limit on the size of files', false],
  ])('refuses writes while it is full, and takes them again, %s', async (_, mayMount) => {
    disk = await openSmallDisk(16, { mayMount });
    writer = spawn(process.execPath, ['-e', WRITER, path.join(disk.folder, 'data')], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(writer, 'message');
    const outcomes: unknown[] = [];
    const write = async () => {
      writer?.send('write');
      outcomes.push((await once(writer as ChildProcess, 'message'))[0]);
    };
    const pids = [writer.pid as number];
    await write();
    await disk.fill(pids);
    await write();
    await disk.free(pids);
    await write();
    expect(outcomes).toEqual(['written', expect.stringMatching(/^(ENOSPC|EFBIG)$/), 'written']);
  });
});
