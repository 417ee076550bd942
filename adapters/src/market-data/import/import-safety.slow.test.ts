import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MarketDataFiles, openMarketDataFiles } from '../files/market-data-files.ts';
import { importFiles } from './import-files.ts';

const CHILD = new URL('./import-child.ts', import.meta.url).pathname;
const DAYS = sessionsBetween(day('1990-01-02'), day('2023-12-29'));

let folder: string;
let dataDir: string;
let marketData: MarketDataFiles;
const children = new Set<ChildProcess>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-safety-'));
  dataDir = join(folder, 'data');
  marketData = await openMarketDataFiles({ dataDir });
});
afterEach(async () => {
  // Also a stopped one, after a test that failed.
  for (const child of children) child.kill('SIGKILL');
  await marketData.close();
  await rm(folder, { recursive: true, force: true });
});

/** A CSV of many tickers whose prices all lie near `level`. */
async function csv(name: string, tickers: number, level: number, days = DAYS): Promise<string> {
  const path = join(folder, name);
  const dates = [...days].map(formatDay);
  const parts = ['date,ticker,adj_close\n'];
  for (let t = 0; t < tickers; t++)
    parts.push(dates.map((date, i) => `${date},T${t},${level + (i % 10) / 100}\n`).join(''));
  await writeFile(path, parts.join(''));
  return path;
}

interface Child {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Resolves with the first line that begins so, or with null when the process has ended. */
  line(start: string): Promise<string | null>;
  readonly ended: Promise<void>;
}

function importInChild(files: readonly string[], shell?: string): Child {
  const command = [process.execPath, CHILD, dataDir, ...files];
  const child = shell
    ? spawn('bash', ['-c', `${shell}; exec "$@"`, 'bash', ...command], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    : spawn(command[0] as string, command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting: { start: string; resolve: (line: string | null) => void }[] = [];
  const reader = createInterface({ input: child.stdout });
  // The reader may still hold lines when the process is gone.
  const ended = Promise.all([once(child, 'close'), once(reader, 'close')]).then(() => {
    for (const { resolve } of waiting.splice(0)) resolve(null);
  });
  children.add(child);
  child.on('close', () => children.delete(child));
  reader.on('line', (text) => {
    lines.push(text);
    for (const one of waiting) if (text.startsWith(one.start)) one.resolve(text);
  });
  return {
    process: child,
    lines,
    ended,
    line: (start) => {
      const known = lines.find((text) => text.startsWith(start));
      return known !== undefined
        ? Promise.resolve(known)
        : new Promise((resolve) => waiting.push({ start, resolve }));
    },
  };
}

/** Every price of the current version, read by somebody who has just started. */
async function wholeLevel(): Promise<{ version: string; tickers: number; level: number }> {
  const fresh = await openMarketDataFiles({ dataDir });
  const { version } = await fresh.current();
  const assets = (await fresh.assets(version)).filter(({ isSimulated }) => !isSimulated);
  const loaded = await fresh.load(
    version,
    assets.map(({ ticker }) => ticker),
  );
  let level = Number.NaN;
  for (const { closes, days } of loaded.values()) {
    expect(days.length).toBe(DAYS.length);
    const own = Math.floor(closes[0] as number);
    for (const close of closes) expect(Math.floor(close)).toBe(own);
    level = own;
  }
  expect(loaded.size).toBe(assets.length);
  await fresh.close();
  return { version, tickers: assets.length, level };
}

describe('the published version', () => {
  it.each(['reading 0', 'reading 10', 'writing 0', 'writing 5', 'writing 9'])(
    'survives a kill -9 of an import at "%s", and the next import works',
    async (moment) => {
      await importFiles({ dataDir, files: [await csv('old.csv', 3, 100)], now: new Date() });
      const before = await wholeLevel();
      const update = await csv('new.csv', 60, 200);
      const child = importInChild([update, '--replace']);
      expect(await child.line(moment)).toBe(moment);
      child.process.kill('SIGKILL');
      await child.ended;
      expect(child.lines.some((text) => text.startsWith('published'))).toBe(false);
      expect(await wholeLevel()).toEqual(before);
      const again = await importFiles({ dataDir, files: [update], now: new Date(), replace: true });
      expect(await wholeLevel()).toEqual({ version: again.manifest.version, tickers: 60, level: 200 });
      expect(await readdir(join(dataDir, 'market-data', 'work'))).toEqual([]);
    },
    120_000,
  );

  it.each(['reading 10', 'writing 0', 'writing 5', 'writing 9'])(
    'has all of its old days or all of its new ones after a kill -9 of an append at "%s"',
    async (moment) => {
      await importFiles({
        dataDir,
        files: [await csv('old.csv', 60, 100, DAYS.slice(0, -20))],
        now: new Date(),
      });
      const lengths = async () => {
        const fresh = await openMarketDataFiles({ dataDir, simulatedTickers: false });
        const { version } = await fresh.current();
        const loaded = await fresh.load(
          version,
          (await fresh.assets(version)).map(({ ticker }) => ticker),
        );
        await fresh.close();
        return [...new Set([...loaded.values()].map(({ days }) => days.length))];
      };
      // Days 20 to the end: price `i % 10` of the whole file goes on where the first part ended.
      const update = await csv('new.csv', 60, 100, DAYS);
      const child = importInChild([update]);
      expect(await child.line(moment)).toBe(moment);
      child.process.kill('SIGKILL');
      await child.ended;
      expect(await lengths()).toEqual([DAYS.length - 20]);
      const again = await importFiles({ dataDir, files: [update], now: new Date() });
      expect(again.report.series?.every(({ action, added }) => action === 'appended' && added === 20)).toBe(
        true,
      );
      expect(await lengths()).toEqual([DAYS.length]);
    },
    120_000,
  );

  it('takes one of two imports at once, and tells the other one why not', async () => {
    const first = importInChild([await csv('a.csv', 40, 100)]);
    await first.line('writing 0');
    // Held in the middle, so that it cannot end before the other one has begun.
    first.process.kill('SIGSTOP');
    const second = importInChild([await csv('b.csv', 40, 200)]);
    const refused = await second.line('failed');
    expect(refused).toContain('failed import_running Another import');
    first.process.kill('SIGCONT');
    await Promise.all([first.ended, second.ended]);
    expect(await wholeLevel()).toMatchObject({ tickers: 40, level: 100 });
  }, 120_000);

  it('survives a full disk', async () => {
    await importFiles({ dataDir, files: [await csv('old.csv', 3, 100)], now: new Date() });
    const before = await wholeLevel();
    const update = await csv('new.csv', 60, 200);
    // No file above one mebibyte, which is what a full disk looks like to a writer.
    const child = importInChild([update, '--replace'], 'trap "" XFSZ; ulimit -f 1024');
    await child.ended;
    expect(child.lines.at(-1)).toMatch(/^failed /);
    expect(await wholeLevel()).toEqual(before);
    expect((await marketData.versions()).filter(({ isSimulated }) => !isSimulated)).toHaveLength(1);
    expect(await readdir(join(dataDir, 'market-data', 'work'))).toEqual([]);
  }, 120_000);

  it('is seen by a service that runs, while its old version can still be read', async () => {
    await importFiles({ dataDir, files: [await csv('old.csv', 3, 100)], now: new Date() });
    const old = await marketData.current();
    const child = importInChild([await csv('new.csv', 3, 200), '--replace']);
    await child.line('published');
    await child.ended;
    const now = await marketData.current();
    expect(now.version > old.version).toBe(true);
    const level = async (version: string) => (await marketData.load(version, ['T1'])).get('T1')?.closes[0];
    expect([await level(old.version), await level(now.version)]).toEqual([100, 200]);
  }, 120_000);
});

describe('a large file', () => {
  it('has the right line beside every row that is left out, though many threads read it', async () => {
    const path = await csv('large.csv', 200, 100);
    const lines = (await readFile(path, 'utf8')).split('\n');
    const bad = [2, 1000, 77_777, 500_001, 999_999, lines.length - 2];
    for (const line of bad) lines[line] = `${(lines[line] as string).slice(0, 10)},T0,0`;
    await writeFile(path, lines.join('\n'));
    const { report } = await importFiles({ dataDir, files: [path], now: new Date() });
    expect(report.rejected.map(({ line, reason }) => [line, reason])).toEqual(
      bad.map((line) => [line + 1, 'non_positive_price']),
    );
  }, 120_000);
});
