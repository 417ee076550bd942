import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangedResults, MOST_LISTED_RESULTS } from '@quantloom/domain/market-data/changed-results';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changedBarsFileOf, openChangedResults } from './changed-results.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'));
  await writeFile(changedBarsFileOf(folder, 'r'), '{}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ROW = { ticker_count: 1, changed_from: '2024-05-01', tickers: ['KO'], figure: { before: 1, after: 2 } };
const rows = [
  { ...ROW, id: 'own', name: 'Own', ownerId: 'me', isPublic: false },
  { ...ROW, id: 'public', name: 'Public', ownerId: 'you', isPublic: true },
  { ...ROW, id: 'private', name: 'Secret', ownerId: 'you', isPublic: false },
];
const found = (state: string) => ({
  state,
  batches: { total: 3, rows },
  strategies: { total: 3, rows },
  tries: 1,
});

/** A program that counts its starts, writes what it is told, and ends as it is told. */
async function open(body: string) {
  const file = join(folder, 'program.mjs');
  await writeFile(
    file,
    `import { appendFileSync, writeFileSync } from 'node:fs';
    process.once('message', (job) => { appendFileSync(${JSON.stringify(join(folder, 'starts'))}, 'x'); ${body} });`,
  );
  return openChangedResults({ file: new URL(`file://${file}`), settings: {} });
}
const writing = (state: string) =>
  `writeFileSync(job.resultsFile, ${JSON.stringify(JSON.stringify({ ...found(state) }))});`;
const starts = async () => (await readFile(join(folder, 'starts'), 'utf8')).length;

const until = (results: { of: ReturnType<typeof openChangedResults>['of'] }, state: string, viewer = 'me') =>
  vi.waitFor(
    async () => {
      const told = await results.of(folder, 'r', viewer);
      expect(told?.state).toBe(state);
      return told as ChangedResults;
    },
    { timeout: 30_000, interval: 50 },
  );

describe('the search for changed results', () => {
  it('is begun once, however many ask at a time, and nobody is told that there is nothing', async () => {
    const results = await open(`${writing('ready')} process.exit();`);
    const told = await Promise.all(Array.from({ length: 8 }, () => results.of(folder, 'r', 'me')));
    expect(told.map((one) => one?.state)).not.toContain(undefined);
    await until(results, 'ready');
    await results.of(folder, 'r', 'me');
    expect(await starts()).toBe(1);
  });

  it('names to each viewer only what is his own or public', async () => {
    const results = await open(`${writing('ready')} process.exit();`);
    const mine = await until(results, 'ready');
    expect(
      mine.strategies.items.map(({ name, tickers, figure }) => [name, tickers, figure !== null]),
    ).toEqual([
      ['Own', ['KO'], true],
      ['Public', ['KO'], false],
      [null, [], false],
    ]);
    expect(mine.batches.items.map(({ figure }) => figure !== null)).toEqual([true, true, false]);
    const ofAnother = await until(results, 'ready', 'somebody');
    expect(ofAnother.batches.items.map(({ name }) => name)).toEqual([null, 'Public', null]);
  });

  it('keeps what a killed process has found, and says that it is not all', async () => {
    const results = await open(`${writing('figures')} process.kill(process.pid, 'SIGKILL');`);
    const told = await until(results, 'stopped');
    expect(told.batches.total).toBe(3);
    expect(await starts()).toBe(1);
  });

  it('is begun again where it was lost with its machine, and in the end given up', async () => {
    const results = await open(`${writing('ready')} process.exit();`);
    const file = join(folder, 'results-r.json');
    const long = new Date(Date.now() - 600_000);
    await writeFile(file, JSON.stringify({ ...found('listing'), tries: 3 }));
    await utimes(file, long, long);
    expect((await results.of(folder, 'r', 'me'))?.state).toBe('stopped');
    await writeFile(file, JSON.stringify({ ...found('listing'), tries: 2 }));
    await utimes(file, long, long);
    expect((await results.of(folder, 'r', 'me'))?.state).toBe('listing');
    await until(results, 'ready');
  });

  it('is not begun again where it was stopped, and lists no more than fits, with how many there are', async () => {
    const results = await open(`${writing('ready')} process.exit();`);
    const file = join(folder, 'results-r.json');
    const long = new Date(Date.now() - 600_000);
    const many = Array.from({ length: MOST_LISTED_RESULTS + 1 }, (_, i) => ({ ...rows[0], id: `r${i}` }));
    const list = { total: many.length, rows: many };
    await writeFile(file, JSON.stringify({ ...found('stopped'), batches: list }));
    await utimes(file, long, long);
    const told = await results.of(folder, 'r', 'me');
    expect(told?.state).toBe('stopped');
    expect(told?.batches.total).toBe(MOST_LISTED_RESULTS + 1);
    expect(told?.batches.items).toHaveLength(MOST_LISTED_RESULTS);
    await expect(starts()).rejects.toThrow('ENOENT');
  });

  it('is not begun where an import left nothing to look for', async () => {
    const results = await open(writing('ready'));
    expect(await results.of(folder, 'other', 'me')).toBeNull();
  });
});
