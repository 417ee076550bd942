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
