import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import {
  API_CLIENT_STREAM,
  type ApiClientCommand,
  UNRESTRICTED,
} from '@quantloom/domain/api-client/api-client';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import { PLANS } from '@quantloom/domain/identity/plans';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM, type UserCommand, type UserState } from '@quantloom/domain/user/user';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logUserDirectory, readModelUserDirectory } from './user-directory.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'user-directory-'));
const database = openSqliteDatabase(path.join(folder, 'test.sqlite'));
const eventStore = openSqliteEventStore(database);
const readModels = openSqliteReadModels(database);
const { name: collection } = usersProjection.collection;

const NOW = '2026-01-01T00:00:00.000Z';
let commands = 0;
const context = () => {
  commands += 1;
  const actor = { kind: 'system', name: 'test' } as const;
  const commandId = derivedId(1, String(commands));
  return { commandId, correlationId: 'c', actor, now: NOW };
};
async function user(id: string, command: UserCommand): Promise<UserState> {
  const result = await handleCommand(eventStore, USER_STREAM, id, command, context());
  if (isRefusal(result)) throw new Error(result.detail);
  return result.state;
}
const client = (id: string, command: ApiClientCommand) =>
  handleCommand(eventStore, API_CLIENT_STREAM, id, command, context());

/** What the projection would hold of a user. */
async function show(id: string, state: UserState, clientId: string | null): Promise<void> {
  if (state.status === 'none') throw new Error('There is no such user');
  const { status: _, ...own } = state;
  const document = {
    ...own,
    id,
    features: PLANS[state.planId].features,
    apiClients: clientId === null ? [] : [{ ...UNRESTRICTED, clientId, successorId: null, createdAt: NOW }],
    apiClientIds: clientId === null ? [] : [clientId],
    _revision: 0,
    _position: '0',
  };
  await readModels.put(collection, document as unknown as UserDocument);
}

beforeAll(async () => {
  await readModels.ensureCollection(usersProjection.collection);
  for (const id of ['ann', 'bob', 'new']) {
    const email = `${id}@example.com`;
    const state = await user(id, {
      type: 'RegisterUser',
      userId: id,
      subject: id,
      email,
      planId: 'api',
      grantedFeatures: [],
    });
    if (id !== 'new') await show(id, state, id === 'ann' ? 'ann-2' : null);
  }
  // Ann's first client was deleted, her second one is in use; that of the newcomer is in no read model yet.
  const create = (userId: string, clientId: string, endsAt: string | null = null) =>
    client(userId, { type: 'CreateApiClient', userId, clientId, ...UNRESTRICTED, endsAt, now: NOW });
  await create('ann', 'ann-1');
  await client('ann', { type: 'DeleteApiClient', userId: 'ann', clientId: 'ann-1' });
  await create('ann', 'ann-2');
  await create('new', 'new-1');
  await create('new', 'new-2', '2026-01-02T00:00:00.000Z');
  // The read model has him, and not yet his client.
  await create('bob', 'bob-1');
});
afterAll(async () => {
  await eventStore.close();
  await readModels.close();
  database.close();
  rmSync(folder, { recursive: true });
});

let now = new Date(NOW);
describe.each([
  ['the log', logUserDirectory({ eventStore, readModels, now: () => now })],
  ['the read model', readModelUserDirectory({ eventStore, readModels, now: () => now })],
])('users from %s', (_, users) => {
  it('are found by their id, the youngest too', async () => {
    expect(await users.byId('ann')).toMatchObject({ userId: 'ann', planId: 'api' });
    expect(await users.byId('new')).toMatchObject({ userId: 'new', features: PLANS.api.features });
    expect(await users.byId('nobody')).toBeNull();
  });

  it('are found by the client that is in use, whether the token names them or not', async () => {
    expect(await users.byClient('ann-2', 'ann')).toMatchObject({ userId: 'ann' });
    expect(await users.byClient('ann-2', null)).toMatchObject({ userId: 'ann' });
    expect(await users.byClient('new-1', 'new')).toMatchObject({ userId: 'new', clientScopes: API_SCOPES });
  });

  it('are found by a client that their read model does not have yet', async () => {
    expect(await users.byClient('bob-1', 'bob')).toMatchObject({ userId: 'bob', clientScopes: API_SCOPES });
  });

  it('are found by a client until its end, and no longer', async () => {
    now = new Date('2026-01-01T23:59:59.999Z');
    expect(await users.byClient('new-2', 'new')).toMatchObject({ userId: 'new' });
    now = new Date('2026-01-02T00:00:00.000Z');
    expect(await users.byClient('new-2', 'new')).toBeNull();
    expect(await users.byClient('new-1', 'new')).toMatchObject({ userId: 'new' });
    now = new Date(NOW);
  });

  it('are not found by a client that was deleted, nor by that of somebody else', async () => {
    expect(await users.byClient('ann-1', 'ann')).toBeNull();
    expect(await users.byClient('ann-1', null)).toBeNull();
    expect(await users.byClient('ann-2', 'bob')).toBeNull();
    expect(await users.byClient('ann-2', 'nobody')).toBeNull();
  });
});

it('knows its users by the read model while the log is away', async () => {
  const id = 'user-in-outage';
  const state = await user(id, {
    type: 'RegisterUser',
    userId: id,
    subject: 's',
    email: 'out@age.ch',
    planId: 'free',
    grantedFeatures: [],
  } as UserCommand);
  await show(id, state, 'client-in-outage');
  const away = new Proxy(eventStore, {
    get: (target, name) =>
      name === 'readStream'
        ? () => {
            throw new DependencyAwayError('eventStore', 'not reached');
          }
        : (Reflect.get(target, name) as unknown),
  });
  const directory = logUserDirectory({ eventStore: away, readModels });
  expect(await directory.byId(id)).toMatchObject({ userId: id, email: 'out@age.ch' });
  expect(await directory.byClient('client-in-outage', id)).toMatchObject({ userId: id });
  // Each client with its own scopes and its own end.
  const document = (await readModels.get<UserDocument>(collection, id)) as UserDocument;
  const more = [
    { ...UNRESTRICTED, clientId: 'reader', scopes: ['read'] as const, successorId: null, createdAt: NOW },
    { ...UNRESTRICTED, clientId: 'ended', endsAt: NOW, successorId: null, createdAt: NOW },
  ];
  const apiClients = [...document.apiClients, ...more];
  const apiClientIds = apiClients.map(({ clientId }) => clientId);
  await readModels.put(collection, { ...document, apiClients, apiClientIds } as UserDocument);
  expect((await directory.byClient('reader', id))?.clientScopes).toEqual(['read']);
  expect(await directory.byClient('ended', id)).toBeNull();
  // Whom it does not know it cannot refuse either: he may be younger than the read model.
  await expect(directory.byId('nobody')).rejects.toMatchObject({ code: 'dependency_away' });
  await expect(directory.byClient('another-client', id)).rejects.toMatchObject({ code: 'dependency_away' });
});
