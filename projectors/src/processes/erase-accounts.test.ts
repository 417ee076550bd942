import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSealedEventStore } from '@quantloom/adapters/event-store/sealed/sealed-event-store';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqlitePersonKeys } from '@quantloom/adapters/person-keys/sqlite/sqlite-person-keys';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { removeDeleted } from '@quantloom/adapters/sqlite/compact';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, loadState, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { paperStream } from '@quantloom/domain/paper/account';
import { basketId, basketStream } from '@quantloom/domain/paper/basket';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import type { PaperBroker } from '@quantloom/domain/ports/paper-broker';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { sharedResultStream } from '@quantloom/domain/shared-result/shared-result';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { waitlistId, waitlistStream } from '@quantloom/domain/waitlist/waitlist';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, giveBelongings, registerPerson } from '../../testing/person.ts';
import { startPlacingBaskets } from '../baskets/place-baskets.ts';
import { verifyLog } from '../log/verify-log.ts';
import { createProjectors, type Projectors } from '../projectors.ts';
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
let deletedClients: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'erasure-'));
  parts = open(folder);
  deleted = [];
  deletedClients = [];
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

const person = (userId: string, email: string, name: string) => registerPerson(act, { userId, email, name });
const belongings = (userId: string) => giveBelongings(act, userId);

/** The state that a stream of somebody has come to. */
const stateOf = async <Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  id: string,
) => (await loadState(parts.eventStore, kind, id)).state;

const erasures = (over: Partial<EraseAccountsDeps> = {}) =>
  startAccountErasures({
    eventStore: parts.eventStore,
    readModels: parts.readModels,
    personKeys: parts.keys,
    identity: {
      deleteAccount: async (subject) => void deleted.push(subject),
      deleteMachineClient: async (clientId) => void deletedClients.push(clientId),
    },
    clock: { now: () => new Date(NOW) },
    ids: ulid,
    log: NO_LOG,
    caughtUp,
    rebuild: (name) => projectors.rebuild(name),
    forgetAnswers: async () => {},
    tidyAt: '03:40',
    compact: () => removeDeleted(parts.database),
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

  it('has nothing of its own left, neither here nor at the identity; what others have stays', async () => {
    for (const userId of ['ann', 'ben']) await belongings(userId);
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const process = erasures();
    expect(await process.sweep()).toBe(1);
    await process.close();
    const statuses = async (userId: string) => ({
      strategy: (await stateOf(strategyStream, `s-${userId}`)).status,
      list: (await stateOf(variableListStream, `l-${userId}`)).status,
      batch: (await stateOf(BATCH_STREAM, `b-${userId}`)).status,
      shared: (await stateOf(sharedResultStream, `r-${userId}`)).status,
      follow: (await stateOf(followStream, followId({ userId, strategyId: 's-ben' }))).status,
      clients: (await stateOf(API_CLIENT_STREAM, userId)).clients.length,
      paper: (await stateOf(paperStream, userId)).status,
    });
    expect(await statuses('ann')).toEqual({
      strategy: 'deleted',
      list: 'deleted',
      batch: 'deleted',
      shared: 'withdrawn',
      follow: 'left',
      clients: 0,
      paper: 'closed',
    });
    expect(await statuses('ben')).toEqual({
      strategy: 'draft',
      list: 'active',
      batch: 'Queued',
      shared: 'shared',
      follow: 'followed',
      clients: 1,
      paper: 'open',
    });
    expect(deletedClients).toEqual(['c-ann']);
  });

  it('has its approved orders refused: no broker is asked any more, with a key that is gone', async () => {
    for (const userId of ['ann', 'ben']) await belongings(userId);
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const process = erasures();
    await process.sweep();
    await process.close();
    const asked: string[] = [];
    const placing = await startPlacingBaskets({
      eventStore: parts.eventStore,
      readModels: parts.readModels,
      marketData: { current: async () => ({ lastDay: DAY }) as DataSetManifest },
      brokers: {
        open: ({ userId }) => {
          asked.push(userId);
          const place = async () => ({ kind: 'refused', reason: 'A test' }) as const;
          return { place } as Partial<PaperBroker> as PaperBroker;
        },
      },
      clock: { now: () => new Date(NOW) },
      log: NO_LOG,
      lookEveryMs: 1e9,
    });
    await placing.pass();
    await placing.close();
    const ordersOf = async (userId: string) =>
      (await stateOf(basketStream, basketId({ userId, number: 1, day: DAY })))?.orders;
    expect(await ordersOf('ann')).toMatchObject([
      { status: 'refused', reason: 'The paper account was closed' },
    ]);
    expect(await ordersOf('ben')).toMatchObject([{ status: 'refused', reason: 'A test' }]);
    expect(asked).toEqual(['ben']);
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

  it('is gone at its time, and what shows it still is built anew at night, for all accounts together', async () => {
    const time = { now: new Date('2026-12-08T12:00:00.000Z') };
    const rebuilt: string[] = [];
    const open = () =>
      erasures({
        clock: { now: () => time.now },
        rebuild: async (name) => {
          rebuilt.push(name);
          return await projectors.rebuild(name);
        },
      });
    await act('ben', USER_STREAM, 'ben', { type: 'RequestDeletion', eraseAt: '2026-12-08T11:00:00.000Z' });
    await request('2026-12-08T10:00:00.000Z');
    await caughtUp();
    const byDay = open();
    await expect.poll(() => deleted.length, { timeout: 30_000 }).toBe(2);
    await byDay.close();
    const again = open();
    await again.close();
    expect(rebuilt).toEqual([]);
    expect(deleted).toHaveLength(2);
    await caughtUp();
    // Until night, read models show what the log does not any more: no fault of theirs. Of others it is one.
    expect(await faults()).toEqual([]);
    const admin = { id: 'cleo', _revision: 0, _position: '1', email: 'cleo@example.org' };
    await parts.readModels.put('users_v4', admin);
    expect(await faults()).toEqual(['users: cleo']);
    await parts.readModels.delete('users_v4', 'cleo');
    time.now = new Date('2026-12-09T03:40:00.000Z');
    const atNight = open();
    await expect.poll(() => holding(NAME), { timeout: 30_000 }).toEqual([]);
    await atNight.close();
    expect(new Set(rebuilt).size).toBe(rebuilt.length);
    await caughtUp();
    expect(await faults()).toEqual([]);
  });

  it('has its time at the very instant that was said, and the night after it for what shows it still', async () => {
    const at = { now: NOW };
    const begun = async (tidyAt: string) => {
      const process = erasures({ clock: { now: () => new Date(at.now) }, tidyAt });
      const nights = async () =>
        (await parts.readModels.find<ReadDocument & { readonly tidyAt?: string }>('erasures_v1')).map(
          (document) => document.tidyAt,
        );
      await expect.poll(nights, { timeout: 30_000 }).toEqual([expect.any(String)]);
      await process.close();
      return (await nights())[0];
    };
    await request('2026-12-10T03:40:00.000Z');
    await caughtUp();
    const early = erasures({ clock: { now: () => new Date('2026-12-10T03:39:59.999Z') } });
    await early.close();
    expect(deleted).toEqual([]);
    at.now = '2026-12-10T03:40:00.000Z';
    // One that begins at that time of the day is for the next night, one before it for this one, to the minute.
    expect(await begun('03:40')).toBe('2026-12-11T03:40:00.000Z');
    at.now = '2026-12-10T03:40:12.345Z';
    await act('ben', USER_STREAM, 'ben', { type: 'RequestDeletion', eraseAt: at.now });
    await parts.readModels.delete('erasures_v1', 'ann');
    await caughtUp();
    expect(await begun('03:41')).toBe('2026-12-10T03:41:00.000Z');
    expect(deleted).toHaveLength(2);
  });

  it('is tidied up with all before it, though the night of another one is yet to come', async () => {
    const { readModels } = parts;
    const left = (id: string, tidyAt: string) => ({ id, _revision: 0, _position: '0', tidyAt });
    await readModels.ensureCollection({ name: 'erasures_v1', indexes: [] });
    await readModels.put('erasures_v1', left('dan', '2026-12-10T03:40:00.000Z'));
    await readModels.put('erasures_v1', left('eve', '2026-12-09T03:40:00.000Z'));
    const process = erasures();
    await expect.poll(() => readModels.find('erasures_v1'), { timeout: 30_000 }).toEqual([]);
    await process.close();
  });

  it('is tidied up at night where only an earlier deletion, which was undone, was to be at once', async () => {
    await request('2026-12-01T00:00:00.000Z');
    await act('ann', USER_STREAM, 'ann', { type: 'UndoDeletion' });
    await request('2026-12-08T00:00:00.000Z');
    await caughtUp();
    const rebuilt: string[] = [];
    const process = erasures({ tidyAt: '23:59', rebuild: async (name) => void rebuilt.push(name) });
    const tidyAt = async () => (await parts.readModels.find<ReadDocument>('erasures_v1'))[0];
    await expect.poll(tidyAt, { timeout: 30_000 }).toMatchObject({ tidyAt: '2026-12-10T23:59:00.000Z' });
    await process.close();
    expect(deleted).toHaveLength(1);
    expect(rebuilt).toEqual([]);
  });

  it('is in no kept answer either, and under every address that it ever had', async () => {
    await act('ann', USER_STREAM, 'ann', { type: 'ChangeEmail', email: 'later@example.org' });
    await act('ann', waitlistStream, waitlistId('later@example.org'), {
      type: 'JoinWaitlist',
      email: 'later@example.org',
    });
    await request(NOW);
    await caughtUp();
    const addresses: string[] = [];
    let forgotten = 0;
    const process = erasures({
      identity: {
        deleteAccount: async (_, all) => void addresses.push(...all),
        deleteMachineClient: async () => undefined,
      },
      forgetAnswers: async () => {
        forgotten += 1;
      },
    });
    expect(await process.sweep()).toBe(1);
    await process.close();
    expect(new Set(addresses)).toEqual(new Set([ADDRESS, 'later@example.org']));
    expect(forgotten).toBe(1);
    for (const trace of [ADDRESS, 'later@example.org']) expect(holding(trace)).toEqual([]);
  });

  it('is gone altogether at once where an operator wants that', async () => {
    await request('2026-12-01T00:00:00.000Z');
    await caughtUp();
    const process = erasures({ tidyAt: '23:59' });
    await expect.poll(() => holding(NAME), { timeout: 30_000 }).toEqual([]);
    await process.close();
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
