import { describe, expect, it } from 'vitest';
import { StateCache } from './state-cache.ts';

const folded = (state: unknown, revision = 0) => ({
  state,
  revision,
  position: BigInt(revision),
  commandIds: new Set<string>(),
});
const large = () => Array.from({ length: 30_000 }, (_, i) => ({ i }));

describe('the cache of states', () => {
  it('keeps the streams that were used last, and the newest state of each', () => {
    const cache = new StateCache(2);
    cache.set('a', folded(1));
    cache.set('b', folded(2));
    cache.get('a');
    cache.set('c', folded(3));
    expect([cache.get('a')?.state, cache.get('b'), cache.get('c')?.state]).toEqual([1, undefined, 3]);
    cache.set('a', folded('newer', 5));
    cache.set('a', folded('older', 4));
    expect(cache.get('a')?.state).toBe('newer');
  });

  it('keeps few of the large ones, those that were used last, and lets them push out no others', () => {
    const cache = new StateCache(1_000);
    for (let i = 0; i < 100; i += 1) cache.set(`small${i}`, folded(i));
    cache.set('used', folded(large()));
    for (let i = 0; i < 15; i += 1)
      cache.set(`large${i}`, folded(i % 2 === 0 ? large() : 'x'.repeat(30_000)));
    cache.get('used');
    for (let i = 15; i < 30; i += 1) cache.set(`large${i}`, folded(large()));
    const kept = Array.from({ length: 30 }, (_, i) => cache.get(`large${i}`)).filter(Boolean);
    expect(kept).toHaveLength(15);
    expect(cache.get('used')).toBeDefined();
    expect(Array.from({ length: 100 }, (_, i) => cache.get(`small${i}`)).filter(Boolean)).toHaveLength(100);
    cache.delete('used');
    expect(cache.get('used')).toBeUndefined();
  });
});
