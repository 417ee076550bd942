import { describe, expect, it } from 'vitest';
import { argmax, topOf } from './largest.ts';

const { NaN: NONE } = Number;
const top = (values: readonly number[], size: number) => [...topOf(Float64Array.from(values), size)];

describe('the largest of the rows', () => {
  it('is the first of several that are equal', () => {
    expect(argmax(Float64Array.of(NONE, 1, 3, 2, 3, NONE))).toBe(2);
    expect(argmax(Float64Array.of(-2, -1, -1))).toBe(1);
  });

  it('is none where no row has a number', () => {
    expect(argmax(Float64Array.of())).toBe(-1);
    expect(argmax(Float64Array.of(NONE, NONE))).toBe(-1);
  });

  it('come with the largest first, and earlier rows first among equals', () => {
    expect(top([1, 5, 3, 5, 4], 3)).toEqual([1, 3, 4]);
    // Whichever of the equal ones came in last: the earlier ones stay.
    expect(top([2, 2, 2, 2, 2], 3)).toEqual([0, 1, 2]);
    expect(top([1, 2, 1, 2, 1, 2, 1], 4)).toEqual([1, 3, 5, 0]);
    expect(top([-1, -3, -2], 2)).toEqual([0, 2]);
  });

  it('are all that have a number where there are no more', () => {
    expect(top([NONE, 2, NONE, 7], 4)).toEqual([3, 1]);
    expect(top([4, 6], 2)).toEqual([1, 0]);
    expect(top([4, 6], 0)).toEqual([]);
  });

  it('are those of the whole order, in whatever order the rows come', () => {
    const values = Array.from({ length: 500 }, (_, i) => (i * 7919) % 101);
    const inOrder = values.map((_, i) => i).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
    for (const size of [1, 2, 3, 10, 99, 499, 500]) expect(top(values, size)).toEqual(inOrder.slice(0, size));
  });
});
