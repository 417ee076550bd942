import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide } from './sticky-assigner.ts';

const topic = 'jobs';
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('divide', () => {
  it('leaves a partition to one of two members that both take it for theirs', () => {
    const claiming = (id: string, ...claimed: number[]) => ({
      id,
      topics: [topic],
      claims: { [topic]: claimed },
    });
    const shares = divide(topic, numbers(4), [claiming('m1', 0, 1), claiming('m2', 1, 0)]);
    expect([...shares.values()].flat().sort()).toEqual(numbers(4));
    expect(shares.get('m1')).toEqual([0, 1]);
  });

  it('gives out every partition once, evenly, and moves only what the even division demands', () => {
    const arbitrary = fc
      .record({ partitions: fc.integer({ min: 0, max: 30 }), members: fc.integer({ min: 1, max: 8 }) })
      .chain(({ partitions, members }) =>
        fc.record({
          partitions: fc.constant(numbers(partitions)),
          // Who held each partition before; some nobody.
          owners: fc.array(fc.integer({ min: -1, max: members - 1 }), {
            minLength: partitions,
            maxLength: partitions,
          }),
          members: fc.constant(members),
        }),
      );
    fc.assert(
      fc.property(arbitrary, ({ partitions, owners, members }) => {
        const all = numbers(members).map((m) => ({
          id: `m${m}`,
          topics: [topic],
          claims: { [topic]: partitions.filter((partition) => owners[partition] === m) },
        }));
        const shares = divide(topic, partitions, all);
        expect([...shares.values()].flat().sort((a, b) => a - b)).toEqual(partitions);
        const sizes = [...shares.values()].map((share) => share.length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        for (const { id, claims } of all) {
          const share = shares.get(id) ?? [];
          const kept = share.filter((partition) => claims[topic]?.includes(partition));
          expect(kept.length).toBe(Math.min(share.length, claims[topic]?.length ?? 0));
        }
      }),
    );
  });

  it('takes the idle partitions away and leaves the busy ones, which are claimed first', () => {
    const shares = divide(topic, numbers(4), [
      { id: 'a', topics: [topic], claims: { [topic]: [3, 1, 0, 2] } },
      { id: 'b', topics: [topic], claims: {} },
    ]);
    expect(shares.get('a')).toEqual([3, 1]);
    expect(shares.get('b')).toEqual([0, 2]);
  });

  it('leaves the remainder to who holds more, so that nothing moves', () => {
    const shares = divide(topic, numbers(3), [
      { id: 'a', topics: [topic], claims: { [topic]: [0] } },
      { id: 'b', topics: [topic], claims: { [topic]: [2, 1] } },
    ]);
    expect([...shares]).toEqual([
      ['b', [2, 1]],
      ['a', [0]],
    ]);
  });

  it('gives nothing to members that do not read the topic, and one of two claims its way', () => {
    const shares = divide(
      topic,
      [0],
      [
        { id: 'a', topics: ['other'], claims: {} },
        { id: 'b', topics: [topic], claims: { [topic]: [0] } },
        { id: 'c', topics: [topic], claims: { [topic]: [0] } },
      ],
    );
    expect([...shares]).toEqual([
      ['b', [0]],
      ['c', []],
    ]);
  });
});
