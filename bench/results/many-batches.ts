/**
 * Thousands of small batches in the result store: time and memory per 500 of them must not grow with the
 * number that are there.
 *
 *   node bench/results/many-batches.ts [batches] [rows of each]     default 3,000 and 1
 *
 * On the embedded store, and on ClickHouse where `CLICKHOUSE_URL` is set.
 */
import { join } from 'node:path';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { sampleBlock } from '@quantloom/adapters/result-store/sample-block';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { elapsed, inFolder, report } from '../adapters/measure.ts';

const BATCHES = Number(process.argv[2] ?? 3_000);
const ROWS = Number(process.argv[3] ?? 1);
const STEP = 500;

const megabytes = () => process.memoryUsage.rss() / 1e6;
const idOf = (i: number) => `batch-${i}`;

async function measure(name: string, open: () => Promise<ResultStore>): Promise<void> {
  let store = await open();
  const variables = [{ name: '$N', values: Array.from({ length: ROWS }, (_, n) => n) }];
  for (let first = 0; first < BATCHES; first += STEP) {
    const past = Math.min(BATCHES, first + STEP);
    const write = await elapsed(async () => {
      for (let i = first; i < past; i += 1) {
        await store.createBatch(idOf(i), variables);
        await store.append(sampleBlock(idOf(i), { from: 0, count: ROWS }, [ROWS]));
      }
    });
    const read = await elapsed(async () => {
      // Of all that are there, not only of the last ones.
      for (let i = 0; i < past; i += Math.ceil(past / 100))
        await store.query(idOf(i), { sort: { column: 'sharpe_ratio', direction: 'desc' }, limit: 100 });
    });
    report(`${name} ${past} batches`, {
      write_ms_each: write / (past - first),
      read_ms_each: read / 100,
      rss_mb: megabytes(),
    });
  }
  const stop = await elapsed(() => store.close());
  const start = await elapsed(async () => {
    store = await open();
  });
  report(`${name} stop and start`, { stop_ms: stop, start_ms: start, rss_mb: megabytes() });
  await store.close();
}

await inFolder(async (folder) => {
  await measure('embedded', () =>
    openDuckDbResultStore({ folder: join(folder, 'results'), memoryLimit: '160MB' }),
  );
  const url = process.env.CLICKHOUSE_URL;
  if (url)
    await measure('clickhouse', () => openClickHouseResultStore({ url, database: `bench_${process.pid}` }));
});
