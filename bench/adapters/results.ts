import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { sampleBlock } from '@quantloom/adapters/result-store/sample-block';
import { FLOAT_COLUMNS, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { elapsed, inFolder, longestStall, median, report } from './measure.ts';

/**
 * The result store with one batch: `node adapters/results.ts [rows] [rows per block]`, default 1,500,000 and
 * 10,000. Runs on DuckDB, and on ClickHouse where `CLICKHOUSE_URL` is set. Baselines: the same columns
 * written raw to a file with a flush per block; a sort of one Float64Array; rows put together as CSV in JavaScript.
 */
const ROWS = Number(process.argv[2] ?? 1_500_000);
const BLOCK = Number(process.argv[3] ?? 10_000);
const SIZES = [150, 100, 100];
const VARIABLES = SIZES.map((size, i) => ({
  name: `$V${i}`,
  values: Array.from({ length: size }, (_, k) => `T${(k * 7919) % size}`),
}));

/** Blocks that differ, as those of a real batch do, without the cost of making each of them anew. */
const templates = Array.from({ length: 8 }, (_, i) =>
  sampleBlock('b', { from: i * BLOCK, count: BLOCK }, SIZES),
);
const block = (from: number): ResultBlock => ({
  ...(templates[(from / BLOCK) % templates.length] as ResultBlock),
  from,
});

async function baselines(folder: string) {
  const path = join(folder, 'raw');
  const raw = await elapsed(() => {
    const file = openSync(path, 'w');
    for (let from = 0; from < ROWS; from += BLOCK) {
      for (const name of FLOAT_COLUMNS)
        writeSync(file, new Uint8Array((block(from).floats[name] as Float64Array).buffer));
      fsyncSync(file);
    }
    closeSync(file);
  });
  const values = Float64Array.from({ length: ROWS }, () => Math.random());
  const sort = await median(3, () => values.slice().sort());
  const csv = await elapsed(() => {
    let bytes = 0;
    const { floats } = templates[0] as ResultBlock;
    const columns = FLOAT_COLUMNS.slice(0, 8).map((name) => floats[name] as Float64Array);
    for (let row = 0; row < ROWS; row++) {
      bytes += `2015-01-02,2023-03-21,A,B,C,${columns.map((column) => column[row % BLOCK]).join()}\n`.length;
    }
    return bytes;
  });
  return { raw, sort, csv };
}

async function measure(name: string, store: ResultStore, base: { raw: number; sort: number; csv: number }) {
  await store.createBatch('b', VARIABLES);
  let append = 0;
  const stall = await longestStall(async () => {
    append = await elapsed(async () => {
      for (let from = 0; from < ROWS; from += BLOCK) await store.append(block(from));
    });
  });
  report(`${name} append`, {
    rows: ROWS,
    rows_per_second: (ROWS * 1000) / append,
    vs_raw_file: append / base.raw,
    longest_stall_ms: stall,
  });
  const columns = ['sharpe_ratio', 'max_drawdown', '$V1', 'end_date'];
  for (const column of columns) {
    const time = await median(5, () =>
      store.query('b', { sort: { column, direction: 'desc' }, limit: 1000 }),
    );
    report(`${name} top 1000 by ${column}`, { ms: time, vs_float64array_sort: time / base.sort });
  }
  const deep = await median(3, () =>
    store.query('b', { sort: { column: 'sharpe_ratio', direction: 'asc' }, limit: 1000, offset: ROWS >> 1 }),
  );
  report(`${name} 1000 rows from the middle`, { ms: deep, vs_float64array_sort: deep / base.sort });
  for (const format of ['csv', 'parquet'] as const) {
    let bytes = 0;
    let first = 0;
    const start = performance.now();
    for await (const piece of store.stream('b', {}, format)) {
      first ||= performance.now() - start;
      bytes += piece.length;
    }
    const time = performance.now() - start;
    report(`${name} ${format}`, {
      megabytes: bytes / 1e6,
      ms: time,
      first_byte_ms: first,
      vs_csv_in_javascript: time / base.csv,
    });
  }
  const column = await median(3, () => store.column('b', 'sharpe_ratio'));
  report(`${name} whole column`, { ms: column, vs_float64array_sort: column / base.sort });
  await store.deleteBatch('b');
}

await inFolder(async (folder) => {
  const base = await baselines(folder);
  report('baselines', {
    raw_file_ms: base.raw,
    float64array_sort_ms: base.sort,
    csv_in_javascript_ms: base.csv,
  });
  const duckdb = await openDuckDbResultStore({ folder: join(folder, 'results') });
  await measure('duckdb', duckdb, base);
  await duckdb.close();
  const url = process.env.CLICKHOUSE_URL;
  if (!url) {
    console.log('clickhouse: skipped, CLICKHOUSE_URL is not set');
    return;
  }
  const clickhouse = await openClickHouseResultStore({ url, database: `bench_${process.pid}` });
  await measure('clickhouse', clickhouse, base);
  await clickhouse.close();
});
