import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runTask } from './tasks.ts';

it('takes the best of a column, lower combinations first among equals, as sorting it does', () => {
  const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(Number.NaN), fc.double());
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), fc.integer({ min: 1, max: 400 }), (numbers, size) => {
      const values = Float64Array.from(numbers);
      const { top } = runTask({ kind: 'sample', values, size }) as { top: Uint32Array };
      const sorted = [...values.keys()]
        .filter((k) => !Number.isNaN(values[k]))
        .sort((a, b) => {
          const [left, right] = [values[a] as number, values[b] as number];
          return left === right ? a - b : left > right ? -1 : 1;
        });
      // Of few rows no more than a tenth, so that the best stand out, and one at least.
      const most = Math.max(1, Math.floor(sorted.length / 10));
      expect([...top]).toEqual(sorted.slice(0, Math.min(most, Math.max(10, Math.floor(size / 10)))));
    }),
    { numRuns: 500 },
  );
});

it('compares two columns where both have a result: what is equal, higher, lower, and what only one has', () => {
  const none = Number.NaN;
  // Combinations 0 to 4 of this batch are 1 to 5 of the other one.
  const compared = runTask({
    kind: 'compare',
    own: Float64Array.of(1, 2, 3, none, 5, 6),
    other: Float64Array.of(9, 1, 4, 2, 7, none, 8),
    targets: Int32Array.of(0, 1, 2, 3, 4),
    sources: Int32Array.of(1, 2, 3, 4, 5),
    limit: 2,
  });
  expect(compared).toMatchObject({
    matched: 3,
    unmatched: { this: 2, other: 3 },
    equal: 1,
    higher: 1,
    lower: 1,
    largest: [
      { target: 1, source: 2, own: 2, other: 4 },
      { target: 2, source: 3, own: 3, other: 2 },
    ],
  });
  // Differences 0, -2 and 1.
  expect((compared as { meanDifference: number }).meanDifference).toBeCloseTo(-1 / 3, 12);
});

describe('rows that are no strategy', () => {
  // The first row is bills.
  const marks = Uint8Array.of(1, 0, 0, 0, 0);
  const values = () => Float64Array.of(20, 0.5, 0.7, 0.6, Number.NaN);

  it('neither win nor widen the spread, and are trials all the same', () => {
    const { best, deviation, count, distinct } = runTask({ kind: 'moments', values: values(), marks });
    expect({ best, count, distinct }).toEqual({ best: 2, count: 4, distinct: 4 });
    expect(deviation).toBeCloseTo(0.1, 12);
  });

  it('are not the row that is looked at from the out-of-sample date on', () => {
    const split = runTask({
      kind: 'split',
      inSample: values(),
      outOfSample: Float64Array.of(20, 0.1, 0.2, 0.3, Number.NaN),
      shownIn: Float64Array.of(21, 1.5, 1.7, 1.6, Number.NaN),
      shownOut: Float64Array.of(21, 1.1, 1.2, 1.3, Number.NaN),
      marks,
    });
    expect(split).toMatchObject({ best: 2, medianIn: 1.6, medianOut: 1.2, rankCorrelation: 0.5 });
  });

  it('are not run again among many, but for the best of them, so that it can be said what it is', () => {
    const asked = { kind: 'rowsToTest', seed: 's', best: 2, random: 9, marks, shown: values() } as const;
    const many = runTask({ ...asked, values: values(), all: 2 });
    expect(many).toMatchObject({ best: [0, 2, 3], count: 4, strategies: 3 });
    expect(many.drawn.toSorted()).toEqual([1, 2, 3]);
    // Few are run one and all.
    const few = runTask({ ...asked, values: values(), all: 9 });
    expect(few).toMatchObject({ best: [0, 2, 3, 1], count: 4, strategies: 4 });
    // As many as are few at most, in a random order of all of them, however many are drawn of more.
    const border = runTask({ ...asked, values: values(), all: 4, random: 1 });
    expect(border).toMatchObject({ best: [0, 2, 3, 1], strategies: 4 });
    expect(border.drawn.toSorted()).toEqual([0, 1, 2, 3]);
    // Over cash bills are the last, and still those that people see on top.
    const overCash = Float64Array.of(-9, 0.5, 0.7, 0.6, Number.NaN);
    expect(runTask({ ...asked, values: overCash, all: 9 }).best).toEqual([0, 2, 3, 1]);
    expect(runTask({ ...asked, values: overCash, all: 2 }).best).toEqual([0, 2, 3]);
  });

  it('are not among the best, and told beside them, unless there is nothing else', () => {
    const asked = { kind: 'best', values: values(), limit: 2 } as const;
    expect(runTask({ ...asked, marks })).toEqual({ best: [2, 3], leftOut: 1 });
    const none = Uint8Array.of(1, 1, 1, 1, 1);
    expect(runTask({ ...asked, marks: none })).toEqual({ best: [0, 2], leftOut: 0 });
  });

  it('have no say in the median that neighbours are compared with', () => {
    const variables = [{ name: '$X', values: [1, 2, 3, 4, 5] }];
    const { median, best } = runTask({ kind: 'moments', values: values(), marks });
    expect({ median, best }).toEqual({ median: 0.6, best: 2 });
    const asked = { kind: 'surroundings', variables, values: values(), marks, median } as const;
    // Of the neighbours 0 and 2 only the second counts as one with a result.
    expect(runTask({ ...asked, combination: 1 })).toEqual({
      neighbours: 2,
      aboveMedian: 0.5,
      neighbourMedian: 0.7,
    });
  });
});

it('counts who stays above the median among the best tenth, its border included, the median not', () => {
  const inSample = Float64Array.from({ length: 11 }, (_, k) => k);
  // The median is 5: that of row 9. The best tenth is rows 9 and 10.
  const outOfSample = Float64Array.of(0, 1, 2, 3, 4, 6, 7, 8, 9, 5, 10);
  const split = runTask({
    kind: 'split',
    ...{ inSample, outOfSample, shownIn: inSample, shownOut: outOfSample },
    marks: new Uint8Array(11),
  });
  expect(split.topStaysAboveMedian).toBe(0.5);
});
