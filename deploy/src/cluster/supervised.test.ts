import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freePort } from './free-port.ts';
import { Supervised } from './supervised.ts';

/** Answers `/ready`, says how it was started, ends when it is asked to, and dies when it is asked for `/die`. */
const PROGRAM = `
  import { createServer } from 'node:http';
  const { PORT, HOST, OWN, PATH } = process.env;
  createServer(({ url }, response) => {
    if (url === '/die') process.exit(3);
    response.end();
  }).listen(Number(PORT), HOST, () => console.log([HOST, OWN, PATH !== undefined].join(' ')));
  process.on('SIGTERM', () => process.exit(0));`;

/** On a busy machine a process takes its time. */
const SOON = { timeout: 30_000 };

let folder: string;
let one: Supervised;
let lines: string[];
let deaths: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'supervised-'));
  await writeFile(path.join(folder, 'sample.mjs'), PROGRAM);
  [lines, deaths] = [[], []];
  const services = path.join(import.meta.dirname, '../services');
  const file = path.relative(services, path.join(folder, 'sample.mjs'));
  one = new Supervised(
    { name: 'sample-1', file, port: await freePort(), environment: { OWN: 'mine', HOST: 'elsewhere' } },
    { onLine: (line) => void lines.push(line), onDeath: (how) => void deaths.push(how) },
  );
});
afterEach(async () => {
  await one.stop();
  await rm(folder, { recursive: true });
});

it('starts a process that dies again, and tells of it; one that was stopped stays so', async () => {
  expect(one.pid).toBeNull();
  expect(await one.isReady()).toBe(false);
  one.start();
  await one.whenReady();
  await expect.poll(() => lines, SOON).toEqual(['127.0.0.1 mine true']);
  const first = one.pid;
  await fetch(`${one.url}/die`).catch(() => undefined);
  await vi.waitFor(() => expect(deaths).toEqual(['3']), SOON);
  await one.whenReady();
  expect(one.pid).not.toBe(first);
  expect(one.signal('SIGKILL')).toBe(true);
  await vi.waitFor(() => expect(deaths).toEqual(['3', 'SIGKILL']), SOON);
  await one.whenReady();
  await one.stop();
  expect(one.pid).toBeNull();
  expect(one.signal('SIGTERM')).toBe(false);
  expect(deaths).toHaveLength(2);
  await expect(one.whenReady(300)).rejects.toThrow('sample-1 was not ready after 300 ms');
});

it('does not start it again where it dies while it is stopped', async () => {
  one.start();
  await one.whenReady();
  await fetch(`${one.url}/die`).catch(() => undefined);
  await vi.waitFor(() => expect(deaths).toHaveLength(1), SOON);
  // Within the moment before it would start again.
  await one.stop();
  await once(AbortSignal.timeout(800), 'abort');
  expect(one.pid).toBeNull();
});
