import { isDeepStrictEqual } from 'node:util';
import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import {
  CONSUMER_GROUPS,
  DEAD_LETTER_GROUP,
  TOPICS,
  WORK,
} from '@quantloom/domain/contracts/messages/topics';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { openStores } from '@quantloom/projectors/testing/batch-stack';
import { describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { errorsByHour, mountAdminDashboard, nodesOf } from './admin-dashboard.ts';

const NOW = Date.parse('2026-11-20T12:30:00Z');
const HOUR = 3_600_000;

describe('admin dashboard', () => {
  it('counts errors in the hour they happened in, the oldest first', async () => {
    const stores = await openStores();
    const { readModels } = stores;
    const { collection } = backtestErrorsProjection;
    await readModels.ensureCollection(collection);
    const times = [NOW, NOW - HOUR, NOW - HOUR - 2, NOW - 23.5 * HOUR, NOW - 24 * HOUR, NOW + 5];
    for (const [i, time] of times.entries()) {
      const error = { id: `e${i}`, createdAt: new Date(time).toISOString(), _revision: 0, _position: '0' };
      await readModels.put(collection.name, error);
    }
    const hours = await errorsByHour(readModels, NOW);
    await stores.close();
    stores.remove();
    expect(hours).toHaveLength(24);
    expect(hours[23]).toBe(1);
    expect(hours[22]).toBe(2);
    expect(hours[0]).toBe(1);
    expect(hours.reduce((sum, count) => sum + count)).toBe(4);
  });

  it('adds up what a node does for several batches and forgets silent ones', () => {
    const part = (node: string, rate: number, age: number) => ({
      node,
      done: 1,
      total: 2,
      rate,
      at: new Date(NOW - age).toISOString(),
    });
    const base = { _revision: 0, _position: '0', at: '' };
    const nodes = nodesOf(
      [
        { ...base, id: 'one', running: { 0: part('b', 100, 500), 1: part('a', 50, 900) } },
        { ...base, id: 'two', running: { 7: part('b', 20, 100), 8: part('gone', 9, 60_001) } },
        { ...base, id: 'three', running: { 2: part('c', 5, 60_000) } },
      ],
      NOW,
    );
    expect(nodes).toEqual([
      { node: 'a', rate: 50, partitions: 1, at: new Date(NOW - 900).toISOString() },
      { node: 'b', rate: 120, partitions: 2, at: new Date(NOW - 100).toISOString() },
      // A minute without a word, and not a moment more.
      { node: 'c', rate: 5, partitions: 1, at: new Date(NOW - 60_000).toISOString() },
    ]);
  });

  it('says how many batches wait and run, and how long the one that came first has waited', async () => {
    const stores = await openStores();
    const { readModels, eventStore } = stores;
    const server = await openReadServer(mountAdminDashboard, { readModels, eventStore });
    const look = async () => (await server.get('admin', '/admin/dashboard')).body.batches;
    const put = async (id: string, status: string, createdAt: string) =>
      await readModels.put(batchesProjection.collection.name, {
        ...{ id, status, createdAt, _revision: 0, _position: '0' },
      });
    expect(await look()).toEqual({ queued: 0, running: 0, queue_wait_seconds: null });
    // It is 10 o'clock there.
    await put('late', 'Queued', '2026-03-04T09:59:00.000Z');
    await put('first', 'Queued', '2026-03-04T09:50:00.000Z');
    await put('last', 'Queued', '2026-03-04T09:59:50.000Z');
    await put('runs', 'Running', '2026-03-04T08:00:00.000Z');
    await put('compiles', 'CompilingResults', '2026-03-04T08:00:00.000Z');
    for (const status of ['Finished', 'Stopped', 'Error'])
      await put(status, status, '2026-03-04T08:00:00.000Z');
    expect(await look()).toEqual({ queued: 3, running: 2, queue_wait_seconds: 600 });
    await server.close();
    await stores.close();
    stores.remove();
  });

  it('counts what waits on each topic, dead letters of all of them, and leaves out what it cannot know', async () => {
    const away = new DependencyAwayError('bus', 'no answer');
    let isBusAway = false;
    const lag = async (group: string, topic: string) => {
      if (isBusAway) throw away;
      if (group === DEAD_LETTER_GROUP) {
        // The topic comes with its first message.
        if (topic !== `${TOPICS.jobs.name}.dead` && topic !== `${TOPICS.progress.name}.dead`)
          throw Object.assign(new Error(topic), { code: 'unknown_topic' });
        return topic === `${TOPICS.jobs.name}.dead` ? 2 : 3;
      }
      return group === CONSUMER_GROUPS.quickJobs && topic === TOPICS.quickJobs.name ? 7 : 0;
    };
    const counted = { planId: 'api' };
    const server = await openReadServer(mountAdminDashboard, {
      readModels: {
        ensureCollection: async () => undefined,
        find: async () => [],
        count: async (_: string, where: object) => (isDeepStrictEqual(where, counted) ? 4 : 0),
        checkpoint: async (name: string) => (name.startsWith('listings') ? 12n : 20n),
      },
      eventStore: {
        readAll: async function* (after: bigint, { maxCount }: { maxCount: number }) {
          for (let i = after; i < 20n && i - after < maxCount; i += 1n) yield i;
        },
      },
      bus: { lag },
      outages: {
        current: () => [
          { dependency: 'results', since: new Date('2026-03-04T09:00:00.000Z'), reason: 'No room is left.' },
        ],
      },
    });
    const { body } = await server.get('admin', '/admin/dashboard');
    expect(body.dead_letters).toBe(5);
    expect(body.users_by_plan).toMatchObject({ free: 0, api: 4 });
    expect(body.outages).toEqual([
      { name: 'results store', since: '2026-03-04T09:00:00.000Z', reason: 'No room is left.' },
    ]);
    const behind = body.followers.filter(({ lag }: { lag: number | null }) => lag !== 0);
    expect(behind).toEqual([
      { name: 'listings', kind: 'projection', lag: 8 },
      { name: TOPICS.quickJobs.name, kind: 'consumer', lag: 7 },
    ]);
    isBusAway = true;
    const without = (await server.get('admin', '/admin/dashboard')).body;
    expect(without.dead_letters).toBeNull();
    const unknown = without.followers.filter(({ lag }: { lag: number | null }) => lag === null);
    expect(unknown.map(({ name }: { name: string }) => name)).toEqual(WORK.map((kind) => TOPICS[kind].name));
    await server.close();
  });
});
