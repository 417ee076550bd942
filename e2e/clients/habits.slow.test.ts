import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasProgram } from '../harness/programs.ts';
import { copyOfClient, folderWithClient, pythonEnvironment, run } from './installed.ts';
import { standIn } from './stand-in.ts';

let folder: string;
let api: Awaited<ReturnType<typeof standIn>>;
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

const EXPECTED = {
  seen: ['Queued', 'Running', 'Finished'],
  waits: 'Finished',
  busy: 'Finished',
  late: 'Finished',
  dated: 'Finished',
  stopped: { status: 409, code: 'batch_stopped', message: 'The batch was stopped' },
  broken: { status: 409, code: 'batch_failed', message: 'NOPE has no prices' },
  away: { status: 503, code: 'unknown', message: expect.stringContaining('503') },
  nothing: { status: 404, code: 'batch_not_found', message: 'There is no such batch.' },
  stranger: { status: 401, code: 'invalid_token', message: 'It is another secret.' },
  rows: [
    { n: 1, $W: 'SPY' },
    { n: 2, $W: null },
    { n: 3, $W: 'TLT' },
  ],
  strategies: ['a', 'b', 'c', 'd', 'e'],
  started: ['b1', 'b1'],
};

/** What the API was asked, whichever client asks. */
function expectRequests(): void {
  const { tokens, batches, keys, results, drafts } = api.record;
  // One that is refused, its successor for what follows, and a third when that is refused in turn.
  expect(tokens).toBe(3);
  // What is refused for good is not sent again; what may pass is, as often as was asked for.
  expect(batches).toMatchObject({
    waits: 3,
    busy: 3,
    late: 3,
    dated: 2,
    stopped: 1,
    broken: 1,
    away: 3,
    nothing: 1,
  });
  const [first, again, other] = keys;
  // A batch that is sent again after no answer is the same one; another batch is another one.
  expect([first, again]).toEqual(['mine', 'mine']);
  expect(other).toMatch(/^[\da-f-]{36}$/);
  const query = { sort: ['n:asc'], filter: ['n:gte:1', 'n:lte:3'], format: ['json'], limit: ['2'] };
  expect(results).toEqual([query, { ...query, cursor: ['c2'] }]);
  expect(drafts).toEqual(['0', '2', '4'].map((skip) => ({ search: ['x'], limit: ['2'], skip: [skip] })));
}

describe('an API that is busy, refuses, or answers in pages', () => {
  it('is met by the TypeScript client', async () => {
    const source = await copyOfClient('typescript', folder);
    await run('npm', ['ci'], { cwd: source });
    const clean = await folderWithClient(source, folder);
    // Whoever waits can stop, also while an answer is on the way.
    expect(await told(process.execPath, 'habits.mjs', clean)).toEqual({ ...EXPECTED, left: 'enough' });
    expectRequests();
    expect(api.record.batches.long).toBe(1);
  });

  it.skipIf(!hasProgram('python3'))('is met by the Python client', async () => {
    const program = await pythonEnvironment(folder);
    await run(program('pip'), ['install', '-q', await copyOfClient('python', folder)]);
    expect(await told(program('python'), 'habits.py', folder)).toEqual(EXPECTED);
    expectRequests();
  });
});
