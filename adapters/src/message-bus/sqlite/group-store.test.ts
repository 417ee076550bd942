import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqliteDatabase, type SqliteDatabase } from '../../sqlite/database.ts';
import { GroupStore } from './group-store.ts';
import { openSqliteMessageBus } from './sqlite-message-bus.ts';

const LEASE_MS = 1_000;
let folder: string;
let database: SqliteDatabase;
let bus: MessageBus;
let groups: GroupStore;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  folder = mkdtempSync(join(tmpdir(), 'groups-'));
  database = openSqliteDatabase(join(folder, 'app.db'));
  bus = openSqliteMessageBus(database);
  await bus.ensureTopics([{ name: 'jobs', partitions: 5 }]);
  groups = new GroupStore(database, LEASE_MS);
});
afterEach(async () => {
  await bus.close();
  database.close();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const joined = (...members: string[]) => {
  for (const member of members) groups.join('g', member, ['jobs'], 'earliest');
};
/** What each member owns after it has looked, in the order given. */
const owned = (...members: string[]) =>
  members.map((member) =>
    groups
      .synchronise('g', member, ['jobs'])
      .owned.map(({ partition }) => partition)
      .sort(),
  );
const surplus = (member: string) => [...groups.synchronise('g', member, ['jobs']).surplus.values()];
const ownersIn = (group: string) =>
  database.relaxed
    .prepare('SELECT owner FROM bus_offsets WHERE group_name = ? ORDER BY partition')
    .all(group)
    .map(({ owner }) => owner);
const idOf = () => groups.topicId('jobs');

describe('members of a group', () => {
  it('share the partitions evenly, and the remainder stays with who has it', () => {
    joined('b');
    expect(owned('b')).toEqual([[0, 1, 2, 3, 4]]);
    joined('a');
    // Three of five stay, though a comes before b.
    expect(surplus('b')).toEqual([2]);
    expect(owned('a')).toEqual([[]]);
    groups.release('g', 'b', idOf(), 3);
    groups.release('g', 'b', idOf(), 4);
    expect(owned('b', 'a')).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    expect(surplus('b')).toEqual([]);
  });

  it('take their own share of what is free, and not the rest', () => {
    joined('a');
    owned('a');
    joined('b');
    for (const partition of [2, 3, 4]) groups.release('g', 'a', idOf(), partition);
    expect(owned('b', 'a')).toEqual([
      [2, 3],
      [0, 1, 4],
    ]);
  });

  it('take nothing from one that is alive, and what one has left', () => {
    joined('a', 'b');
    expect(owned('a', 'b')).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
    groups.leave('g', 'a');
    expect(owned('b')).toEqual([[0, 1, 2, 3, 4]]);
  });

  it('are gone when their lease has run out, which every look renews', () => {
    joined('a', 'b');
    owned('a', 'b');
    later(LEASE_MS - 1);
    owned('b');
    later(1);
    // To the last millisecond.
    expect(owned('b')).toEqual([[3, 4]]);
    later(1);
    expect(owned('b')).toEqual([[0, 1, 2, 3, 4]]);
    expect(groups.commit('g', 'a', idOf(), 0, 7)).toBe(false);
    expect(groups.commit('g', 'b', idOf(), 0, 7)).toBe(true);
  });

  it('live for another lease from each of their looks on', () => {
    joined('a', 'b');
    owned('a', 'b');
    later(LEASE_MS - 1);
    owned('b');
    later(LEASE_MS / 2);
    expect(owned('a', 'b')).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  it('notice each change of members or owners, and nothing where there is none', () => {
    joined('a', 'b');
    owned('a', 'b');
    const epoch = groups.epoch('g');
    owned('a', 'b');
    expect(groups.epoch('g')).toBe(epoch);
    groups.release('g', 'a', idOf(), 0);
    expect(groups.epoch('g')).toBe(epoch + 1);
    owned('a');
    expect(groups.epoch('g')).toBe(epoch + 2);
    // A partition that is another one's stays where it is.
    groups.release('g', 'a', idOf(), 3);
    expect(ownersIn('g')).toEqual(['a', 'a', 'a', 'b', 'b']);
  });

  it('of another group have all partitions for themselves', () => {
    joined('a');
    owned('a');
    groups.join('other', 'a', ['jobs'], 'earliest');
    expect(groups.synchronise('other', 'a', ['jobs']).owned).toHaveLength(5);
    groups.leave('g', 'a');
    expect(ownersIn('g')).toEqual([null, null, null, null, null]);
    expect(ownersIn('other')).toEqual(['a', 'a', 'a', 'a', 'a']);
    groups.forgetMembers();
    joined('c');
    expect(owned('c')).toEqual([[0, 1, 2, 3, 4]]);
  });
});

describe('where a group goes on', () => {
  const next = () => groups.synchronise('g', 'a', ['jobs']).owned.map((one) => one.next);

  it('is after the last message for one that begins there, and at the first one of partitions that come later', async () => {
    await bus.publish(
      'jobs',
      Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, value: n })),
    );
    groups.join('g', 'a', ['jobs'], 'latest');
    expect(next().reduce((sum, one) => sum + one, 0)).toBe(50);
    groups.leave('g', 'a');
    await bus.ensureTopics([{ name: 'jobs', partitions: 6 }]);
    await bus.publish(
      'jobs',
      Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, value: n })),
    );
    groups.join('g', 'a', ['jobs'], 'latest');
    expect(next()).toHaveLength(6);
    expect(next()[5]).toBe(0);
    // A member that is there already finds new ones, too.
    await bus.ensureTopics([{ name: 'jobs', partitions: 7 }]);
    expect(next()).toHaveLength(7);
  });

  it('is at the first message that is left where those that it had not read are gone', () => {
    joined('a');
    database.relaxed.prepare('UPDATE bus_partitions SET first_offset = 9 WHERE partition = 1').run();
    groups.commit('g', 'a', idOf(), 0, 3);
    expect(next()).toEqual([0, 9, 0, 0, 0]);
    expect(groups.commit('g', 'a', idOf(), 0, 3)).toBe(true);
    expect(next()).toEqual([3, 9, 0, 0, 0]);
  });
});
