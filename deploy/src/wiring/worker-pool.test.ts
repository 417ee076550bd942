import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { asset, marketOf, root } from '@quantloom/compute/testing/fixtures';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openOutages } from './outages.ts';
import { openWorkerPool } from './process-parts.ts';
import { outageSentence } from './readiness.ts';

const CONFIG = { COMPUTE_THREADS: 2, COMPUTE_CACHE_MB: 1 };
const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) };
const prices = marketOf({ AAA: { seed: 2, firstDay: 12_000, bars: 10 } });
/** Answers whatever it is asked as long as its folder has the file `memory`, and cannot start without. */
const WORKER = `
  import { existsSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  if (!existsSync(new URL('./memory', import.meta.url))) throw new Error('no memory for the thread');
  parentPort.on('message', ({ task }) =>
    parentPort.postMessage({ type: 'answer', task, answer: new Uint8Array(), milliseconds: 1, cpuMilliseconds: 1 }));
  parentPort.postMessage({ type: 'ready' });`;

let folder: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'threads-'));
  await writeFile(path.join(folder, 'worker.mjs'), WORKER);
  lines = [];
});
afterEach(() => rm(folder, { recursive: true }));

it('that no thread starts is an outage of this process, told by /ready and in the log, until one starts', async () => {
  const say = (_: object, message: string) => void lines.push(message);
  const log = { info: say, warn: say, error: say };
  const outages = openOutages(log as never);
  const faults: string[] = [];
  const pool = openWorkerPool(CONFIG, {
    outages,
    log,
    workerFile: pathToFileURL(path.join(folder, 'worker.mjs')),
    onFault: ({ message }) => void faults.push(message),
  });
  const run = () => pool.runBacktest({ request, prices, today: '2026-11-21', owner: 'ann', form: 'json' });
  await expect(run()).rejects.toMatchObject({ code: 'dependency_away', dependency: 'threads' });
  const why = 'no computing thread of this process starts';
  expect(await outageSentence(outages)).toMatch(
    new RegExp(`^Pool of computing threads away since .* UTC \\(${why}\\)$`),
  );
  expect(faults).toEqual([why]);
  await writeFile(path.join(folder, 'memory'), '');
  await outages.untilBack(new AbortController().signal, new DependencyAwayError('threads', why));
  await expect(run()).resolves.toBeDefined();
  expect(await outageSentence(outages)).toBeNull();
  // One line for each place, one for all, however often it was tried.
  const away = `The pool of computing threads is away (${why}); what needs it waits until it is back`;
  expect(lines.filter((line) => line.includes('does not start'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('away'))).toEqual([away]);
  await vi.waitFor(() => expect(lines).toContainEqual(expect.stringContaining('threads is back after')));
  await pool.close();
  await outages.close();
});
