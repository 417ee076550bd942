import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedResultLines, resultsThatChange } from './results-that-change.ts';
import { batchCreated, logOf, strategyRun } from './sample-log.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const DATES = [...sessionsBetween(19_724, 19_850)].map(formatDay);
const now = new Date('2024-07-01T12:00:00Z');

/** A row for each ticker and day; `change` moves prices of AAA. */
async function importAll(change: (date: string, price: number) => number, replace = false) {
  const rows = DATES.flatMap((date, i) => [
    `${date},AAA,${change(date, 100 + i)}`,
    `${date},BBB,${200 + i}`,
    `${date},SPY,${400 + i}`,
  ]);
  const path = join(folder, 'prices.csv');
  await writeFile(path, `date,ticker,adj_close\n${rows.join('\n')}\n`);
  return importFiles({ dataDir: join(folder, 'data'), files: [path], now, replace });
}

it('lists the batches that used changed bars, with the figure of then and of now', async () => {
  const { manifest } = await importAll((_, price) => price);
  const { report } = await importAll((date, price) => (date >= '2024-05-01' ? price + 10 : price), true);
  const events = [
    batchCreated('late', 'AAA', manifest.version, '2024-06-28'),
    batchCreated('early', 'AAA', manifest.version, '2024-04-30'),
    batchCreated('other', 'BBB', manifest.version, '2024-06-28'),
    batchCreated('several', '$T', manifest.version, '2024-06-28', { values: ['BBB', 'AAA'] }),
    batchCreated('gone', 'AAA', '20200101T000000Z-aaaa', '2024-06-28'),
    batchCreated('deleted', 'AAA', manifest.version, '2024-06-28'),
    { type: 'BatchBacktestDeleted', stream: 'batch-deleted', data: {} },
  ];
  const eventStore = logOf(events);
  await using marketData = await openMarketDataFiles({ dataDir: join(folder, 'data') });
  const results = await resultsThatChange(eventStore, marketData, report, '2024-07-01');
  expect(results.map(({ name, tickers }) => [name, tickers])).toEqual([
    ['several', ['AAA']],
    ['late', ['AAA']],
  ]);
  const [several, late] = results;
  expect(late?.figure?.after).toBeGreaterThan(late?.figure?.before ?? Number.NaN);
  // Its first combination holds BBB, of which nothing has changed.
  expect(several?.figure?.after).toBe(several?.figure?.before);
  expect(changedResultLines(results)[1]).toBe('2 batches used prices that are others now:');
  expect(changedResultLines(results)[3]).toMatch(
    /late \(late\) used AAA; its first combination made \S+% a year then, \S+% now/,
  );
  expect(await resultsThatChange(eventStore, marketData, { ...report, series: [] }, '2024-07-01')).toEqual(
    [],
  );
});

it('lists the strategies whose last run used changed bars', async () => {
  const { manifest } = await importAll((_, price) => price);
  const { report } = await importAll((date, price) => (date >= '2024-05-01' ? price + 10 : price), true);
  const log = logOf([
    ...strategyRun('late', 'AAA', manifest.version, '2024-06-28'),
    ...strategyRun('early', 'AAA', manifest.version, '2024-04-30'),
    ...strategyRun('other', 'BBB', manifest.version, '2024-06-28'),
    ...strategyRun('gone', 'AAA', '20200101T000000Z-aaaa', '2024-06-28'),
    ...strategyRun('deleted', 'AAA', manifest.version, '2024-06-28'),
    { type: 'StrategyDeleted', stream: 'strategy-deleted', data: { strategyId: 'deleted' } },
    // Run again since: what it came to before is not shown any more.
    ...strategyRun('again', 'AAA', manifest.version, '2024-06-28'),
    ...strategyRun('again', 'AAA', report.version, '2024-06-28').slice(1),
  ]);
  await using marketData = await openMarketDataFiles({ dataDir: join(folder, 'data') });

  const results = await resultsThatChange(log, marketData, report, '2024-07-01');

  expect(results).toEqual([
    { kind: 'strategy', id: 'late', name: 'late', tickers: ['AAA'], figure: expect.anything() },
  ]);
  expect(results[0]?.figure?.after).toBeGreaterThan(results[0]?.figure?.before ?? Number.NaN);
  expect(changedResultLines(results).slice(1)).toEqual([
    '1 strategy was last run on prices that are others now:',
    expect.stringMatching(/^ {2}late \(late\) used AAA; it made \S+% a year then, \S+% now$/),
  ]);
});
