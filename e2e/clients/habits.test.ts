import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasProgram } from '../harness/programs.ts';
import { REPOSITORY } from '../harness/server.ts';
import { expectRequests, HABITS } from './habits.ts';
import { run } from './installed.ts';
import { type StandIn, standIn } from './stand-in.ts';

const HERE = import.meta.dirname;
const CLIENTS = path.join(REPOSITORY, 'clients');

let folder: string;
let api: StandIn;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quantloom-habits-'));
  api = await standIn();
});
afterEach(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const told = async (program: string, file: string, env: NodeJS.ProcessEnv = {}) => {
  const { stdout } = await run(program, [path.join(folder, file)], {
    cwd: folder,
    env: { ...process.env, ...env, QUANTLOOM_URL: api.url },
  });
  return JSON.parse(stdout) as unknown;
};

/** The same as in `habits.slow.test.ts`, of the sources as they stand: nothing is packed or installed. */
describe('an API that is busy, refuses, or answers in pages', () => {
  it('is met by the TypeScript client', async () => {
    // A package is found by its own name, and types are only left out of files that are in no `node_modules`.
    const manifest = { name: '@quantloom/client', type: 'module', exports: './client.ts' };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await cp(path.join(CLIENTS, 'typescript/src/client.ts'), path.join(folder, 'client.ts'));
    await cp(path.join(HERE, 'habits.mjs'), path.join(folder, 'habits.mjs'));
    const fetcher = path.resolve(fileURLToPath(import.meta.resolve('openapi-fetch')), '../..');
    await mkdir(path.join(folder, 'node_modules'));
    await symlink(fetcher, path.join(folder, 'node_modules/openapi-fetch'), 'dir');
    expect(await told(process.execPath, 'habits.mjs')).toEqual({ ...HABITS, left: 'enough' });
    expectRequests(api);
    expect(api.record.batches.long).toBe(1);
  });

  it.skipIf(!hasProgram('python3'))('is met by the Python client (needs python3)', async () => {
    await cp(path.join(HERE, 'habits.py'), path.join(folder, 'habits.py'));
    const PYTHONPATH = [path.join(CLIENTS, 'python'), path.join(HERE, 'without-installing')].join(
      path.delimiter,
    );
    const env = { PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1' };
    expect(await told('python3', 'habits.py', env)).toEqual(HABITS);
    expectRequests(api);
  });
});
