import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { openEventStoreDb } from '@quantloom/adapters/event-store/eventstoredb/eventstoredb-event-store';
import type { LogLine } from '@quantloom/projectors/log/log-lines';
import { afterEach, expect, it } from 'vitest';
import { REPOSITORY, removeDataDir } from '../harness/server.ts';
import { writeYear } from './write-year.ts';

/*
 * `quantloom log import` into a server, killed while hundreds of appends are under way. The server is the
 * stand-in, a process of its own that answers after 2 ms; a real one could not be had where this was written.
 */

const EVENTS = 3_000;
const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0).toReversed()) await end();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'quantloom-killed-copies-'));
  toEnd.push(() => removeDataDir(made));
  return made;
}

function start(words: readonly string[], environment: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, words, {
    cwd: REPOSITORY,
    env: { ...process.env, LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  toEnd.push(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
  });
  return child;
}

/** A server with an empty log; resolves with its connection string. */
async function standIn(): Promise<string> {
  const { stdout } = start(['adapters/testing/serve-stand-in.ts', 'eventstore', '2']);
  for await (const url of createInterface({ input: stdout as NodeJS.ReadableStream })) return url;
  throw new Error('The stand-in ended');
}

/** The program on that server; resolves with what it printed. */
async function quantloomOn(url: string, dataDir: string, ...words: readonly string[]): Promise<string> {
  const child = start(['deploy/src/quantloom.ts', ...words], { EVENTSTORE_URL: url, DATA_DIR: dataDir });
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const [code] = await once(child, 'close');
  expect(code, printed).toBe(0);
  return printed;
}

/** Place and id of each event, and its link, which is a hash of all events up to this one. */
const eventsIn = (exported: string) =>
  exported
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => {
      const { id, stream, revision, link } = JSON.parse(line) as LogLine & { link: string };
      return `${stream}@${revision} ${id} ${link}`;
    });

it('goes on where it was killed: nothing is lost, doubled or out of its place', async () => {
  const dataDir = await folder();
  const file = path.join(dataDir, 'year.jsonl');
  await writeYear(file, EVENTS, { mine: { strategies: 400, batches: 200, lists: 50 } });
  const whole = await standIn();
  await quantloomOn(whole, dataDir, 'log', 'import', file);
  // Personal data are sealed on their way in, so the links are not those of the file.
  const wanted = eventsIn(await quantloomOn(whole, dataDir, 'log', 'export'));
  const placesIn = (lines: readonly string[]) => lines.map((line) => line.split(' ').slice(0, 2).join(' '));
  expect(placesIn(wanted)).toEqual(placesIn(eventsIn(await readFile(file, 'utf8'))));
  const watched = await openEventStoreDb({ url: whole });
  const end = Number(await watched.head());
  await watched.close();

  const url = await standIn();
  const target = await openEventStoreDb({ url });
  toEnd.push(() => target.close());
  let killed = 0;
  for (const part of [0.2, 0.7]) {
    const child = start(['deploy/src/quantloom.ts', 'log', 'import', file], {
      EVENTSTORE_URL: url,
      DATA_DIR: dataDir,
    });
    const ended = once(child, 'exit');
    while (child.exitCode === null && Number(await target.head()) < part * end) await wait(5);
    child.kill('SIGKILL');
    const [, signal] = await ended;
    if (signal === 'SIGKILL') killed += 1;
    const copied: string[] = [];
    for await (const { stream, revision, id } of target.readAll(-1n))
      copied.push(`${stream}@${revision} ${id}`);
    expect(copied.length).toBeGreaterThan(0);
    expect(copied).toEqual(placesIn(wanted.slice(0, copied.length)));
  }
  expect(killed).toBeGreaterThan(0);
  await quantloomOn(url, dataDir, 'log', 'import', file);
  expect(eventsIn(await quantloomOn(url, dataDir, 'log', 'export'))).toEqual(wanted);
  expect(await quantloomOn(url, dataDir, 'log', 'verify')).toContain('sound');
}, 600_000);
