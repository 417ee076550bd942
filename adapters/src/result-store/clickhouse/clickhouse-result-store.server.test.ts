import { randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import { CLICKHOUSE } from '../../../testing/containers.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { resultStoreContract } from '../../../testing/result-store/contract.ts';
import { sampleBlock } from '../sample-block.ts';
import { openClickHouseResultStore } from './clickhouse-result-store.ts';

await onRealServer(CLICKHOUSE, (connect) => {
  resultStoreContract('clickhouse', async () => {
    const url = await connect();
    const database = `contract_${randomUUID().slice(0, 8)}`;
    let current = await openClickHouseResultStore({ url, database });
    return {
      store: current,
      async reopen() {
        await current.close();
        current = await openClickHouseResultStore({ url, database });
        return current;
      },
      async stop() {
        await current.close();
        await dropDatabase(url, database);
      },
    };
  });

  it('holds every row once when two processes that do not know of each other write the same partition', async () => {
    const url = await connect();
    const database = `contract_${randomUUID().slice(0, 8)}`;
    const stores = [
      await openClickHouseResultStore({ url, database }),
      await openClickHouseResultStore({ url, database }),
    ];
    const [one, other] = stores as [ResultStore, ResultStore];
    await one.createBatch('b', [{ name: '$N', values: [1, 2, 3] }]);
    // Both have looked when nothing was stored.
    await Promise.all(stores.map((store) => store.countRows('b')));
    await Promise.all([
      one.append(sampleBlock('b', { from: 0, count: 700 }, [3], 10)),
      other.append(sampleBlock('b', { from: 0, count: 1000 }, [3], 10)),
      one.append(sampleBlock('b', { from: 300, count: 500 }, [3], 10)),
      other.append(sampleBlock('b', { from: 0, count: 700 }, [3], 10)),
    ]);
    const { rows } = await one.query('b', { columns: ['combination'] });
    expect(rows.map(([k]) => k)).toEqual(Array.from({ length: 1000 }, (_, k) => k));
    expect(await other.countRows('b')).toBe(1000);
    expect((await other.failures('b')).length).toBe(100);
    expect(await one.storedRanges('b')).toEqual([{ from: 0, to: 1000 }]);
    for (const store of stores) await store.close();
    await dropDatabase(url, database);
  });

  it('reads the rows of a table that lacks a column, and takes rows that have it', async () => {
    const url = await connect();
    const database = `contract_${randomUUID().slice(0, 8)}`;
    const old = await openClickHouseResultStore({ url, database });
    await old.createBatch('b', [{ name: '$N', values: [1, 2, 3] }]);
    await old.append(sampleBlock('b', { from: 0, count: 3 }, [3]));
    await old.close();
    const client = createClient({ url, database });
    await client.command({
      query: 'ALTER TABLE result_rows DROP COLUMN skewness, DROP COLUMN alpha, DROP COLUMN sortino',
    });
    await client.close();
    const store = await openClickHouseResultStore({ url, database });
    await store.append(sampleBlock('b', { from: 3, count: 3 }, [3]));
    const { rows } = await store.query('b', { columns: ['skewness', 'alpha', 'sortino'] });
    expect(rows.map((row) => row.map((value) => value === null))).toEqual([
      ...[0, 1, 2].map(() => [true, true, true]),
      ...[3, 4, 5].map(() => [false, false, false]),
    ]);
    const { rows: best } = await store.query('b', {
      columns: ['combination'],
      sort: { column: 'alpha', direction: 'desc' },
    });
    expect(best.slice(3)).toEqual([[0], [1], [2]]);
    await store.close();
    await dropDatabase(url, database);
  });
});

async function dropDatabase(url: string, database: string): Promise<void> {
  const client = createClient({ url });
  await client.command({ query: `DROP DATABASE IF EXISTS ${database}` });
  await client.close();
}
