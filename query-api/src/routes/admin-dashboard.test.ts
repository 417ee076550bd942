import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import { openStores } from '@quantloom/projectors/testing/batch-stack';
import { describe, expect, it } from 'vitest';
import { errorsByHour, nodesOf } from './admin-dashboard.ts';

const NOW = Date.parse('2026-11-20T12:30:00Z');
const HOUR = 3_600_000;

describe('admin dashboard', () => {
  it('counts errors in the hour they happened in, the oldest first', async () => {
    const stores = await openStores();
    const { readModels } = stores;
    const { collection } = backtestErrorsProjection;
    await readModels.ensureCollection(collection);
    const times = [NOW - 1, NOW - HOUR - 1, NOW - HOUR - 2, NOW - 23.5 * HOUR, NOW - 24 * HOUR, NOW + 5];
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
});
