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

  it('keeps some hundred streams unless it is told otherwise', () => {
    const cache = new StateCache();
    for (let i = 0; i < 257; i += 1) cache.set(`s${i}`, folded(i));
    expect(cache.get('s0')).toBeUndefined();
    expect(cache.get('s1')?.state).toBe(1);
    expect(cache.get('s256')?.state).toBe(256);
  });

  it('keeps a stream that was written last longer than one that was only there before', () => {
    const cache = new StateCache(2);
    for (const stream of ['a', 'b', 'a', 'c']) cache.set(stream, folded(stream));
    expect(cache.get('a')?.state).toBe('a');
    expect(cache.get('b')).toBeUndefined();
  });

  it.each<[string, unknown, unknown]>([
    ['text', 'x'.repeat(20_000), 'x'.repeat(20_001)],
    ['text deep inside', { a: { b: 'x'.repeat(19_996) } }, { a: { b: 'x'.repeat(19_997) } }],
    ['values', Array(9_999).fill(null), Array(10_000).fill(null)],
    ['objects', Array(6_666).fill({}), Array(10_000).fill({})],
    [
      'texts',
      { a: 'x'.repeat(9_000), b: 'x'.repeat(9_000) },
      { a: 'x'.repeat(11_000), b: 'x'.repeat(11_000) },
    ],
  ])('takes a state for large from some twenty thousand letters and values on: %s', (_, light, heavy) => {
    const keptOf = (state: unknown) => {
      const cache = new StateCache();
      for (let i = 0; i < 20; i += 1) cache.set(`s${i}`, folded(state));
      return Array.from({ length: 20 }, (__, i) => cache.get(`s${i}`)).filter(Boolean).length;
    };
    expect(keptOf(light)).toBe(20);
    expect(keptOf(heavy)).toBe(16);
  });

  it('does not hold it against a stream that it was large once', () => {
    const cache = new StateCache();
    for (let i = 0; i < 16; i += 1) cache.set(`large${i}`, folded(large()));
    cache.set('large0', folded('small by now', 1));
    cache.set('one more', folded(large()));
    expect(cache.get('large0')?.state).toBe('small by now');
    expect(cache.get('large1')).toBeDefined();
    cache.delete('large2');
    cache.set('another', folded(large()));
    expect(cache.get('large1')).toBeDefined();
  });
});
