import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlation, medianOf, quantile, rankCorrelation, ranks } from './describe.ts';
import { efficientFrontier, evenSample } from './frontier.ts';
import {
  forEachNeighbour,
  gridOf,
  localMaxima,
  neighbourhoodMedians,
  searchEdges,
  stabilityOf,
} from './neighbourhood.ts';

// The numbers are given out of order: neighbours are by size, not by place.
const variables = [
  { name: '$W', values: [30, 10, 20, 40, 50] },
  { name: '$T', values: ['SPY', 'QQQ', 'TLT'] },
];
const grid = gridOf(variables);

function neighboursOf(k: number): number[] {
  const found: number[] = [];
  forEachNeighbour(grid, k, (other) => found.push(other));
  return found.sort((a, b) => a - b);
}

function finish<T>(generator: Generator<number, T>): T {
  for (;;) {
    const step = generator.next();
    if (step.done) return step.value;
  }
}

describe('neighbours', () => {
  it('are the next numbers by size and every other ticker', () => {
    // $W = 30 (index 0), $T = SPY: neighbours 20 (index 2) and 40 (index 3), QQQ and TLT.
    expect(neighboursOf(0)).toEqual([1, 2, 6, 9]);
    // $W = 10 (index 1) is the smallest: only 20.
    expect(neighboursOf(4)).toEqual([3, 5, 7]);
  });

  it('decide whether a peak stands on firm ground', () => {
    const values = new Float64Array(15).fill(0.1);
    values[0] = 2;
    expect(stabilityOf(grid, values, 0, medianOf(values)).aboveMedian).toBe(0);
    for (const k of neighboursOf(0)) values[k] = 1.5;
    expect(stabilityOf(grid, values, 0, medianOf(values))).toEqual({
      neighbours: 4,
      aboveMedian: 1,
      neighbourMedian: 1.5,
    });
  });

  it('give an order that prefers plateaus to peaks', () => {
    const values = new Float64Array(15).fill(0);
    values[14] = 3;
    values[6] = 1;
    for (const k of neighboursOf(6)) values[k] = 1;
    const medians = finish(neighbourhoodMedians(grid, values));
    expect(medians[6]).toBeGreaterThan(medians[14] as number);
    values[6] = Number.NaN;
    expect(finish(neighbourhoodMedians(grid, values))[6]).toBeNaN();
  });

  it('find local maxima with the plateau they stand on', () => {
    const values = Float64Array.from({ length: 15 }, () => 0);
    values[0] = 2;
    values[9] = 1.95;
    values[14] = 1;
    const peaks = localMaxima(grid, values, 0, 10);
    expect(peaks.map(({ combination, plateau }) => [combination, plateau])).toEqual([
      [0, 2],
      [14, 1],
    ]);
  });

  it('tell when the best lies at the edge of the search', () => {
    expect(searchEdges(grid, variables, 3)).toEqual([{ name: '$W', side: 'lowest', value: 10 }]);
    expect(searchEdges(grid, variables, 12)).toEqual([{ name: '$W', side: 'highest', value: 50 }]);
    expect(searchEdges(grid, variables, 0)).toEqual([]);
  });
});

describe('the efficient frontier', () => {
  it('holds what nothing beats in both', () => {
    const risk = Float64Array.from([0.3, 0.1, 0.2, 0.2, Number.NaN, 0.4]);
    const reward = Float64Array.from([0.12, 0.05, 0.1, 0.08, 1, 0.11]);
    expect(efficientFrontier(risk, reward).map(({ combination }) => combination)).toEqual([1, 2, 0]);
  });
  it('equals the plain definition, whatever the points', () => {
    const value = fc.oneof(
      fc.integer({ min: -4, max: 4 }).map((n) => n / 4),
      fc.double({ noDefaultInfinity: true }),
      fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 40 }), (points) => {
        const expected = points
          .map(([risk, reward], combination) => ({ combination, risk, reward }))
          .filter(({ risk, reward }) => !Number.isNaN(risk) && reward > Number.NEGATIVE_INFINITY)
          .filter(
            (point, _, all) =>
              !all.some(
                (other) =>
                  other.risk <= point.risk &&
                  other.reward >= point.reward &&
                  (other.risk < point.risk ||
                    other.reward > point.reward ||
                    other.combination < point.combination),
              ),
          )
          .sort((a, b) => a.risk - b.risk);
        const frontier = efficientFrontier(
          Float64Array.from(points, ([risk]) => risk),
          Float64Array.from(points, ([, reward]) => reward),
        );
        expect(frontier.map(({ combination }) => combination)).toEqual(
          expected.map(({ combination }) => combination),
        );
      }),
      {
        numRuns: 500,
        examples: [
          [
            [
              [5e-324, 0],
              [0, 0],
            ],
          ],
          [
            [
              [Number.MAX_VALUE, 1],
              [-Number.MAX_VALUE, 0],
            ],
          ],
        ],
      },
    );
  });
  it('is drawn over an even sample', () => {
    const column = Float64Array.from({ length: 1_000 }, (_, k) => (k % 10 === 0 ? Number.NaN : k));
    const sample = evenSample([column], 90);
    expect(sample).toHaveLength(90);
    expect([...sample].every((k) => k % 10 !== 0)).toBe(true);
    expect(evenSample([column], 5_000)).toHaveLength(900);
    // What lacks any of its figures has no place to be drawn at.
    const other = Float64Array.from({ length: 1_000 }, (_, k) => (k % 10 === 1 ? Number.NaN : k));
    expect(evenSample([column, other], 5_000)).toHaveLength(800);
  });
});

describe('descriptions', () => {
  it('interpolate quantiles as R does by default', () => {
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
    expect(quantile([], 0.5)).toBeNaN();
  });
  it('rank with ties and correlate', () => {
    expect([...ranks(Float64Array.from([3, 1, 3, 2]))]).toEqual([3.5, 1, 3.5, 2]);
    const x = Float64Array.from([1, 2, 3, Number.NaN, 5]);
    const y = Float64Array.from([1, 4, 9, 16, 25]);
    expect(rankCorrelation(x, y)).toBeCloseTo(1, 12);
    expect(correlation(x, y)).toBeCloseTo(0.98149, 4);
  });
});

/** Neighbours by the definition, from the values themselves. */
function plainNeighbours(of: typeof variables, k: number): number[] {
  const radixes = of.map(({ values }) => values.length);
  const digits = (number: number) => {
    let rest = number;
    return radixes
      .toReversed()
      .map((radix) => {
        const digit = rest % radix;
        rest = Math.floor(rest / radix);
        return digit;
      })
      .reverse();
  };
  const own = digits(k);
  const count = radixes.reduce((product, radix) => product * radix, 1);
  return Array.from({ length: count }, (_, other) => other).filter((other) => {
    const different = digits(other).flatMap((digit, v) => (digit === own[v] ? [] : [v]));
    const [v] = different;
    if (different.length !== 1 || v === undefined) return false;
    const values = of[v]?.values ?? [];
    if (!values.every((value) => typeof value === 'number')) return true;
    const sorted = values.toSorted((a, b) => Number(a) - Number(b));
    const place = (digit: number) => sorted.indexOf(values[digit] as number);
    return Math.abs(place(digits(other)[v] as number) - place(own[v] as number)) === 1;
  });
}

describe('a grid of any variables', () => {
  const anyVariables = fc.array(
    fc.oneof(
      fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.constantFrom('SPY', 'QQQ', 'TLT', 'GLD'), { minLength: 1 }),
    ),
    { minLength: 1, maxLength: 3 },
  );
  const named = (lists: readonly (readonly (number | string)[])[]) =>
    lists.map((values, i) => ({ name: `$${i}`, values: [...values] })) as unknown as typeof variables;

  it('has the neighbours of its definition, and medians and peaks over them', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(Number.NaN));
    fc.assert(
      fc.property(anyVariables, fc.infiniteStream(value), (lists, stream) => {
        const of = named(lists);
        const own = gridOf(of);
        const values = Float64Array.from({ length: own.count }, () => stream.next().value ?? 0);
        const median = medianOf(values);
        const medians = finish(neighbourhoodMedians(own, values));
        const peaks: number[] = [];
        for (let k = 0; k < own.count; k += 1) {
          const found: number[] = [];
          forEachNeighbour(own, k, (other) => found.push(other));
          const expected = plainNeighbours(of, k);
          expect(found.sort((a, b) => a - b)).toEqual(expected);
          const around = expected.map((other) => values[other] as number);
          const known = around.filter((one) => !Number.isNaN(one));
          const mine = values[k] as number;
          expect(medians[k]).toBe(
            Number.isNaN(mine) ? Number.NaN : medianOf(Float64Array.of(mine, ...known)),
          );
          const stability = stabilityOf(own, values, k, median);
          expect(stability.neighbours).toBe(expected.length);
          expect(stability.neighbourMedian).toBe(medianOf(Float64Array.from(known)));
          expect(stability.aboveMedian).toBe(
            expected.length === 0
              ? Number.NaN
              : around.filter((one) => one > median).length / expected.length,
          );
          const beaten = expected.some((other) => {
            const its = values[other] as number;
            return its > mine || (its === mine && other < k);
          });
          if (mine > median && !beaten) peaks.push(k);
        }
        peaks.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
        const maxima = localMaxima(own, values, median, 3);
        expect(maxima.map(({ combination, value: top }) => [combination, top])).toEqual(
          peaks.slice(0, 3).map((k) => [k, values[k]]),
        );
        for (const { combination, neighbourMedian } of maxima)
          expect(neighbourMedian).toBe(stabilityOf(own, values, combination, median).neighbourMedian);
      }),
      { numRuns: 40 },
    );
  });

  it('lets an even choice stand for the many other tickers', () => {
    const tickers = named([Array.from({ length: 50 }, (_, i) => `T${i}`)]);
    const found: number[] = [];
    forEachNeighbour(gridOf(tickers), 10, (other) => found.push(other));
    expect(found).toHaveLength(24);
    expect(found).not.toContain(10);
    expect(new Set(found).size).toBe(24);
    for (const [i, other] of found.slice(1).entries()) expect(other - (found[i] ?? 0)).toBeLessThanOrEqual(4);
    expect([found[0], (found.at(-1) ?? 0) > 44]).toEqual([0, true]);
    const few = named([Array.from({ length: 25 }, (_, i) => `T${i}`)]);
    expect(gridOf(few).steps[0]?.neighbours[3]).toHaveLength(24);
  });

  it('is at an edge in numbers of which there are three or more', () => {
    const edges = (values: readonly (number | string)[], best: number) => {
      const of = named([values]);
      return searchEdges(gridOf(of), of, best).map(({ side, value }) => [side, value]);
    };
    expect([0, 1, 2].map((best) => edges([5, 9, 1], best))).toEqual([[], [['highest', 9]], [['lowest', 1]]]);
    expect(edges([5, 9], 0)).toEqual([]);
    expect(edges(['A', 'B', 'C'], 0)).toEqual([]);
  });

  it('has a plateau of what is within a tenth of the way up from the median', () => {
    const of = named([[1, 2, 3, 4, 5, 6]]);
    const plateau = (...values: readonly number[]) =>
      localMaxima(gridOf(of), Float64Array.from(values), 1, 9)[0]?.plateau;
    expect(plateau(2, 1.9, 1.9, 1.89, 2, 0)).toBe(3);
    // What is not connected to it is another one.
    expect(plateau(2, 1.91, 0, 1.99, 0, 0)).toBe(2);
  });

  it('says how far it has come, now and then', () => {
    const many = named([Array.from({ length: 9_000 }, (_, i) => i)]);
    const steps = [...neighbourhoodMedians(gridOf(many), new Float64Array(9_000))];
    expect(steps).toEqual([4_095 / 9_000, 8_191 / 9_000]);
  });
});
