import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { readConfig } from '../config.ts';
import { type LogStores, openLogStores } from '../wiring/log-stores.ts';
import { projectionsCommand } from './projections.ts';
import { upgradeCheckCommand } from './upgrade-check.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'projections-command-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

async function withStores<T>(work: (stores: LogStores) => Promise<T>): Promise<T> {
  const stores = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

async function register(userId: string): Promise<void> {
  const email = `${userId}@example.com`;
  await withStores(({ eventStore }) =>
    handleCommand(
      eventStore,
      USER_STREAM,
      userId,
      { type: 'RegisterUser', userId, subject: userId, email, planId: 'free', grantedFeatures: [] },
      {
        commandId: ulid(),
        correlationId: 'test',
        actor: { kind: 'user', userId },
        now: '2026-01-01T00:00:00.000Z',
      },
    ),
  );
}

const { name } = usersProjection;
const projections = (...args: string[]) => runCommand(projectionsCommand(), dataDir, ...args);
const upgradeCheck = () => runCommand(upgradeCheckCommand(), dataDir);
const users = async () => {
  const all = JSON.parse(await projections('list', '--json')) as { name: string }[];
  return all.find((projection) => projection.name === name);
};

it('lists how far each projection is, and builds those anew that are named', async () => {
  await register('ann');
  await register('ben');
  expect(await users()).toMatchObject({ checkpoint: null, head: '2', documents: 0, parked: 0 });
  await expect(projections('rebuild')).rejects.toMatchObject({ status: 400 });
  await expect(projections('rebuild', name, 'none')).rejects.toMatchObject({ status: 404 });
  expect(await users()).toMatchObject({ documents: 0 });
  expect(await projections('rebuild', name)).toBe(`${name}: 2 documents from 2 events`);
  expect(await users()).toMatchObject({ checkpoint: '2', documents: 2 });
  expect((await projections('rebuild', '--all')).split('\n').length).toBeGreaterThan(5);
});

it('an upgrade is tried on a copy, and told of before it is made', async () => {
  await expect(upgradeCheck()).rejects.toMatchObject({ status: 404 });
  expect(existsSync(path.join(dataDir, 'quantloom.sqlite'))).toBe(false);
  await register('ann');
  await projections('rebuild', '--all');
  expect(await upgradeCheck()).toMatch(/^1 events: this version reads all of them/);
  const { name: collection } = usersProjection.collection;
  const changed = await withStores(async ({ readModels }) => {
    const document = await readModels.get(collection, 'ann');
    if (!document) throw new Error('There is no such user');
    const other = { ...document, email: 'other@example.com' };
    await readModels.put(collection, other);
    return other;
  });
  await expect(upgradeCheck()).rejects.toMatchObject({ status: 422 });
  // The copy is gone, and what it was made of is as it was.
  expect(readdirSync(dataDir).filter((file) => file.startsWith('.backup'))).toEqual([]);
  const kept = await withStores(({ readModels }) => readModels.get(collection, 'ann'));
  expect(kept).toEqual(changed);
});
