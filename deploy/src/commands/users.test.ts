import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { createProjectors } from '@quantloom/projectors/projectors';
import { ulid } from 'ulid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { readConfig } from '../config.ts';
import { openLogStores } from '../wiring/log-stores.ts';
import { usersCommand } from './users.ts';

const PROGRAM = path.join(import.meta.dirname, '../quantloom.ts');
const dataDir = mkdtempSync(path.join(tmpdir(), 'users-command-'));
const open = () => openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });

function makeAdministrator(user: string): Promise<{ code: number; out: string }> {
  const env = { ...process.env, DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'users', 'make-administrator', user], { env }, (error, out) =>
      resolve({ code: error === null ? 0 : Number(error.code), out }),
    );
  });
}

beforeAll(async () => {
  const stores = await open();
  const { eventStore, readModels } = stores;
  const projectors = createProjectors({
    eventStore,
    readModels,
    projections: [usersProjection as never],
    catalogue: EVENT_CATALOGUE,
    clock: { now: () => new Date() },
  });
  await projectors.start();
  for (const [id, email] of [
    ['ann', 'Ann@example.com'],
    ['bob', 'same@example.com'],
    ['cid', 'same@example.com'],
  ] as const)
    await handleCommand(
      eventStore,
      USER_STREAM,
      id,
      { type: 'RegisterUser', userId: id, subject: id, email, planId: 'free', grantedFeatures: [] },
      {
        commandId: ulid(),
        correlationId: 'test',
        actor: { kind: 'user', userId: id },
        now: '2026-01-01T00:00:00.000Z',
      },
    );
  expect(await projectors.whenReached(await eventStore.head())).toBe(true);
  await projectors.stop();
  await stores.close();
});
afterAll(() => rmSync(dataDir, { recursive: true }));

it('makes one user an administrator, once', async () => {
  const first = await makeAdministrator('ann@EXAMPLE.com');
  expect(first).toEqual({ code: 0, out: 'Ann@example.com (ann) is an administrator now.\n' });
  expect((await makeAdministrator('ann')).out).toContain('already');
  const stores = await open();
  const { state, revision } = await loadState(stores.eventStore, USER_STREAM, 'ann');
  await stores.close();
  expect(revision).toBe(1);
  expect(state).toMatchObject({ planId: 'free', grantedFeatures: ['web.admin.view'] });
});

it('guesses nobody', async () => {
  const unknown = await makeAdministrator('nobody@example.com');
  expect([unknown.code, JSON.parse(unknown.out).status]).toEqual([2, 404]);
  const several = await makeAdministrator('same@example.com');
  expect([several.code, JSON.parse(several.out).error]).toEqual([2, expect.stringContaining('bob, cid')]);
});

it('asks for an erasure that is due at once, where an owner has days to undo it', async () => {
  const before = new Date().toISOString();
  const said = await runCommand(usersCommand(), dataDir, 'delete', 'cid');
  expect(said).toBe('same@example.com (cid) is erased within a minute, or when the product starts.');
  const stores = await open();
  const { state } = await loadState(stores.eventStore, USER_STREAM, 'cid');
  const { state: other } = await loadState(stores.eventStore, USER_STREAM, 'bob');
  await stores.close();
  expect(other).toMatchObject({ eraseAt: null });
  const { eraseAt } = state as unknown as { readonly eraseAt: string };
  expect(eraseAt >= before && eraseAt <= new Date().toISOString()).toBe(true);
});
