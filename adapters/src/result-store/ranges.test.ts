import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { covers, mergeRanges, missingFrom, type Range, runsOf } from './ranges.ts';

const range = fc.tuple(fc.nat(60), fc.nat(15)).map(([from, length]): Range => ({ from, to: from + length }));
const members = (ranges: readonly Range[]) =>
  new Set(ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));

describe('ranges', () => {
  it('hold the same numbers once merged, ascending and apart', () => {
    fc.assert(
      fc.property(fc.array(range), (ranges) => {
        const merged = mergeRanges(ranges);
        expect(members(merged)).toEqual(new Set([...members(ranges)].sort((a, b) => a - b)));
        for (let i = 1; i < merged.length; i++) {
          expect(merged[i]?.from).toBeGreaterThan(merged[i - 1]?.to ?? Number.POSITIVE_INFINITY);
        }
        for (let n = -1; n < 80; n++) expect(covers(merged, n)).toBe(members(ranges).has(n));
        expect(runsOf(Int32Array.from(members(merged)))).toEqual(merged);
      }),
    );
  });

  it('miss exactly what they do not hold', () => {
    fc.assert(
      fc.property(fc.array(range), range, (ranges, wanted) => {
        const missing = missingFrom(mergeRanges(ranges), wanted);
        const held = members(ranges);
        expect([...members(missing)]).toEqual([...members([wanted])].filter((n) => !held.has(n)));
      }),
    );
  });
});
