import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changedResultLines, resultsThatChange } from './results-that-change.ts';

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

const batch = (name: string, ticker: string, dataVersion: string, end: string, values: string[] = []) => ({
  type: 'BatchBacktestCreated',
  stream: `batch-${name}`,
  data: {
    batchId: name,
    name,
    strategyId: null,
    template: {
      algorithm: {
        node_type: 'root',
        id: 'r',
        name,
        children: [{ node_type: 'asset', id: 'a', ticker }],
      },
      variables: values.length > 0 ? ['$T'] : [],
    },
    variables: values.length > 0 ? [{ name: '$T', values }] : [],
    config: {
      start_date: '2024-01-02',
      end_date: end,
      benchmark_ticker: 'SPY',
      slippage_bps: 0,
      starting_balance: 1000,
    },
    dataVersion,
  },
});

/** Saved strategies that were run once, each with what the log holds of it. */
const strategy = (id: string, ticker: string, dataVersion: string, end: string) => {
  const algorithm = {
    node_type: 'root',
    id: 'r',
    name: id,
    children: [{ node_type: 'asset', id: 'a', ticker }],
  };
  const created = {
    type: 'StrategyCreated',
    stream: `strategy-${id}`,
    revision: 0,
    data: { strategyId: id, ownerId: 'somebody', name: id, description: '', algorithm, isPublic: false },
    metadata: { schemaVersion: 1 },
  };
  const ran = {
    type: 'StrategyRunRecorded',
    stream: `strategyRuns-${id}-2024-06`,
    data: {
      strategyId: id,
      revision: 0,
      dataVersion,
      terms: {
        start_date: '2024-01-02',
        end_date: end,
        benchmark_ticker: 'SPY',
        slippage_bps: 0,
        starting_balance: 1000,
      },
    },
  };
  return [created, ran];
};

/** A log that holds these events and is only read. */
function logOf(
  events: readonly { readonly type: string; readonly stream: string; readonly data: object }[],
): EventStore {
  return {
    async *readAll(_: bigint, { filter }: { filter: { eventTypes: readonly string[] } }) {
      yield* events.filter(({ type }) => filter.eventTypes.includes(type));
    },
    async *readStream(name: string) {
      yield* events.filter(({ stream }) => stream === name);
    },
  } as unknown as EventStore;
}

it('lists the batches that used changed bars, with the figure of then and of now', async () => {
  const { manifest } = await importAll((_, price) => price);
  const { report } = await importAll((date, price) => (date >= '2024-05-01' ? price + 10 : price), true);
  const events = [
    batch('late', 'AAA', manifest.version, '2024-06-28'),
    batch('early', 'AAA', manifest.version, '2024-04-30'),
    batch('other', 'BBB', manifest.version, '2024-06-28'),
    batch('several', '$T', manifest.version, '2024-06-28', ['BBB', 'AAA']),
    batch('gone', 'AAA', '20200101T000000Z-aaaa', '2024-06-28'),
    batch('deleted', 'AAA', manifest.version, '2024-06-28'),
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
    /late \(late\) used AAA; its first combination made \S+ % a year then, \S+ % now/,
  );
  expect(await resultsThatChange(eventStore, marketData, { ...report, series: [] }, '2024-07-01')).toEqual(
    [],
  );
});

it('lists the strategies whose last run used changed bars', async () => {
  const { manifest } = await importAll((_, price) => price);
  const { report } = await importAll((date, price) => (date >= '2024-05-01' ? price + 10 : price), true);
  const log = logOf([
    ...strategy('late', 'AAA', manifest.version, '2024-06-28'),
    ...strategy('early', 'AAA', manifest.version, '2024-04-30'),
    ...strategy('other', 'BBB', manifest.version, '2024-06-28'),
    ...strategy('gone', 'AAA', '20200101T000000Z-aaaa', '2024-06-28'),
    ...strategy('deleted', 'AAA', manifest.version, '2024-06-28'),
    { type: 'StrategyDeleted', stream: 'strategy-deleted', data: { strategyId: 'deleted' } },
    // Run again since: what it came to before is not shown any more.
    ...strategy('again', 'AAA', manifest.version, '2024-06-28'),
    ...strategy('again', 'AAA', report.version, '2024-06-28').slice(1),
  ]);
  await using marketData = await openMarketDataFiles({ dataDir: join(folder, 'data') });

  const results = await resultsThatChange(log, marketData, report, '2024-07-01');

  expect(results).toEqual([
    { kind: 'strategy', id: 'late', name: 'late', tickers: ['AAA'], figure: expect.anything() },
  ]);
  expect(results[0]?.figure?.after).toBeGreaterThan(results[0]?.figure?.before ?? Number.NaN);
  expect(changedResultLines(results).slice(1)).toEqual([
    '1 strategy was last run on prices that are others now:',
    expect.stringMatching(/^ {2}late \(late\) used AAA; it made \S+ % a year then, \S+ % now$/),
  ]);
});
