import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { afterAll, expect, it } from 'vitest';
import { machineApi, until } from '../harness/api.ts';
import { API_CLIENT, quantloom, REPOSITORY, removeDataDir, startServer } from '../harness/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-start-'));
afterAll(() => removeDataDir(folder));

/** Runs `npm start` or its program to its end, or until it is ready; resolves with what it printed. */
async function launch(command: readonly string[], environment: Record<string, string>) {
  const [file = '', ...words] = command;
  const child = spawn(file, words, {
    cwd: REPOSITORY,
    env: { ...process.env, WEB_PAGES: 'off', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  await until(
    async () => child.exitCode !== null || output.includes(' is ready'),
    (isOver) => isOver,
    60_000,
  );
  return { child, output: () => output };
}

const PROGRAM = [process.execPath, 'deploy/src/start.ts'];

it('says in one sentence that another one runs on the folder, or that the folder is of no use', async () => {
  const server = await startServer({ dataDir: path.join(folder, 'one') });
  const second = await launch(PROGRAM, { DATA_DIR: server.dataDir, PORT: String(await freePort()) });
  expect(second.child.exitCode).toBe(1);
  expect(second.output().trim().split('\n')).toEqual([
    expect.stringMatching(/^The configuration is not usable: another `npm start` runs on DATA_DIR .*one/),
  ]);
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  await server.kill();
  // The claim ends with the process.
  await (await startServer({ dataDir: server.dataDir })).stop();

  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  const unusable = await launch(PROGRAM, { DATA_DIR: file, PORT: '0' });
  expect(unusable.child.exitCode).toBe(1);
  expect(unusable.output().trim().split('\n')).toEqual([
    expect.stringMatching(/DATA_DIR .*file cannot be used: it is not a folder/),
  ]);
}, 120_000);

it('ends with npm: a SIGTERM to `npm start`, as a process manager sends it, leaves no server behind', async () => {
  const port = String(await freePort());
  const environment = { DATA_DIR: path.join(folder, 'npm'), PORT: port };
  const { child } = await launch(['npm', 'start'], environment);
  const url = `http://localhost:${port}`;
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  await until(
    async () =>
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      ),
    (isThere) => !isThere,
    20_000,
  );
  // Port and folder are free again.
  const again = await startServer({ dataDir: environment.DATA_DIR, port: Number(port) });
  await again.stop();
}, 120_000);

it('ends the machine client of the environment when the variable is gone', async () => {
  const dataDir = path.join(folder, 'bootstrap');
  const first = await startServer({ dataDir });
  expect((await (await machineApi(first.url)).get('/api/v1/users/me')).status).toBe(200);
  await first.stop();
  const second = await startServer({ dataDir, environment: { BOOTSTRAP_API_CLIENT: '' } });
  await expect(machineApi(second.url)).rejects.toThrow(/No token: 401/);
  await second.stop();
  const other = { id: API_CLIENT.id, secret: 'another-secret-that-is-long-enough' };
  const third = await startServer({
    dataDir,
    environment: { BOOTSTRAP_API_CLIENT: `${other.id}:${other.secret}` },
  });
  await expect(machineApi(third.url)).rejects.toThrow(/No token/);
  await third.stop();
  const fourth = await startServer({ dataDir });
  expect((await (await machineApi(fourth.url)).get('/api/v1/users/me')).status).toBe(200);
  await fourth.stop();
  const { code, stdout } = await quantloom(dataDir, 'log', 'verify');
  expect(code, stdout).toBe(0);
}, 120_000);
