import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openClickHouseResultStore } from '@quantloom/adapters/result-store/clickhouse/clickhouse-result-store';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { sampleBlock } from '@quantloom/adapters/result-store/sample-block';
import { CLICKHOUSE } from '@quantloom/adapters/testing/containers';
import { onRealServer } from '@quantloom/adapters/testing/real-server';
import { copyBatch } from '@quantloom/deploy/migrate/copy-results';
import { expect, it } from 'vitest';

const VARIABLES = [
  { name: '$WINDOW', values: Array.from({ length: 100 }, (_, i) => i + 0.5) },
  { name: '$TICKER', values: Array.from({ length: 100 }, (_, i) => `T${i}`) },
];
const ROWS = 10_000;

await onRealServer(CLICKHOUSE, (connect) => {
  it('moves the rows of a batch from the data folder to ClickHouse bit by bit, also at a second try', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
    const source = await openDuckDbResultStore({ folder, memoryLimit: '256MB' });
    const target = await openClickHouseResultStore({ url: await connect(), database: 'migration' });
    const batchId = `b-${randomUUID()}`;
    try {
      await source.createBatch(batchId, VARIABLES);
      await source.append(sampleBlock(batchId, { from: 0, count: ROWS }, [100, 100], 7));
      expect(await copyBatch(source, target, batchId, VARIABLES)).toBe(ROWS);
      expect(await copyBatch(source, target, batchId, VARIABLES)).toBe(ROWS);
      expect(await target.hashRows(batchId)).toBe(await source.hashRows(batchId));
      const some = { limit: 5, offset: 100 };
      expect(await target.failures(batchId, some)).toEqual(await source.failures(batchId, some));
    } finally {
      await target.deleteBatch(batchId);
      await target.close();
      await source.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
