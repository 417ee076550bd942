import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, loadState, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { createdData } from '@quantloom/domain/testing/batch-builders';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { waitlistId, waitlistStream } from '@quantloom/domain/waitlist/waitlist';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyLog } from '../log/verify-log.ts';
import { createProjectors, type Projectors } from '../projectors.ts';
import { SILENT } from '../runtime/log.ts';
import { type EraseAccountsDeps, startAccountErasures } from './erase-accounts.ts';

const ADDRESS = 'philippa@example.org';
const NAME = 'Featherstonehaugh';
const NOW = '2026-12-10T00:00:00.000Z';

function open(folder: string) {
  const database = openSqliteDatabase(path.join(folder, 'app.sqlite'), { pollMs: 5 });
  const keys = openSqlitePersonKeys(path.join(folder, 'keys.sqlite'));
  const log = openSqliteEventStore(database);
  const eventStore = openSealedEventStore(log, keys);
  return { database, keys, log, eventStore, readModels: openSqliteReadModels(database) };
}

let folder: string;
let parts: ReturnType<typeof open>;
let projectors: Projectors;
let deleted: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'erasure-'));
  parts = open(folder);
  deleted = [];
  projectors = createProjectors({
    eventStore: parts.eventStore,
    readModels: parts.readModels,
    projections: PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock: { now: () => new Date(NOW) },
  });
  await projectors.start();
});
afterEach(async () => {
  await projectors.stop();
  await parts.eventStore.close();
  await parts.readModels.close();
  parts.database.close();
  await parts.keys.close();
  rmSync(folder, { recursive: true });
});

const caughtUp = async () => projectors.whenReached(await parts.eventStore.head(), { timeoutMs: 45_000 });

async function act<Command, State, Event extends DomainEvent>(
  userId: string,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) {
  const commandId = ulid();
  const result = await handleCommand(parts.eventStore, kind, id, command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'user', userId },
    now: '2026-12-01T00:00:00.000Z',
  });
  if (isRefusal(result)) throw new Error(result.detail);
}

/** Somebody with a strategy, a list and a batch. */
async function person(userId: string, email: string, name: string) {
  const caller = { userId, features: ['web.batch-backtests.create'] } as const;
  const algorithm = STARTERS[0]?.build(ulid);
  await act(userId, USER_STREAM, userId, {
    type: 'RegisterUser',
    userId,
    subject: `subject-of-${name}`,
    email,
    planId: 'api',
    grantedFeatures: [],
  });
  await act(userId, waitlistStream, waitlistId(email), { type: 'JoinWaitlist', email });
  const strategyId = `s-${userId}`;
  await act(userId, strategyStream, strategyId, {
    type: 'CreateStrategy',
    strategyId,
    caller,
    name: `${name} one`,
    isPublic: false,
    status: 'draft',
    algorithm,
  });
  await act(userId, variableListStream, `l-${userId}`, {
    type: 'CreateVariableList',
    listId: `l-${userId}`,
    callerId: userId,
    name: `${name} list`,
    isPublic: true,
    variables: ['SPY'],
  });
  const batchId = `b-${userId}`;
  await act(userId, BATCH_STREAM, batchId, {
    type: 'CreateBatchBacktest',
    batch: createdData({
      batchId,
      userId,
      name: `${name} batch`,
      template: { name: `${name} template`, variables: [], algorithm: algorithm as never },
      lineageId: `lineage-${userId}`,
    }),
  });
}

const erasures = (over: Partial<EraseAccountsDeps> = {}) =>
  startAccountErasures({
    eventStore: parts.eventStore,
    readModels: parts.readModels,
    personKeys: parts.keys,
    identity: {
      deleteAccount: async (subject) => void deleted.push(subject),
      deleteMachineClient: async () => {},
    },
    clock: { now: () => new Date(NOW) },
    ids: ulid,
    log: SILENT,
    caughtUp,
    rebuild: (name) => projectors.rebuild(name),
    forgetAnswers: async () => {},
    compact: async () => {
      parts.database.durable.exec('VACUUM');
      parts.database.durable.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    ...over,
  });
const holding = (text: string) =>
  readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text));
/** What `log verify` finds: nothing, in the end. */
async function faults() {
  const report = await verifyLog({
    eventStore: parts.log,
    readable: parts.eventStore,
    readModels: parts.readModels,
    catalogue: EVENT_CATALOGUE,
    projections: PROJECTIONS,
    clock: { now: () => new Date(NOW) },
  });
  const different = report.projections.filter(({ result }) => result === 'different');
  return [...report.faults, ...different.map(({ name, differences }) => `${name}: ${differences.join()}`)];
}

describe('an account whose time has come', () => {
  beforeEach(async () => {
    await person('ann', ADDRESS, NAME);
    await person('ben', 'ben@example.org', 'Plain');
  });
  const request = (eraseAt: string) => act('ann', USER_STREAM, 'ann', { type: 'RequestDeletion', eraseAt });

  it('is in no byte of any file; log and read models are sound, others keep everything', async () => {
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const process = erasures();
    expect(await process.sweep()).toBe(1);
    await process.close();
    for (const trace of [ADDRESS, NAME, 'subject-of-F']) expect(holding(trace)).toEqual([]);
    for (const kept of ['ben@example.org', 'Plain list']) expect(holding(kept)).not.toEqual([]);
    expect(deleted).toEqual([`subject-of-${NAME}`]);
    const { state } = await loadState(parts.eventStore, variableListStream, 'l-ben');
    expect(state).toMatchObject({ status: 'active', name: 'Plain list' });
    expect(await parts.readModels.get('users_v4', 'ann')).toBeNull();
    expect(await parts.readModels.get('users_v4', 'ben')).toMatchObject({ email: 'ben@example.org' });
    await caughtUp();
    expect(await faults()).toEqual([]);
  });

  it('is in nothing that earlier versions of the product have left', async () => {
    const document = { id: 'l-ann', title: NAME, _revision: 1, _position: '1' };
    for (const left of ['listings_v1', 'listings_v2', 'users_v3', 'batchLooks_v2']) {
      await parts.readModels.ensureCollection({ name: left, indexes: [['title']] });
      await parts.readModels.put(left, document);
    }
    await parts.readModels.commit('listings.v2', { expected: null, next: 1n, writes: [] });
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const process = erasures();
    expect(await process.sweep()).toBe(1);
    await process.close();
    expect(holding(NAME)).toEqual([]);
    expect(await parts.readModels.checkpoint('listings.v2')).toBeNull();
    expect(await parts.readModels.checkpoint('listings.v3')).not.toBeNull();
  });

  it('stays where its time has not come, or the deletion was undone', async () => {
    await request('2026-12-11T00:00:00.000Z');
    const process = erasures();
    expect(await process.sweep()).toBe(0);
    await request('2026-12-08T00:00:00.000Z');
    await act('ann', USER_STREAM, 'ann', { type: 'UndoDeletion' });
    expect(await process.sweep()).toBe(0);
    await process.close();
    await caughtUp();
    expect(await parts.readModels.get('users_v4', 'ann')).toMatchObject({ email: ADDRESS, eraseAt: null });
  });

  it.each(['identity', 'keys', 'rebuild', 'compact'])(
    'is erased in the end where %s fails once',
    async (what) => {
      await request('2026-12-08T00:00:00.000Z');
      await caughtUp();
      const fail = () => Promise.reject(new Error('the disk is full'));
      const keys: PersonKeys = { ...parts.keys, erase: fail };
      const broken = erasures({
        ...(what === 'identity' && { identity: { deleteAccount: fail, deleteMachineClient: fail } }),
        ...(what === 'keys' && { personKeys: keys }),
        ...(what === 'rebuild' && { rebuild: fail }),
        ...(what === 'compact' && { compact: fail }),
      });
      await expect(broken.sweep()).rejects.toThrow('the disk is full');
      await broken.close();
      const next = erasures();
      await next.sweep();
      await next.close();
      for (const trace of [ADDRESS, NAME]) expect(holding(trace)).toEqual([]);
      await caughtUp();
      expect(await faults()).toEqual([]);
    },
  );

  it('waits for read models that catch up, and whoever stops meanwhile does not', async () => {
    await request('2026-01-01T00:00:00Z');
    await caughtUp();
    const catchingUp = Promise.withResolvers<void>();
    const stopped = erasures({ caughtUp: () => catchingUp.promise });
    const swept = stopped.sweep();
    await stopped.close();
    expect(await swept).toBe(0);
    catchingUp.resolve();
    expect(deleted).toEqual([]);
  });

  it('may come back under the same identity, as somebody new', async () => {
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const process = erasures();
    await process.sweep();
    await process.close();
    await act('ann', USER_STREAM, 'ann', {
      type: 'RegisterUser',
      userId: 'ann',
      subject: 'subject',
      email: 'new@example.org',
      planId: 'free',
      grantedFeatures: [],
    });
    await caughtUp();
    expect(await parts.readModels.get('users_v4', 'ann')).toMatchObject({
      email: 'new@example.org',
      planId: 'free',
      eraseAt: null,
    });
  });
});
