import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { quantloom, REPOSITORY, removeDataDir } from '../harness/server.ts';

/*
 * The program as an operator runs it, killed at moments all over its life, from its first module to its last file. Whatever the moment, the prices
 * are those of before or those of after.
 */

const DATES = [...sessionsBetween(day('1990-01-02'), day('2023-12-29'))].map(formatDay);
const NEW_DAYS = 20;
const TICKERS = Array.from({ length: 60 }, (_, index) => `T${index}`);
const MOMENTS = Array.from({ length: 12 }, (_, index) => (index + 0.5) / 12);

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-killed-import-'));
});
afterAll(() => removeDataDir(dataDir));

async function prices(name: string, dates: readonly string[]): Promise<string> {
  const file = path.join(dataDir, name);
  const rows = TICKERS.map((ticker) =>
    dates.map((date, i) => `${date},${ticker},${100 + i / 100}\n`).join(''),
  );
  await writeFile(file, `date,ticker,adj_close\n${rows.join('')}`);
  return file;
}

/** Milliseconds until the program has ended, or null: it was killed after `lifeMs`. */
async function run(words: readonly string[], lifeMs?: number): Promise<number | null> {
  const began = performance.now();
  const child = spawn(process.execPath, ['deploy/src/quantloom.ts', ...words], {
    cwd: REPOSITORY,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  if (lifeMs !== undefined) {
    await Promise.race([setTimeout(lifeMs), ended]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await ended;
  if (signal === 'SIGKILL') return null;
  expect(code).toBe(0);
  return performance.now() - began;
}

/** Days that each ticker has, as somebody reads them who has just come; one number where all have the same. */
async function daysOfAll(): Promise<{ version: string; days: readonly number[] }> {
  const files = await openMarketDataFiles({ dataDir, simulatedTickers: false });
  try {
    const { version } = await files.current();
    const loaded = await files.load(version, TICKERS);
    expect(loaded.size).toBe(TICKERS.length);
    return { version, days: [...new Set([...loaded.values()].map((series) => series.days.length))] };
  } finally {
    await files.close();
  }
}

it('has the old days or the new ones after a kill of an append and of a way back, at any moment', async () => {
  const old = DATES.length - NEW_DAYS;
  const [first, update] = [
    await prices('old.csv', DATES.slice(0, -NEW_DAYS)),
    await prices('new.csv', DATES),
  ];
  await run(['data', 'import', first]);
  const before = await daysOfAll();
  expect(before.days).toEqual([old]);
  const importMs = await run(['data', 'import', update]);
  const after = await daysOfAll();
  expect(after.days).toEqual([DATES.length]);
  const undoMs = await run(['data', 'use', before.version]);

  let killed = 0;
  for (const moment of MOMENTS) {
    if ((await run(['data', 'import', update], moment * (importMs ?? 0))) === null) killed += 1;
    const now = await daysOfAll();
    if (now.version !== before.version) await run(['data', 'use', before.version]);
    expect(now.days).toEqual([now.version === before.version ? old : DATES.length]);
  }
  // How many depends on how busy the machine was while it was timed.
  expect(killed).toBeGreaterThan(0);

  for (const moment of MOMENTS) {
    await run(['data', 'use', after.version]);
    await run(['data', 'use', before.version], moment * (undoMs ?? 0));
    const { version, days } = await daysOfAll();
    expect([before.version, after.version]).toContain(version);
    expect(days).toEqual([version === before.version ? old : DATES.length]);
  }

  await run(['data', 'use', before.version]);
  await run(['data', 'import', update]);
  expect((await daysOfAll()).days).toEqual([DATES.length]);
  expect(await readdir(path.join(dataDir, 'market-data', 'work'))).toEqual([]);
  expect((await quantloom(dataDir, 'data', 'list')).code).toBe(0);
}, 600_000);
