import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../cluster/free-port.ts';

/** A service whose work takes a moment to be put away. */
const SERVICE = `
  import { setTimeout as pause } from 'node:timers/promises';
  import { runService } from ${JSON.stringify(new URL('./service.ts', import.meta.url).href)};
  await runService('sample', async () => ({
    url: 'http://localhost',
    close: async () => {
      await pause(200);
      console.log('all is put away');
    },
  }));
  setInterval(() => {}, 1_000);`;

it('ends a service only when that has put away its work', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-service-'));
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SERVICE], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(await freePort()), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines.push(...text.trim().split('\n'));
    if (text.includes('is ready')) child.kill('SIGTERM');
  });
  const [code] = await once(child, 'close');
  await rm(folder, { recursive: true });
  expect(lines).toEqual(['sample is ready: http://localhost', 'all is put away']);
  expect(code).toBe(0);
});
