import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasProgram } from '../harness/programs.ts';
import { expectRequests, HABITS } from './habits.ts';
import { copyOfClient, folderWithClient, pythonEnvironment, run } from './installed.ts';
import { type StandIn, standIn } from './stand-in.ts';

let folder: string;
let api: StandIn;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'quantloom-habits-'));
});
beforeEach(async () => {
  api = await standIn();
  return () => api.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const told = async (program: string, file: string, cwd: string) => {
  await cp(path.join(import.meta.dirname, file), path.join(cwd, file));
  const { stdout } = await run(program, [file], { cwd, env: { ...process.env, QUANTLOOM_URL: api.url } });
  return JSON.parse(stdout) as unknown;
};

describe('an API that is busy, refuses, or answers in pages', () => {
  it('is met by the TypeScript client', async () => {
    const source = await copyOfClient('typescript', folder);
    await run('npm', ['ci'], { cwd: source });
    const clean = await folderWithClient(source, folder);
    // Whoever waits can stop, also while an answer is on the way.
    expect(await told(process.execPath, 'habits.mjs', clean)).toEqual({ ...HABITS, left: 'enough' });
    expectRequests(api);
    expect(api.record.batches.long).toBe(1);
  });

  it.skipIf(!hasProgram('python3'))('is met by the Python client', async () => {
    const program = await pythonEnvironment(folder);
    await run(program('pip'), ['install', '-q', await copyOfClient('python', folder)]);
    expect(await told(program('python'), 'habits.py', folder)).toEqual(HABITS);
    expectRequests(api);
  });
});
