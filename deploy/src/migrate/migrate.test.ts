import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import { openDuckDbResultStore } from '@quantloom/adapters/result-store/duckdb/duckdb-result-store';
import { sampleBlock } from '@quantloom/adapters/result-store/sample-block';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyKeys, copyLog } from './copy-log.ts';
import { copyBatch } from './copy-results.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the log', () => {
  const open = (name: string) => {
    const database = openSqliteDatabase(path.join(folder, `${name}.sqlite`));
    const store = openSqliteEventStore(database);
    return {
      store,
      close: async () => {
        await store.close();
        database.close();
      },
    };
  };
  const event = (number: number) => ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    type: 'Happened',
    data: { number },
    metadata: {
      actor: 'system',
      at: '2026-01-01T00:00:00.000Z',
      correlationId: 'c',
      causationId: 'c',
      schemaVersion: 1,
    },
  });

  it('is the same afterwards, goes on after a break, and refuses a target that holds something else', async () => {
    const [source, target] = [open('source'), open('target')];
    for (let number = 0; number < 20; number += 1)
      await source.store.append(`thing-${number % 3}`, [event(number)] as never, 'any');
    // A copy that broke off after the first event.
    await target.store.append('thing-0', [event(0)] as never, 'noStream');
    const { events, head } = await copyLog(source.store, target.store, target.store, () => {});
    expect(events).toBe(20);
    expect((await copyLog(source.store, target.store, target.store, () => {})).head?.hash).toBe(head?.hash);
    // The source was used again: its last stream goes on.
    await source.store.append('thing-1', [event(20), event(21)] as never, 'any');
    expect((await copyLog(source.store, target.store, target.store, () => {})).events).toBe(22);
    await target.store.append('thing-9', [event(99)] as never, 'noStream');
    await expect(copyLog(source.store, target.store, target.store, () => {})).rejects.toThrow(
      'holds events of something else',
    );
    await source.close();
    await target.close();
  });

  it('takes its keys along, once', async () => {
    const [source, target] = ['a', 'b'].map((name) =>
      openSqlitePersonKeys(path.join(folder, `${name}.keys`)),
    );
    if (!source || !target) throw new Error('Both are opened above');
    const key = await source.keyFor('user-1');
    expect(await copyKeys(source, target)).toBe(1);
    expect(await copyKeys(source, target)).toBe(1);
    expect(await target.find(key.id)).toEqual(key.bytes);
    await source.close();
    await target.close();
  });
});

describe('the rows of a batch', () => {
  const VARIABLES = [
    { name: '$WINDOW', values: Array.from({ length: 100 }, (_, i) => i + 0.5) },
    { name: '$TICKER', values: Array.from({ length: 100 }, (_, i) => `T${i}`) },
  ];
  const ROWS = 10_000;
  let source: ResultStore;
  let target: ResultStore;
  beforeAll(async () => {
    [source, target] = (await Promise.all(
      ['from', 'to'].map((name) =>
        openDuckDbResultStore({ folder: path.join(folder, name), memoryLimit: '256MB' }),
      ),
    )) as [ResultStore, ResultStore];
    await source.createBatch('b1', VARIABLES);
    await source.append(sampleBlock('b1', { from: 0, count: ROWS }, [100, 100], 7));
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('are the same afterwards, bit by bit, with their failures; a copy that broke off goes on', async () => {
    await target.createBatch('b1', VARIABLES);
    await target.append(sampleBlock('b1', { from: 0, count: 8_192 }, [100, 100], 7));
    for (let time = 0; time < 2; time += 1)
      expect(await copyBatch(source, target, 'b1', VARIABLES)).toBe(ROWS);
    expect(await target.hashRows('b1')).toBe(await source.hashRows('b1'));
    const last = { limit: 3, offset: 1_420 };
    expect(await target.failures('b1', last)).toEqual(await source.failures('b1', last));
    const page = { columns: ['$WINDOW', '$TICKER', 'start_date', 'sharpe_ratio'], limit: 5, offset: 9_000 };
    expect(await target.query('b1', page)).toEqual(await source.query('b1', page));
  });

  it('of one that is still computed are copied as far as they are there; of one without room there are none', async () => {
    await source.createBatch('b2', VARIABLES);
    await source.append(sampleBlock('b2', { from: 50, count: 20 }, [100, 100]));
    expect(await copyBatch(source, target, 'b2', VARIABLES)).toBe(20);
    expect(await target.storedRanges('b2')).toEqual([{ from: 50, to: 70 }]);
    expect(await copyBatch(source, target, 'b3', VARIABLES)).toBeNull();
  });

  it('keep every reason of those that failed, also where these are more than come at once', async () => {
    const values = Array.from({ length: 200 }, (_, i) => i);
    const variables = [
      { name: '$A', values },
      { name: '$B', values },
    ];
    await source.createBatch('b5', variables);
    const rows = 17_000;
    await source.append(sampleBlock('b5', { from: 0, count: rows }, [200, 200], 1));
    expect(await copyBatch(source, target, 'b5', variables)).toBe(rows);
    const copied = await target.failures('b5', { limit: rows + 1 });
    expect(copied.map(({ combination }) => combination)).toEqual(Array.from({ length: rows }, (_, i) => i));
    expect(copied).toEqual(await source.failures('b5', { limit: rows + 1 }));
  });

  it('are refused where the target holds others under that name', async () => {
    await source.createBatch('b4', VARIABLES);
    await source.append(sampleBlock('b4', { from: 0, count: 20 }, [100, 100]));
    await target.createBatch('b4', VARIABLES);
    await target.append(sampleBlock('b4', { from: 0, count: 20 }, [100, 100], 2));
    await expect(copyBatch(source, target, 'b4', VARIABLES)).rejects.toThrow('and not the same ones');
  });
});
