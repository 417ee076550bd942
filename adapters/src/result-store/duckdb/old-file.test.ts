import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDuckDbResultStore } from './duckdb-result-store.ts';

let folder: string;
let oldFile: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'old-results-'));
  oldFile = path.join(folder, 'results.duckdb');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = () =>
  openDuckDbResultStore({ folder: path.join(folder, 'results'), oldFile, memoryLimit: '256MB' });

/** As the product wrote it while it kept one table per batch: combination 1 has failed, 3 is not stored. */
async function writeOldFile(batches: number): Promise<void> {
  const instance = await DuckDBInstance.create(oldFile);
  const connection = await instance.connect();
  await connection.run(`
    CREATE SEQUENCE batch_numbers;
    CREATE TABLE batches (no INTEGER NOT NULL, batch_id VARCHAR NOT NULL, variables VARCHAR NOT NULL);
    CREATE TABLE blocks (no INTEGER NOT NULL, first INTEGER NOT NULL, past INTEGER NOT NULL);
    CREATE TABLE failures (no INTEGER NOT NULL, combination INTEGER NOT NULL, reason VARCHAR NOT NULL);`);
  const metrics = METRIC_COLUMNS.map((name) => `${name} DOUBLE`).join();
  const values = (k: number) => METRIC_COLUMNS.map((_, i) => k + i / 10).join();
  for (let no = 1; no <= batches; no += 1) {
    await connection.run(`
      INSERT INTO batches VALUES (${no}, 'batch-${no}', '[{"name":"$T","values":["SPY","QQQ","BRK.B","agg","TLT"]}]');
      CREATE TABLE batch_rows_${no} (combination INTEGER NOT NULL, start_date DATE, end_date DATE, v0 INTEGER NOT NULL, ${metrics});
      INSERT INTO batch_rows_${no} VALUES
        (4, DATE '2015-01-02', DATE '2020-01-02', 4, ${values(4)}),
        (0, DATE '2015-01-02', DATE '2020-01-02', 3, ${values(0)}),
        (1, NULL, NULL, 2, ${METRIC_COLUMNS.map(() => 'NULL').join()}),
        (2, DATE '2015-01-05', DATE '2020-01-02', 1, ${values(2)});
      INSERT INTO blocks VALUES (${no}, 4, 5), (${no}, 0, 3);
      INSERT INTO failures VALUES (${no}, 1, 'No prices');`);
  }
  connection.closeSync();
  instance.closeSync();
}

describe('the result file of an earlier version', () => {
  it('is moved into the folder, and goes', async () => {
    await writeOldFile(3);
    const store = await open();
    for (const batchId of ['batch-1', 'batch-2', 'batch-3']) {
      const { rows } = await store.query(batchId, {
        columns: ['combination', 'start_date', '$T', 'sharpe_ratio', 'n'],
      });
      expect(rows).toEqual([
        [0, '2015-01-02', 'SPY', 0.5, null],
        [1, null, 'QQQ', null, null],
        [2, '2015-01-05', 'BRK.B', 2.5, null],
        [4, '2015-01-02', 'TLT', 4.5, null],
      ]);
      expect(await store.storedRanges(batchId)).toEqual([
        { from: 0, to: 3 },
        { from: 4, to: 5 },
      ]);
      expect(await store.failures(batchId)).toEqual([{ combination: 1, reason: 'No prices' }]);
    }
    expect(existsSync(oldFile)).toBe(false);
    await store.close();
    const again = await open();
    expect(await again.countRows('batch-2')).toBe(4);
    await again.close();
  });

  it('is moved once where the process died before it could go', async () => {
    await writeOldFile(1);
    await (await open()).close();
    await writeOldFile(1);
    const store = await open();
    const { rows } = await store.query('batch-1', { columns: ['combination'] });
    expect(rows).toEqual([[0], [1], [2], [4]]);
    expect(existsSync(oldFile)).toBe(false);
    await store.close();
  });

  it('stays where it holds other rows than it says, and says so', async () => {
    await writeOldFile(1);
    const instance = await DuckDBInstance.create(oldFile);
    const connection = await instance.connect();
    await connection.run('DELETE FROM batch_rows_1 WHERE combination = 2');
    connection.closeSync();
    instance.closeSync();
    await expect(open()).rejects.toThrow('Batch batch-1 has 2 rows from 0 to 3 in the old result file');
    expect(existsSync(oldFile)).toBe(true);
  });
});
