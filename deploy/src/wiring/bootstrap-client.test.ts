import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { USER_STREAM, userIdOf } from '@quantloom/domain/user/user';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settleBootstrapClient } from './bootstrap-client.ts';
import type { OpenIdentity } from './identity.ts';

const USER = userIdOf('bootstrap|demo');
const clock = { now: () => new Date('2026-11-20T12:00:00Z') };

let folder: string;
let database: ReturnType<typeof openSqliteDatabase>;
let eventStore: EventStore;
/** What the issuer was told, in its order. */
let told: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bootstrap-'));
  database = openSqliteDatabase(path.join(folder, 'log.sqlite'));
  eventStore = openSqliteEventStore(database);
  told = [];
});
afterEach(async () => {
  await eventStore.close();
  database.close();
  rmSync(folder, { recursive: true });
});

const issuer = {
  bootstrapClient: (id: string, secret: string, user: string) => void told.push(`${id} ${secret} ${user}`),
  identity: { deleteMachineClient: async (id: string) => void told.push(`without ${id}`) },
} as unknown as OpenIdentity;
const settle = (credentials?: string) => settleBootstrapClient(credentials, { eventStore, issuer, clock });
const clients = async () =>
  (await loadState(eventStore, API_CLIENT_STREAM, USER)).state.clients.map(({ clientId }) => clientId);
const eventTypes = async () => {
  const types: string[] = [];
  for await (const { type } of eventStore.readAll(BEFORE_FIRST)) types.push(type);
  return types;
};

it('makes the demo user on the API plan and his client, once however often the product starts', async () => {
  for (let start = 0; start < 3; start += 1) await settle('ci:a:b');
  const { state } = await loadState(eventStore, USER_STREAM, USER);
  expect(state).toMatchObject({ planId: 'api' });
  expect(await clients()).toEqual(['ci']);
  expect(await eventTypes()).toEqual(['UserRegistered', 'ApiClientCreated']);
  // What is behind the first colon is the secret, colons included; the issuer hears of it at every start.
  expect(told).toEqual([`ci a:b ${USER}`, `ci a:b ${USER}`, `ci a:b ${USER}`]);
});

it('puts another client in the place of an earlier one, which gets no more tokens', async () => {
  await settle('ci:one');
  await settle('other:two');
  expect(await clients()).toEqual(['other']);
  expect(told).toEqual([`ci one ${USER}`, `other two ${USER}`, 'without ci']);
});

it('ends the client where the variable is gone, and makes it again where it is back', async () => {
  await settle('ci:one');
  await settle();
  expect(await clients()).toEqual([]);
  expect(told.at(-1)).toBe('without ci');
  await settle('ci:one');
  expect(await clients()).toEqual(['ci']);
  await settle();
  expect(await clients()).toEqual([]);
});

it('leaves everything alone where there never was one, and with an issuer of somebody else', async () => {
  await settle();
  const foreign = { ...issuer, bootstrapClient: null };
  await settleBootstrapClient('ci:one', { eventStore, issuer: foreign, clock });
  expect(told).toEqual([]);
  expect(await eventTypes()).toEqual([]);
});
