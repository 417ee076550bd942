import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import { ERASED } from '@quantloom/domain/personal-data';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventStoreContract } from '../../../testing/event-store/contract.ts';
import { anEvent } from '../../../testing/event-store/contract-events.ts';
import { openSqlitePersonKeys } from '../../person-keys/sqlite/sqlite-person-keys.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { linkOf } from '../sqlite/link-events.ts';
import { formerHead, sealLog } from '../sqlite/seal-log.ts';
import { openSqliteEventStore } from '../sqlite/sqlite-event-store.ts';
import { openSealedEventStore } from './sealed-event-store.ts';
import { sealEvent } from './sealing.ts';

eventStoreContract('sealed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sealed-'));
  const keys = openSqlitePersonKeys(path.join(folder, 'keys.sqlite'));
  const databases = [openSqliteDatabase(path.join(folder, 'app.db'))];
  const open = (database = databases[0]) => {
    if (!database) throw new Error('There is no file');
    return openSealedEventStore(openSqliteEventStore(database), keys);
  };
  return {
    store: open(),
    async openAnother() {
      const another = openSqliteDatabase(path.join(folder, 'app.db'));
      databases.push(another);
      return open(another);
    },
    async stop() {
      for (const database of databases) database.close();
      await keys.close();
      rmSync(folder, { recursive: true });
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sealed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const ADDRESS = 'ann.smith@example.com';
const registered = (userId: string, email: string): NewEvent => ({
  ...anEvent('UserRegistered'),
  data: { userId, subject: `quantloom|${userId}`, email, planId: 'free', grantedFeatures: [] },
});
const batchOf = (userId: string): NewEvent => ({
  ...anEvent('BatchBacktestCreated'),
  data: { batchId: 'b', userId, name: 'Ann Smith at work', template: { name: "Ann Smith's", variables: [] } },
});
async function all(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of store.readAll(BEFORE_FIRST)) events.push(event);
  return events;
}
const open = () => {
  const database = openSqliteDatabase(path.join(folder, 'app.db'));
  const keys = openSqlitePersonKeys(path.join(folder, 'keys.sqlite'));
  const log = openSqliteEventStore(database);
  const close = async () => {
    await log.close();
    database.close();
    await keys.close();
  };
  return { database, keys, log, store: openSealedEventStore(log, keys), close };
};
/** Files of the folder that hold a text. */
const holding = (text: string) =>
  readdirSync(folder).filter((name) => readFileSync(path.join(folder, name)).includes(text));

describe('personal data in the log', () => {
  it('are nowhere in its files, and read as they were written', async () => {
    const { store, close } = open();
    await store.append('user-1', [registered('1', ADDRESS)], 'noStream');
    await store.append('batch-b', [batchOf('1')], 'noStream');
    const events = await all(store);
    expect(events[0]?.data).toMatchObject({ email: ADDRESS, subject: 'quantloom|1' });
    expect(events[1]?.data).toMatchObject({ name: 'Ann Smith at work', template: { name: "Ann Smith's" } });
    for (const text of [ADDRESS, 'Ann Smith', 'quantloom|1']) expect(holding(text)).toEqual([]);
    await close();
  });

  it('of one person are gone with the key, those of others stay', async () => {
    const { store, keys, close } = open();
    await store.append('user-1', [registered('1', ADDRESS)], 'noStream');
    await store.append('batch-b', [batchOf('1')], 'noStream');
    await store.append('user-2', [registered('2', 'ben@example.com')], 'noStream');
    await keys.erase('1');
    const [ann, batch, ben] = await all(store);
    expect(ann?.data).toMatchObject({ userId: '1', email: ERASED, subject: ERASED, planId: 'free' });
    expect(batch?.data).toMatchObject({ name: ERASED, template: { name: ERASED, variables: [] } });
    expect(ben?.data).toMatchObject({ email: 'ben@example.com' });
    await close();
  });

  it('are sealed whatever they look like, and copied as they are', async () => {
    const { store, log, keys, close } = open();
    // What somebody else's sealed text looks like: nobody may have it opened by calling a batch so.
    await store.append('user-1', [registered('1', ADDRESS)], 'noStream');
    const [copied = ''] = (await all(log)).map(({ data }) => (data as { email: string }).email);
    const named = { ...batchOf('2'), data: { ...(batchOf('2').data as object), name: copied } };
    await store.append('batch-b', [named], 'noStream');
    expect((await all(store))[1]?.data).toMatchObject({ name: copied });
    expect((await all(log))[1]?.data).not.toMatchObject({ name: copied });
    const event = registered('1', copied);
    expect((await sealEvent(keys, 'user-1', event, { isCopy: true })).data).toMatchObject({ email: copied });
    await close();
  });

  it('are the same bytes when an event is written twice, and others for every event', async () => {
    const { store, log, close } = open();
    const event = registered('1', ADDRESS);
    await store.append('user-1', [event], 'noStream');
    expect(await store.append('user-1', [event], 'noStream')).toMatchObject({ revision: 0 });
    await store.append('user-1', [registered('1', ADDRESS)], 0);
    const emails = (await all(log)).map(({ data }) => (data as { email: string }).email);
    expect(new Set(emails).size).toBe(2);
    await close();
  });
});

describe('a log from before there were keys', () => {
  it('is sealed once, whole, with a chain that holds and a former end that can be found', async () => {
    const first = open();
    const others = Array.from({ length: 1_200 }, (_, index) => ({ ...anEvent('Other'), data: { index } }));
    await first.log.append('other-1', others, 'noStream');
    await first.log.append('user-1', [registered('1', ADDRESS)], 'noStream');
    await first.log.append('batch-b', [batchOf('1')], 'noStream');
    await first.log.append('other-2', [{ ...anEvent('Other'), data: {} }], 'noStream');
    const before = await all(first.log);
    expect(holding(ADDRESS)).not.toEqual([]);
    expect(await sealLog(first.database, first.keys)).toBe(2);
    expect(await sealLog(first.database, first.keys)).toBe(0);
    for (const text of [ADDRESS, 'Ann Smith']) expect(holding(text)).toEqual([]);
    const after = await all(first.store);
    expect(after.map(({ link: _, ...event }) => event)).toEqual(before.map(({ link: _, ...event }) => event));
    // What stands before the first personal datum keeps its link.
    expect(after.slice(0, 1_200).map(({ link }) => link)).toEqual(
      before.slice(0, 1_200).map(({ link }) => link),
    );
    let link = '';
    for (const event of await all(first.log)) {
      const { metadata, data } = event;
      link = linkOf(link, { ...event, metadata: JSON.stringify(metadata), data: JSON.stringify(data) });
      expect(event.link).toBe(link);
    }
    expect(formerHead(first.database)).toEqual({
      position: Number(before.at(-1)?.position),
      former: before.at(-1)?.link,
      link,
    });
    // The log goes on.
    await first.store.append('user-2', [registered('2', 'ben@example.com')], 'noStream');
    await first.close();
  });

  it('stays as it was where sealing breaks off', async () => {
    const { database, log, keys, store, close } = open();
    await log.append('user-1', [registered('1', ADDRESS)], 'noStream');
    const failing = { ...keys, keyFor: () => Promise.reject(new Error('the disk is full')) };
    await expect(sealLog(database, failing)).rejects.toThrow('the disk is full');
    expect((await all(log))[0]?.data).toMatchObject({ email: ADDRESS });
    expect(await sealLog(database, keys)).toBe(1);
    expect((await all(store))[0]?.data).toMatchObject({ email: ADDRESS });
    await close();
  });
});
