import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { anEvent } from '../../testing/event-store/contract-events.ts';
import { openSqliteEventStore } from '../event-store/sqlite/sqlite-event-store.ts';
import { openSqliteMessageBus } from '../message-bus/sqlite/sqlite-message-bus.ts';
import { openSqliteReadModels } from '../read-models/sqlite/sqlite-read-models.ts';
import { openSqliteDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** SQLite answers a page limit as it answers a full disk: SQLITE_FULL. */
describe('the shared file on a full disk', () => {
  it('refuses writes whole, keeps what was acknowledged, and goes on when there is room again', async () => {
    const database = openSqliteDatabase(join(folder, 'app.db'));
    const errors: unknown[] = [];
    const store = openSqliteEventStore(database);
    const models = openSqliteReadModels(database);
    const bus = openSqliteMessageBus(database, { firstRetryMs: 5, onError: (error) => errors.push(error) });
    await models.ensureCollection({ name: 'things_v1', indexes: [] });
    await bus.ensureTopics([{ name: 'jobs', partitions: 1 }]);
    await bus.publish('jobs', [{ key: 'a', value: 'first' }]);
    const connections = [database.durable, database.relaxed];
    const pages = Number(database.relaxed.prepare('PRAGMA page_count').get()?.page_count);
    for (const connection of connections) connection.exec(`PRAGMA max_page_count = ${pages}`);

    const large = 'x'.repeat(50_000);
    const outcomes = await Promise.allSettled([
      store.append('thing-1', [anEvent('Small'), anEvent('Large', { large })], 'noStream'),
      store.append('thing-2', [anEvent('Large', { large })], 'noStream'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(bus.publish('jobs', [{ key: 'a', value: large }])).rejects.toThrow(/full/);
    const write = { collection: 'things_v1', put: { id: 'a', _revision: 0, _position: '1', large } };
    await expect(models.commit('p', { expected: null, next: 1n, writes: [write] })).rejects.toThrow(/full/);
    expect(await store.head()).toBe(-1n);
    expect(await models.checkpoint('p')).toBeNull();
    expect(await bus.lag('g', 'jobs')).toBe(1);

    for (const connection of connections) connection.exec('PRAGMA max_page_count = 1000000');
    await store.append('thing-1', [anEvent('Large', { large })], 'noStream');
    await models.commit('p', { expected: null, next: 1n, writes: [write] });
    await bus.publish('jobs', [{ key: 'a', value: 'second' }]);
    const seen: unknown[] = [];
    await bus.subscribe({ group: 'g', topics: ['jobs'] }, async ({ value }) => void seen.push(value));
    await vi.waitFor(() => expect(seen).toEqual(['first', 'second']), 15_000);
    expect(await store.head()).toBe(1n);
    expect(errors).toEqual([]);
    await bus.close();
    database.close();
  });
});
