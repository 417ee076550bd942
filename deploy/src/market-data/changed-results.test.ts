import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles, previewImport } from '@quantloom/adapters/market-data/import/import-files';
import type { StoredResults } from '@quantloom/adapters/market-data/uploads/changed-results';
import { changedBarsOf } from '@quantloom/domain/market-data/changed-results';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findChangedResults } from './changed-results.ts';
import { batchCreated, logOf, strategyRun } from './sample-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const DATES = [...sessionsBetween(19_724, 19_850)].map(formatDay);
const LAST = DATES.at(-1) as string;
const now = new Date('2024-07-01T12:00:00Z');

async function pricesFile(dates: readonly string[], change: (date: string, price: number) => number) {
  const rows = dates.flatMap((date, i) => [
    `${date},AAA,${change(date, 100 + i)}`,
    `${date},BBB,${200 + i}`,
    `${date},SPY,${400 + i}`,
  ]);
  const path = join(folder, 'prices.csv');
  await writeFile(path, `date,ticker,adj_close\n${rows.join('\n')}\n`);
  return { dataDir: join(folder, 'data'), files: [path], now };
}

const asTheyAre = (_: string, price: number) => price;
const corrected = (date: string, price: number) => (date >= '2024-05-01' ? price + 10 : price);

async function search(
  events: Parameters<typeof logOf>[0],
  changed: ReturnType<typeof changedBarsOf>,
): Promise<readonly Omit<StoredResults, 'tries'>[]> {
  await using marketData = await openMarketDataFiles({ dataDir: join(folder, 'data') });
  const told: Omit<StoredResults, 'tries'>[] = [];
  const tell = async (found: Omit<StoredResults, 'tries'>) => {
    told.push(found);
  };
  await findChangedResults({
    log: logOf(events),
    marketData,
    changed,
    askedBy: 'me',
    today: '2024-07-01',
    tell,
  });
  return told;
}

describe('the results that an import changes', () => {
  it('are those of which a bar that they used is another one, the own ones with figures', async () => {
    const { manifest } = await importFiles(await pricesFile(DATES, asTheyAre));
    const { report } = await importFiles({ ...(await pricesFile(DATES, corrected)), replace: true });
    const then = manifest.version;
    const events = [
      batchCreated('mine', 'AAA', then, LAST, { userId: 'me' }),
      batchCreated('early', 'AAA', then, '2024-04-30', { userId: 'me' }),
      batchCreated('unrelated', 'BBB', then, LAST, { userId: 'me' }),
      batchCreated('public', 'AAA', then, LAST, { isPublic: true }),
      batchCreated('private', 'AAA', then, LAST),
      batchCreated('private-now', 'AAA', then, LAST, { isPublic: true }),
      {
        type: 'BatchVisibilityChanged',
        stream: 'batch-private-now',
        data: { batchId: 'private-now', isPublic: false },
      },
      ...strategyRun('own', 'AAA', then, LAST, { ownerId: 'me' }),
      ...strategyRun('shown', 'AAA', then, LAST, { isPublic: true }),
      ...strategyRun('hidden', 'AAA', then, LAST),
      ...strategyRun('fresh', 'AAA', report.version, LAST),
    ];
    const told = await search(events, changedBarsOf(report, false));
    expect(told.map(({ state }) => state)).toEqual(['figures', 'figures', 'figures', 'figures', 'ready']);
    const { batches, strategies } = told.at(-1) as StoredResults;
    expect(batches.total).toBe(4);
    expect(batches.rows.map(({ id, name, tickers }) => [id, name, tickers])).toEqual([
      ['mine', 'mine', ['AAA']],
      ['public', 'public', ['AAA']],
      ['private-now', null, []],
      ['private', null, []],
    ]);
    expect(batches.rows[0]).toMatchObject({ changed_from: '2024-05-01', ticker_count: 1 });
    expect(batches.rows.map(({ figure }) => figure !== null)).toEqual([true, true, false, false]);
    expect(batches.rows[0]?.figure?.after).toBeGreaterThan(batches.rows[0]?.figure?.before ?? Number.NaN);
    expect(strategies.rows.map(({ id, name, figure }) => [id, name, figure !== null])).toEqual([
      ['own', 'own', true],
      // A public strategy has a name; what its owner came to with it is the owner's.
      ['shown', 'shown', false],
      ['hidden', null, false],
    ]);
  });

  it('are told before the import, without figures', async () => {
    const { manifest } = await importFiles(await pricesFile(DATES, asTheyAre));
    const report = await previewImport({ ...(await pricesFile(DATES, corrected)), replace: true });
    const told = await search(
      [
        batchCreated('mine', 'AAA', manifest.version, LAST, { userId: 'me' }),
        batchCreated('early', 'AAA', manifest.version, '2024-04-30', { userId: 'me' }),
        // Its last close is the first one that is another.
        batchCreated('just', 'AAA', manifest.version, '2024-05-01', { userId: 'me' }),
      ],
      changedBarsOf(report, true),
    );
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({
      state: 'ready',
      batches: { total: 2, rows: [{ id: 'just' }, { id: 'mine', changed_from: '2024-05-01', figure: null }] },
    });
  });

  it('are none where days were added behind their ends', async () => {
    const { manifest } = await importFiles(await pricesFile(DATES.slice(0, -3), asTheyAre));
    const { report } = await importFiles(await pricesFile(DATES, asTheyAre));
    const used = DATES.at(-4) as string;
    const told = await search(
      [
        batchCreated('mine', 'AAA', manifest.version, used, { userId: 'me' }),
        // Its terms go on, its last run ended with the prices of then.
        ...strategyRun('own', 'AAA', manifest.version, LAST, { ownerId: 'me', lastDay: used }),
      ],
      changedBarsOf(report, false),
    );
    expect(told.at(-1)).toMatchObject({ state: 'ready', batches: { total: 0 }, strategies: { total: 0 } });
  });

  it('are also those whose conditions look at a series with other values', async () => {
    await importFiles(await pricesFile(DATES, asTheyAre));
    const fear = join(folder, 'fear.csv');
    const series = async (change: (date: string) => number) => {
      await writeFile(fear, `date,fear\n${DATES.map((date) => `${date},${change(date)}\n`).join('')}`);
      return importFiles({ dataDir: join(folder, 'data'), files: [fear], series: '@FEAR', lagDays: 1, now });
    };
    const then = (await series(() => 10)).manifest.version;
    const { report } = await series((date) => (date >= '2024-04-02' ? 30 : 10));
    const told = await search(
      [
        batchCreated('looks', 'AAA', then, LAST, { userId: 'me', lookedAt: '@FEAR' }),
        batchCreated('before', 'AAA', then, '2024-04-01', { userId: 'me', lookedAt: '@FEAR' }),
        batchCreated('without', 'AAA', then, LAST, { userId: 'me' }),
        batchCreated('namesake', 'FEAR', then, LAST, { userId: 'me' }),
      ],
      changedBarsOf(report, false),
    );
    const [row, ...others] = told.at(-1)?.batches.rows ?? [];
    expect(others).toEqual([]);
    expect(row).toMatchObject({ id: 'looks', tickers: ['@FEAR'], changed_from: '2024-04-03' });
    expect(row?.figure?.before).not.toBe(row?.figure?.after);
  });

  it('leave out a result that was computed on the same bars in another version', async () => {
    await importFiles(await pricesFile(DATES, asTheyAre));
    const first = await importFiles({ ...(await pricesFile(DATES, corrected)), replace: true });
    await importFiles({ ...(await pricesFile(DATES, asTheyAre)), replace: true });
    const { report } = await importFiles({ ...(await pricesFile(DATES, corrected)), replace: true });
    const told = await search(
      [batchCreated('mine', 'AAA', first.manifest.version, LAST, { userId: 'me' })],
      changedBarsOf(report, false),
    );
    expect(told.at(-1)).toMatchObject({ batches: { total: 0 } });
  });

  it('are counted in full and listed in part', async () => {
    const { manifest } = await importFiles(await pricesFile(DATES, asTheyAre));
    const report = await previewImport({ ...(await pricesFile(DATES, corrected)), replace: true });
    const events = Array.from({ length: 1_000 }, (_, i) =>
      batchCreated(`b${i}`, 'AAA', manifest.version, LAST, { userId: i === 0 ? 'me' : 'you' }),
    );
    const [told] = await search(events, changedBarsOf(report, true));
    expect(told?.batches.total).toBe(1_000);
    expect(told?.batches.rows).toHaveLength(100);
    expect(told?.batches.rows.slice(0, 2).map(({ id }) => id)).toEqual(['b0', 'b999']);
  });
});
