import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { messageBusContract } from '../../../testing/message-bus/contract.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { openSqliteMessageBus } from './sqlite-message-bus.ts';

// A lease that outlasts what a slow disk or a busy machine makes the process wait.
const SETTINGS = { leaseMs: 5_000, handlerTimeoutMs: 1_000, firstRetryMs: 5 };

messageBusContract('sqlite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'message-bus-'));
  const path = join(folder, 'app.db');
  const database = openSqliteDatabase(path);
  const opened = [database];
  return {
    bus: openSqliteMessageBus(database, SETTINGS),
    sessionMs: SETTINGS.handlerTimeoutMs,
    async openAnother() {
      const another = openSqliteDatabase(path);
      opened.push(another);
      return openSqliteMessageBus(another, SETTINGS);
    },
    async stop() {
      for (const each of opened) each.close();
      rmSync(folder, { recursive: true });
    },
  };
});

const eventually = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });

describe('sqlite message bus', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'message-bus-own-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: n }));

  it('has done with a last message that nobody could handle, once it lies among the dead ones', async () => {
    const database = openSqliteDatabase(join(folder, 'dead.db'));
    const bus = openSqliteMessageBus(database, SETTINGS);
    const stored = () => Number(database.relaxed.prepare('SELECT count(*) AS n FROM bus_messages').get()?.n);
    await bus.ensureTopics([{ name: 'jobs', partitions: 1 }]);
    await bus.publish('jobs', numbers(1));
    await bus.subscribe({ group: 'workers', topics: ['jobs'], maxDeliveries: 1 }, async () => {
      throw new Error('cannot be read');
    });
    await eventually(() => expect(stored()).toBeGreaterThan(1));
    expect(await bus.lag('workers', 'jobs')).toBe(0);
    database.close();
  });

  it('forgets messages that every group has handled, and keeps those that one still needs', async () => {
    const database = openSqliteDatabase(join(folder, 'retention.db'));
    const bus = openSqliteMessageBus(database, { retention: { consumedMs: 0 }, retentionEveryMs: 10 });
    const stored = () => Number(database.relaxed.prepare('SELECT count(*) AS n FROM bus_messages').get()?.n);
    await bus.ensureTopics([
      { name: 'jobs', partitions: 2 },
      { name: 'unread', partitions: 1 },
    ]);
    await bus.publish('unread', numbers(5));
    const slow = await bus.subscribe({ group: 'slow', topics: ['jobs'] }, async () => {});
    await slow.close();
    const seen: unknown[] = [];
    await bus.subscribe({ group: 'fast', topics: ['jobs'] }, async ({ value }) => void seen.push(value));
    await bus.publish('jobs', numbers(30));
    await eventually(() => expect(seen.length).toBe(30));
    expect(stored()).toBe(35);
    await bus.subscribe({ group: 'slow', topics: ['jobs'] }, async () => {});
    await eventually(() => expect(stored()).toBe(5));
    await bus.publish('jobs', numbers(3));
    await eventually(() => expect(seen.length).toBe(33));
    expect(await bus.lag('fast', 'jobs')).toBe(0);
    // A group that comes late begins at what is left.
    expect(await bus.lag('late', 'unread')).toBe(5);
    await bus.close();
    database.close();
  });

  it('frees at once what a killed process held, where no other one can be at work', async () => {
    const path = join(folder, 'killed.db');
    const [first, second] = [openSqliteDatabase(path), openSqliteDatabase(path)];
    const killed = openSqliteMessageBus(first, { leaseMs: 3_600_000 });
    await killed.ensureTopics([{ name: 'jobs', partitions: 1 }]);
    await killed.publish('jobs', numbers(1));
    const begun = vi.fn();
    await killed.subscribe({ group: 'g', topics: ['jobs'] }, async (_message, { signal }) => {
      begun();
      // Whoever was killed neither ends nor gives anything back.
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    });
    await eventually(() => expect(begun).toHaveBeenCalled());
    // From now on it does nothing: alive, it would take back what it is freed of.
    first.close();
    const next = openSqliteMessageBus(second, { isAlone: true });
    const seen: unknown[] = [];
    await next.subscribe({ group: 'g', topics: ['jobs'] }, async ({ value }) => void seen.push(value));
    await eventually(() => expect(seen).toEqual([0]));
    await next.close();
    await killed.close();
    second.close();
  });

  it('puts nothing aside that was under way when its member left, not even at its last delivery', async () => {
    const database = openSqliteDatabase(join(folder, 'left.db'));
    const bus = openSqliteMessageBus(database, SETTINGS);
    await bus.ensureTopics([{ name: 'jobs', partitions: 1 }]);
    await bus.publish('jobs', numbers(1));
    const begun = vi.fn();
    const options = { group: 'g', topics: ['jobs'], maxDeliveries: 1 };
    const leaving = await bus.subscribe(options, async (_message, { signal }) => {
      begun();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw new Error('It was not done');
    });
    await eventually(() => expect(begun).toHaveBeenCalled());
    await leaving.close();
    const seen: unknown[] = [];
    await bus.subscribe(options, async ({ value }) => void seen.push(value));
    await eventually(() => expect(seen).toEqual([0]));
    await bus.close();
    database.close();
  });

  it('hands a partition on where the handler at work on it neither ends nor heeds that it shall go', async () => {
    const database = openSqliteDatabase(join(folder, 'stuck.db'));
    const bus = openSqliteMessageBus(database, SETTINGS);
    await bus.ensureTopics([{ name: 'jobs', partitions: 2 }]);
    await bus.publish('jobs', numbers(8));
    const begun = vi.fn();
    const options = { group: 'g', topics: ['jobs'], concurrency: 2 };
    const held = Promise.withResolvers<void>();
    await bus.subscribe(options, async () => {
      begun();
      await held.promise;
    });
    // Both of its partitions are busy, so that one of these has to go.
    await eventually(() => expect(begun).toHaveBeenCalledTimes(2));
    const seen: unknown[] = [];
    await bus.subscribe(options, async ({ value }) => void seen.push(value));
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    held.resolve();
    await bus.close();
    database.close();
  });

  it('does not put off, where it goes to another member, what failed as its partition left', async () => {
    const database = openSqliteDatabase(join(folder, 'failing.db'));
    const bus = openSqliteMessageBus(database, SETTINGS);
    await bus.ensureTopics([{ name: 'jobs', partitions: 2 }]);
    await bus.publish('jobs', numbers(8));
    // Its last delivery: what counted as failed would be put aside.
    const options = { group: 'g', topics: ['jobs'], concurrency: 2, maxDeliveries: 1 };
    const done = new Set<unknown>();
    const asked = vi.fn();
    const held = Promise.withResolvers<void>();
    await bus.subscribe(options, async ({ value }, { signal, heartbeat }) => {
      if (asked.mock.calls.length === 0) {
        const alive = setInterval(() => void heartbeat(), 50);
        const left = new Promise<void>((_, reject) =>
          signal.addEventListener('abort', () => {
            asked();
            reject(new Error('Stopped'));
          }),
        );
        await Promise.race([held.promise, left]).finally(() => clearInterval(alive));
      }
      done.add(value);
    });
    await eventually(() => expect(owners(database).filter(Boolean).length).toBe(2));
    await bus.subscribe(options, async ({ value }) => void done.add(value));
    await eventually(() => expect(asked).toHaveBeenCalledTimes(1));
    held.resolve();
    await eventually(() => expect(done.size).toBe(8));
    await bus.close();
    database.close();
  });

  it('hands the partitions of a process that stands still to another one, and ignores what it does later', async () => {
    const path = join(folder, 'lease.db');
    const [first, second] = [openSqliteDatabase(path), openSqliteDatabase(path)];
    // Renews its lease too rarely to matter here.
    const frozen = openSqliteMessageBus(first, { leaseMs: 60_000 });
    const healthy = openSqliteMessageBus(second, { leaseMs: 150 });
    await frozen.ensureTopics([{ name: 'jobs', partitions: 1 }]);
    await frozen.publish('jobs', numbers(1));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let wasAborted = false;
    await frozen.subscribe({ group: 'g', topics: ['jobs'] }, async (_, { signal }) => {
      signal.addEventListener('abort', () => {
        wasAborted = true;
      });
      await held;
    });
    await eventually(() => expect(owners(second).filter(Boolean).length).toBe(1));
    const [standing] = owners(second);
    const seen: unknown[] = [];
    await healthy.subscribe({ group: 'g', topics: ['jobs'] }, async ({ value }) => void seen.push(value));
    // The lease as it would look after a long stop: run out long ago. Time and again, since here its owner
    // goes on renewing it.
    await eventually(() => {
      second.relaxed.prepare('UPDATE bus_members SET expires_at = 0 WHERE member = ?').run(String(standing));
      expect(seen).toEqual([0]);
    });
    await eventually(() => expect(wasAborted).toBe(true));
    release();
    await healthy.publish('jobs', numbers(1));
    await eventually(async () => expect(await healthy.lag('g', 'jobs')).toBe(0));
    expect(seen).toEqual([0, 0]);
    await Promise.all([frozen.close(), healthy.close()]);
    for (const database of [first, second]) database.close();
  });

  const owners = (database: ReturnType<typeof openSqliteDatabase>) =>
    database.relaxed
      .prepare('SELECT owner FROM bus_offsets')
      .all()
      .map((row) => row.owner);

  it('gives every member its share of the partitions and moves no more than needed', async () => {
    const database = openSqliteDatabase(join(folder, 'shares.db'));
    const bus = openSqliteMessageBus(database);
    await bus.ensureTopics([{ name: 'jobs', partitions: 7 }]);
    const shares = () => {
      const counts = Object.groupBy(owners(database), String);
      expect(counts).not.toHaveProperty('null');
      return Object.values(counts)
        .map((each) => each?.length)
        .toSorted();
    };
    const enter = () => bus.subscribe({ group: 'g', topics: ['jobs'] }, async () => {});
    const members = [await enter()];
    await eventually(() => expect(shares()).toEqual([7]));
    const before = owners(database);
    members.push(await enter());
    await eventually(() => expect(shares()).toEqual([3, 4]));
    expect(owners(database).filter((owner, i) => owner !== before[i]).length).toBe(3);
    members.push(await enter());
    await eventually(() => expect(shares()).toEqual([2, 2, 3]));
    await members[0]?.close();
    await eventually(() => expect(shares()).toEqual([3, 4]));
    await bus.close();
    database.close();
  });
});
