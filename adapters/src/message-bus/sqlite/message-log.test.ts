import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/database.ts';
import { BUS_SCHEMA } from './bus-schema.ts';
import { GroupStore } from './group-store.ts';
import { MessageLog } from './message-log.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const KEPT = { consumedMs: 1_000, unreadMs: 10_000, groupMs: 50_000 };
let folder: string;
let database: SqliteDatabase;
let log: MessageLog;
let groups: GroupStore;
let topic: number;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  folder = mkdtempSync(join(tmpdir(), 'log-'));
  database = openSqliteDatabase(join(folder, 'app.db'));
  database.migrate('message-bus', BUS_SCHEMA);
  log = new MessageLog(database.relaxed);
  groups = new GroupStore(database, 1_000);
  log.ensureTopic({ name: 'jobs', partitions: 1 });
  topic = groups.topicId('jobs');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

const publish = (count: number) =>
  log.append(
    'jobs',
    Array.from({ length: count }, (_, value) => ({ key: 'k', value })),
  );
const offsets = () => log.read(topic, 0, 0, 10_000).map(({ offset }) => offset);
/** A member of a group that has handled all messages before `next`. */
function handledBy(group: string, next: number) {
  groups.join(group, 'm', ['jobs'], 'earliest');
  groups.synchronise(group, 'm', ['jobs']);
  groups.commit(group, 'm', topic, 0, next);
}
const retain = (afterMs: number) => log.applyRetention(KEPT, NOW + afterMs);

describe('what is kept of the messages', () => {
  it('is what the slowest group has not handled, and what it has for a while', () => {
    publish(4);
    handledBy('fast', 4);
    handledBy('slow', 2);
    expect(retain(1_000)).toBe(false);
    expect(offsets()).toEqual([0, 1, 2, 3]);
    retain(1_001);
    expect(offsets()).toEqual([2, 3]);
    expect([log.lag('fast', 'jobs'), log.lag('slow', 'jobs'), log.lag('late', 'jobs')]).toEqual([0, 2, 2]);
  });

  it('is what is younger, and all that comes after it', () => {
    publish(2);
    vi.setSystemTime(NOW + 500);
    publish(1);
    handledBy('g', 3);
    retain(1_500);
    expect(offsets()).toEqual([2]);
    expect([...log.heads(topic)]).toEqual([[0, 3]]);
  });

  it('is held back by no group that nobody has been in for long', () => {
    publish(3);
    handledBy('gone', 1);
    vi.setSystemTime(NOW + 49_999);
    handledBy('there', 3);
    retain(49_999);
    expect(offsets()).toEqual([1, 2]);
    retain(50_000);
    expect(offsets()).toEqual([]);
  });

  it('is longer where no group has ever read it', () => {
    publish(2);
    retain(10_000);
    expect(offsets()).toEqual([0, 1]);
    retain(10_001);
    expect(offsets()).toEqual([]);
    expect(log.lag('late', 'jobs')).toBe(0);
    publish(1);
    expect(offsets()).toEqual([2]);
  });

  it('is thinned out by five thousand at a time, and told whether there is more to do', () => {
    publish(5_001);
    handledBy('g', 5_001);
    expect(retain(2_000)).toBe(true);
    expect(offsets()).toEqual([5_000]);
    expect(retain(2_000)).toBe(false);
    expect(offsets()).toEqual([]);
    publish(5_000);
    groups.commit('g', 'm', topic, 0, 10_001);
    expect(retain(2_000)).toBe(false);
    expect(offsets()).toEqual([]);
  });
});

it('partitions are whole numbers of at least one, and a topic is there before anything is published', () => {
  for (const partitions of [0, 1.5, -1])
    expect(() => log.ensureTopic({ name: 'odd', partitions })).toThrow('at least one partition');
  expect(() => log.append('odd', [])).toThrow('odd');
  expect(() => log.lag('g', 'odd')).toThrow('odd');
});

it('reads from an offset on, as many as are wanted', () => {
  publish(5);
  expect(log.read(topic, 0, 1, 3).map(({ value }) => value)).toEqual([1, 2, 3]);
});
