import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { createSecretBox } from '../secret-box.ts';
import { createItemAdapters, removeExpired } from './item-adapter.ts';
import { createMachineClients } from './machine-clients.ts';
import { type IdentityStore, openIdentityStore } from './store.ts';

let folder: string;
let store: IdentityStore;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'items-'));
  const database = openSqliteDatabase(path.join(folder, 'identity.sqlite'));
  store = openIdentityStore(database, createSecretBox('ab'.repeat(32), 'identity'));
});
afterEach(() => {
  store.database.close();
  rmSync(folder, { recursive: true });
});

it('keeps sign-ins that nobody went on with no longer than they hold, and what may be used again a day longer', async () => {
  const adapters = createItemAdapters(store, createMachineClients(store));
  const kept = async (model: string, expiredSecondsAgo: number) => {
    await adapters(model).upsert('one', { kind: model }, -expiredSecondsAgo);
    removeExpired(store);
    return (await adapters(model).find('one')) !== undefined;
  };
  expect(await kept('Interaction', -60)).toBe(true);
  expect(await kept('Interaction', 60)).toBe(false);
  for (const model of ['RefreshToken', 'AuthorizationCode']) {
    expect(await kept(model, 60)).toBe(true);
    expect(await kept(model, 90_000)).toBe(false);
  }
});
