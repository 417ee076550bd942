import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { median } from '../adapters/measure.ts';
import type { FinishedBatch } from './batch-run.ts';

/**
 * What DuckDB alone needs for the same questions on a table of its own with the same rows, in ms by the names
 * of `readBatch`.
 */
export async function rawTimes(results: string, batch: FinishedBatch): Promise<Map<string, number>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-raw-'));
  const instance = await DuckDBInstance.create(path.join(folder, 'raw.duckdb'));
  const connection = await instance.connect();
  const times = new Map<string, number>();
  const table = 'raw';
  await connection.run(
    'CREATE TABLE raw AS SELECT * FROM ' +
      `read_parquet('${results}/batches/*/${batch.id}-*/*.parquet') ORDER BY combination`,
  );
  await connection.run('CHECKPOINT');
  const time = async (name: string, sql: string, runs = 3) => {
    times.set(name, await median(runs, () => connection.runAndReadAll(sql)));
  };
  const variables = batch.variables.map((_, i) => `v${i}`);
  const visible = ['start_date', 'end_date', ...variables, ...METRIC_COLUMNS];
  const names = ['start_date', 'end_date', ...batch.variables, ...METRIC_COLUMNS];
  for (const [i, column] of visible.entries())
    await time(
      `sort ${names[i]}`,
      `SELECT ${visible.join()} FROM ${table} ORDER BY ${column} DESC NULLS LAST, combination LIMIT 1000`,
    );
  for (const [i, x] of variables.entries())
    for (const [j, y] of variables.entries())
      if (j > i)
        await time(
          `heat map ${batch.variables[i]} ${batch.variables[j]}`,
          `SELECT ${x}, ${y}, count(sharpe_ratio), max(sharpe_ratio), avg(sharpe_ratio), min(sharpe_ratio), arg_max(combination, sharpe_ratio)
           FROM ${table} GROUP BY ALL ORDER BY ALL`,
        );
  for (const format of ['csv', 'parquet'])
    await time(
      format,
      `COPY (SELECT ${visible.join()} FROM ${table} ORDER BY combination) TO '${folder}/rows.${format}'`,
      1,
    );
  connection.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
  return times;
}
