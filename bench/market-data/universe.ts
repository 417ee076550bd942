/**
 * A universe of simulated tickers through the import: time, disk, start of a service, and what a backtest of
 * five tickers reads.
 *
 *     node bench/market-data/universe.ts [--tickers 10000] [--days 9300] [--folder /path/with/space]
 *
 * Times depend on the machine; the ratios are against work of the same run: reading the same CSV with DuckDB
 * and counting its rows, and the start on an empty data folder.
 */
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { openMarketDataFiles } from '@quantloom/adapters/market-data/files/market-data-files';
import { importFiles } from '@quantloom/adapters/market-data/import/import-files';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';

const { values } = parseArgs({
  options: {
    tickers: { type: 'string', default: '10000' },
    days: { type: 'string', default: '9300' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const tickerCount = Number(values.tickers);
const dayCount = Number(values.days);
const folder = await mkdtemp(join(values.folder, 'universe-'));

function tickerOf(index: number): string {
  return `T${index.toString(36).toUpperCase().padStart(4, '0')}`;
}

/** One more than the days of the universe: the last is appended. */
const days = [...sessionsBetween(day('1954-01-04'), day('2026-11-20')).slice(-dayCount - 1)].map(formatDay);
/** The last price of every ticker. */
const lastPrices: string[] = [];

async function writeCsv(path: string): Promise<void> {
  const random = new Random('universe');
  const out = createWriteStream(path, { highWaterMark: 4 << 20 });
  out.write('date,ticker,adj_close\n');
  for (let t = 0; t < tickerCount; t++) {
    const ticker = tickerOf(t);
    let price = 10 + random.uniform() * 100;
    let text = '';
    for (const date of days.slice(0, -1)) {
      price *= 1 + 0.012 * random.normal();
      text += `${date},${ticker},${price.toFixed(4)}\n`;
    }
    lastPrices.push(price.toFixed(4));
    if (!out.write(text)) await new Promise<void>((resolve) => out.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve) => out.end(() => resolve()));
}

/** The last day of the universe, as it is stored, and one more. */
async function writeDay(path: string): Promise<void> {
  const rows = lastPrices.flatMap((price, t) => [
    `${days.at(-2)},${tickerOf(t)},${price}`,
    `${days.at(-1)},${tickerOf(t)},${(Number(price) * 1.001).toFixed(4)}`,
  ]);
  await writeFile(path, `date,ticker,adj_close\n${rows.join('\n')}\n`);
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ seconds: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

/** Bytes that this process has read through system calls (Linux), or null elsewhere. */
function bytesRead(): number | null {
  try {
    return Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

/** What a service does with the data folder before it answers. */
async function startService(dataDir: string) {
  const marketData = await openMarketDataFiles({ dataDir });
  const { version } = await marketData.current();
  const assets = await marketData.assets(version);
  return { marketData, version, assets };
}

const row = (name: string, value: string) => console.log(`${name.padEnd(58)} ${value}`);
try {
  const csv = join(folder, 'universe.csv');
  const written = await timed(() => writeCsv(csv));
  const csvBytes = statSync(csv).size;
  row(
    `CSV of ${tickerCount} tickers x ${dayCount} days written`,
    `${(csvBytes / 1e6).toFixed(0)} MB, ${written.seconds.toFixed(1)} s`,
  );

  const counted = await timed(async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `SELECT count(*), max(adj_close) FROM read_csv('${csv}', header = true, columns = {'date': ` +
        "'DATE', 'ticker': 'VARCHAR', 'adj_close': 'DOUBLE'})",
    );
    connection.closeSync();
    return Number(reader.getRows()[0]?.[0]);
  });
  row('baseline: DuckDB reads the CSV and counts', `${counted.seconds.toFixed(1)} s, ${counted.result} rows`);

  const dataDir = join(folder, 'data');
  const imported = await timed(() => importFiles({ dataDir, files: [csv], now: new Date() }));
  const { rows, rejectedRows } = imported.result.report;
  row(
    'import',
    `${imported.seconds.toFixed(1)} s = ${(imported.seconds / counted.seconds).toFixed(2)} x ` +
      `baseline, ${(rows / imported.seconds / 1e6).toFixed(2)} M rows/s, ${rejectedRows} rejected`,
  );
  row('peak memory of the process', `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);
  await rm(csv);
  const version = imported.result.manifest.version;
  const size = (name: string) => statSync(join(dataDir, 'market-data', 'versions', version, name)).size;
  row(
    'disk',
    `prices ${(size('prices.bin') / 1e6).toFixed(0)} MB = ` +
      `${(size('prices.bin') / rows).toFixed(2)} bytes a price, assets ` +
      `${(size('assets.json') / 1e6).toFixed(1)} MB, report ` +
      `${(size('report.json') / 1e6).toFixed(1)} MB`,
  );

  const more = join(folder, 'day.csv');
  await writeDay(more);
  const appended = await timed(() => importFiles({ dataDir, files: [more], now: new Date() }));
  const changes = appended.result.report.series ?? [];
  row(
    `a day appended to ${changes.filter(({ action, lost }) => action === 'appended' && lost === 0).length} tickers`,
    `${appended.seconds.toFixed(1)} s`,
  );
  row('peak memory of the process by then', `${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`);

  const empty = await timed(() => startService(join(folder, 'empty')));
  await empty.result.marketData.close();
  const started = await timed(() => startService(dataDir));
  row(
    'start of a service',
    `${(started.seconds * 1000).toFixed(0)} ms with this universe, ` +
      `${(empty.seconds * 1000).toFixed(0)} ms with the demo data set`,
  );

  const { marketData } = started.result;
  const before = bytesRead();
  const loaded = await timed(() =>
    marketData.load(
      version,
      [0, 1, 2, 3, 4].map((i) => tickerOf(i * Math.floor(tickerCount / 5))),
    ),
  );
  const after = bytesRead();
  row(
    'five tickers loaded',
    `${(loaded.seconds * 1000).toFixed(1)} ms, ` +
      `${before === null || after === null ? '?' : ((after - before) / 1e6).toFixed(2)} MB read`,
  );
  await marketData.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
