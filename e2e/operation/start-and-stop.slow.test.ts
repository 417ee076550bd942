import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { afterAll, expect, it } from 'vitest';
import { machineApi, until } from '../harness/api.ts';
import { API_CLIENT, quantloom, REPOSITORY, removeDataDir, startServer } from '../harness/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-start-'));
afterAll(() => removeDataDir(folder));

/** Runs `npm start` or its program to its end, or until it is ready; resolves with what it printed. */
async function launch(
  command: readonly string[],
  environment: Record<string, string>,
  user: { readonly uid?: number; readonly gid?: number } = {},
) {
  const [file = '', ...words] = command;
  const child = spawn(file, words, {
    cwd: REPOSITORY,
    env: { ...process.env, WEB_PAGES: 'off', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
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

it.each([
  ['holds the data of somebody else', 'used', /DATA_DIR .*used cannot be used: it cannot be written to$/],
  ['cannot be made', 'closed/new', /DATA_DIR .*closed\/new cannot be used: it cannot be written to$/],
])(
  'says in one sentence that the folder %s',
  async (_, name, sentence) => {
    // Rights do not bind the administrator of a machine: there the product runs as nobody.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    chmodSync(folder, 0o755);
    const dataDir = path.join(folder, name);
    const closed = path.join(folder, name.split('/')[0] ?? '');
    if (name === 'used') await (await startServer({ dataDir })).stop();
    else mkdirSync(closed);
    chmodSync(closed, 0o555);
    try {
      const refused = await launch(PROGRAM, { DATA_DIR: dataDir, PORT: '0' }, nobody);
      expect(refused.child.exitCode).toBe(1);
      expect(refused.output().trim().split('\n')).toEqual([expect.stringMatching(sentence)]);
    } finally {
      chmodSync(closed, 0o700);
    }
  },
  120_000,
);

it('counts visitors behind a proxy by the address that it has seen, and nobody else by what he claims', async () => {
  const ask = (url: string, address: string) =>
    fetch(`${url}/api/v1/users/me`, { headers: { 'x-forwarded-for': address } });
  /** How many requests of one address are let through, of a few more than a minute has room for. */
  const askToTheLimit = async (url: string) => {
    const statuses: number[] = [];
    for (let i = 0; i < 20 && !statuses.includes(429); i += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(url, '203.0.113.1')));
      statuses.push(...answers.map(({ status }) => status));
      await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    }
    return statuses.at(-1);
  };
  const behind = await startServer({
    dataDir: path.join(folder, 'behind'),
    environment: { BEHIND_PROXY: 'true' },
  });
  expect(await askToTheLimit(behind.url)).toBe(429);
  expect((await ask(behind.url, '203.0.113.2')).status).toBe(401);
  expect((await ask(behind.url, '203.0.113.2, 203.0.113.1')).status).toBe(429);
  await behind.stop();

  const open = await startServer({ dataDir: path.join(folder, 'open') });
  expect(await askToTheLimit(open.url)).toBe(429);
  expect((await ask(open.url, '203.0.113.2')).status).toBe(429);
  await open.stop();
}, 120_000);

it('exports the log for its owner only, packed or not', async () => {
  const server = await startServer({ dataDir: path.join(folder, 'exported') });
  for (const name of ['log.jsonl', 'log.jsonl.gz']) {
    const file = path.join(folder, name);
    const { code, stdout, stderr } = await quantloom(server.dataDir, 'log', 'export', file);
    expect(code, stdout + stderr).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  await server.stop();
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
