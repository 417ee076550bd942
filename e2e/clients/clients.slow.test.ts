import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../harness/programs.ts';
import { API_CLIENT, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { copyOfClient, folderWithClient, pythonEnvironment, run } from './installed.ts';
import { thousandRows } from './thousand-rows.ts';

const DOCUMENT = path.join(REPOSITORY, 'http/src/developer-docs/openapi.json');
const HERE = import.meta.dirname;

let server: RunningServer;
let folder: string;
let job: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quantloom-clients-'));
  job = path.join(folder, 'job.json');
  await writeFile(job, JSON.stringify(thousandRows()));
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
  await rm(folder, { recursive: true, force: true });
});

const settings = () => ({
  ...process.env,
  QUANTLOOM_URL: server.url,
  QUANTLOOM_CLIENT_ID: API_CLIENT.id,
  QUANTLOOM_CLIENT_SECRET: API_CLIENT.secret,
});
const EXPECTED = {
  combinations: 1000,
  status: 'Finished',
  rows: 1000,
  magic: 'PAR1',
  refused: '404 batch_not_found',
  metrics: expect.objectContaining({ duration: 1824 }),
  verdict: expect.stringMatching(/^(likely_luck|may_be_real|too_little_data|not_tested|simulated_prices)$/),
  sentence: expect.stringMatching(/\w/),
};

describe('the TypeScript client', () => {
  it('has the types of the document, and does the main job from a clean folder', async () => {
    const source = await copyOfClient('typescript', folder);
    await run('npm', ['ci'], { cwd: source });
    const fresh = path.join(folder, 'schema.ts');
    await run('npx', ['openapi-typescript', DOCUMENT, '-o', fresh, '--alphabetize'], { cwd: source });
    const kept = await readFile(path.join(source, 'src/schema.ts'), 'utf8');
    expect((await readFile(fresh, 'utf8')) === kept, 'run `npm run types` in clients/typescript').toBe(true);
    // Two documents are not ours to describe: debug data, and the strategy of another tool.
    const open = kept
      .split('\n')
      .filter((line) => /\bany\b(?![^"]*\*)|: unknown/.test(line.replace(/^\s*\*.*/, '')));
    expect(
      open.filter((line) => !/^\s*(\/\*\*|\[name: string\]: unknown;)/.test(line)).map((line) => line.trim()),
    ).toEqual(['[key: string]: unknown;', '[key: string]: unknown;']);
    const clean = await folderWithClient(source, folder);
    await cp(path.join(HERE, 'main-job.mjs'), path.join(clean, 'main-job.mjs'));
    const { stdout } = await run(process.execPath, ['main-job.mjs', job], { cwd: clean, env: settings() });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });

  it('is made from a document without a warning', async () => {
    const { stdout, stderr } = await run(
      'npx',
      ['--yes', '--package=@redocly/cli@2.32.2', 'redocly', 'lint', DOCUMENT],
      { cwd: folder, env: { ...process.env, REDOCLY_TELEMETRY: 'off', NO_COLOR: '1' } },
    );
    expect(`${stdout}${stderr}`).toMatch(/valid/);
    expect(`${stdout}${stderr}`).not.toMatch(/warning/);
  });
});

describe.skipIf(!hasProgram('python3'))('the Python client', () => {
  it('has the types of the document, and does the main job from a clean environment', async () => {
    const program = await pythonEnvironment(folder);
    const source = await copyOfClient('python', folder);
    await run(program('pip'), ['install', '-q', `${source}[pandas,polars,arrow]`]);
    const { stdout } = await run(program('python'), [path.join(HERE, 'main_job.py'), job], {
      cwd: folder,
      env: settings(),
    });
    expect(JSON.parse(stdout)).toEqual(EXPECTED);

    await run(program('pip'), [
      'install',
      '-q',
      `${source}[generate]`,
      'openapi-python-client==0.29.1',
      'ruff',
    ]);
    const env = { ...process.env, PATH: `${path.dirname(program('python'))}:${process.env.PATH}` };
    const fresh = path.join(folder, 'types.py');
    await run(path.join(REPOSITORY, 'clients/python/generate.sh'), [fresh], { env });
    const kept = await readFile(path.join(source, 'quantloom/types.py'), 'utf8');
    expect((await readFile(fresh, 'utf8')) === kept, 'run clients/python/generate.sh').toBe(true);
    const generated = await run(
      program('openapi-python-client'),
      ['generate', '--path', DOCUMENT, '--output-path', path.join(folder, 'generated'), '--meta', 'none'],
      { env },
    );
    expect(`${generated.stdout}${generated.stderr}`).not.toMatch(/warning|error/i);
  });
});
