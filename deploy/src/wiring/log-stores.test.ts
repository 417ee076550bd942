import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openLogStores } from './log-stores.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-log-stores-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Whether the file says that nothing in it has still to be sealed. */
function isSealed(): boolean {
  const database = openSqliteDatabase(path.join(dataDir, 'quantloom.sqlite'));
  try {
    return database.durable.prepare('SELECT 1 FROM event_sealing').get() !== undefined;
  } finally {
    database.close();
  }
}

it('marks an empty log as sealed, so that the first start after an import need not look at every event', async () => {
  const stores = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });
  await stores.close();
  expect(isSealed()).toBe(true);
});

it('leaves a log with events from before there were keys to the first start', async () => {
  const stores = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });
  const metadata = {
    commandId: 'c',
    correlationId: 'c',
    causationId: 'c',
    actor: { kind: 'system', name: 'test' },
    recordedAt: '2026-01-01T00:00:00Z',
    schemaVersion: 1,
  } as const;
  await stores.eventLog.append(
    'waitlist-x',
    [{ id: '01KB000000000000000000000A', type: 'Something', data: {}, metadata }],
    'noStream',
  );
  await stores.close();
  const database = openSqliteDatabase(path.join(dataDir, 'quantloom.sqlite'));
  database.durable.exec('DELETE FROM event_sealing');
  database.close();
  await (await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true })).close();
  expect(isSealed()).toBe(false);
});
