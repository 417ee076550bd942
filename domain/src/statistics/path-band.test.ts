import { describe, expect, it } from 'vitest';
import { Random } from '../market-data/demo/deterministic.ts';
import { pathBand } from './path-band.ts';

const QUESTION = { horizon: 60, draws: 400, seed: 'seed', levels: [0.9, 0.5] } as const;

function normals(days: number, seed: string, mean = 0.0005, deviation = 0.01): Float64Array {
  const random = new Random(seed);
  return Float64Array.from({ length: days }, () => mean + deviation * random.normal());
}

/** Paths without the running totals, the steps and the searches of the subject: the definition, word by word. */
function byDefinition(returns: Float64Array, level: number) {
  const { horizon, draws, seed } = QUESTION;
  const days = returns.length;
  const blockLength = Math.max(5, Math.ceil(1.75 * days ** (1 / 3)));
  const random = new Random(seed);
  const runLength = () => {
    const u = random.uniform();
    // The smallest length whose probability to be reached or stayed below is above u.
    let length = 1;
    while (1 - (1 - 1 / blockLength) ** length <= u) length += 1;
    return length;
  };
  const runOf = (length: number) => {
    const start = random.below(days);
    return Array.from({ length }, (_, i) => Math.log(1 + (returns[(start + i) % days] as number)));
  };
  const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const own = mean(Array.from(returns, (value) => Math.log(1 + value)));
  const paths = Array.from({ length: draws }, () => {
    const sample: number[] = [];
    while (sample.length < days) sample.push(...runOf(Math.min(runLength(), days - sample.length)));
    const path: number[] = [];
    while (path.length < horizon) path.push(...runOf(runLength()));
    const shift = own - mean(sample);
    let sum = 0;
    return path.slice(0, horizon).map((growth) => {
      sum += growth + shift;
      return sum;
    });
  });
  const inside = (k: number) => {
    const edges = Array.from({ length: horizon }, (_, t) => {
      const column = paths.map((path) => path[t] as number).sort((a, b) => a - b);
      return [column[k - 1] as number, column[draws - k] as number] as const;
    });
    const share = paths.filter((path) =>
      path.every((value, t) => value >= (edges[t]?.[0] ?? 0) && value <= (edges[t]?.[1] ?? 0)),
    ).length;
    return { edges, share };
  };
  let k = 1;
  while (inside(k + 1).share >= level * draws) k += 1;
  return inside(k).edges;
}

/** Share of futures that leave the band of a past that they continue. */
function leaving(days: number, trials: number): number {
  let left = 0;
  for (let trial = 0; trial < trials; trial += 1) {
    const all = normals(days + 60, `trial ${trial}`);
    const [edges] = pathBand(all.slice(0, days), {
      ...QUESTION,
      draws: 200,
      seed: `band ${trial}`,
    }).edges;
    let value = 1;
    const path = Array.from(all.slice(days), (one) => {
      value *= 1 + one;
      return value;
    });
    if (path.some((one, t) => one < (edges?.lower[t] ?? 0) || one > (edges?.upper[t] ?? 0))) left += 1;
  }
  return left / trials;
}

describe('a band for a whole path', () => {
  it('is what its definition says, computed in another way', () => {
    const returns = normals(300, 'past');
    const { edges } = pathBand(returns, QUESTION);
    for (const [i, level] of [0.9, 0.5].entries()) {
      const expected = byDefinition(returns, level);
      for (const [t, [lower, upper]] of expected.entries()) {
        expect(edges[i]?.lower[t]).toBeCloseTo(Math.exp(lower), 10);
        expect(edges[i]?.upper[t]).toBeCloseTo(Math.exp(upper), 10);
      }
    }
  });

  it('is left about as often as it says by a series that goes on as before', () => {
    // One in ten of 150 trials is 15, give or take 4; a band of 90% for each day alone is left by about half of them.
    const share = leaving(400, 150);
    expect(share).toBeGreaterThan(4 / 150);
    expect(share).toBeLessThan(32 / 150);
  });

  it('has no fewer paths in it than its level says, where that is no whole number of them', () => {
    // Of five paths of one day, the middle one is a fifth, and three are the next band outwards.
    const { edges } = pathBand(normals(300, 'past'), {
      horizon: 1,
      draws: 5,
      seed: 'few',
      levels: [0.3, 0.2],
    });
    const widths = edges.map(({ lower, upper }) => (upper[0] ?? 0) - (lower[0] ?? 0));
    expect(widths).toEqual([expect.any(Number), 0]);
    expect(widths[0]).toBeGreaterThan(0);
  });

  it('follows from its seed alone, and the inner band lies in the outer one', () => {
    const returns = normals(300, 'past');
    const one = pathBand(returns, QUESTION);
    expect(pathBand(returns, QUESTION)).toEqual(one);
    expect(pathBand(returns, { ...QUESTION, seed: 'other' })).not.toEqual(one);
    const [outer, inner] = one.edges;
    for (let t = 0; t < QUESTION.horizon; t += 1) {
      expect(inner?.lower[t]).toBeGreaterThanOrEqual(outer?.lower[t] ?? Number.NaN);
      expect(inner?.upper[t]).toBeLessThanOrEqual(outer?.upper[t] ?? Number.NaN);
    }
  });

  it('is wider where less is known of the past', () => {
    const width = (days: number) => {
      const [edges] = pathBand(normals(days, 'past', 0), { ...QUESTION, draws: 2000 }).edges;
      return (edges?.upper.at(-1) ?? 0) - (edges?.lower.at(-1) ?? 0);
    };
    expect(width(60)).toBeGreaterThan(width(2000) * 1.15);
  });

  it('is a line where nothing has ever moved', () => {
    const { edges } = pathBand(new Float64Array(300), QUESTION);
    expect(new Set(edges.flatMap(({ lower, upper }) => [...lower, ...upper]))).toEqual(new Set([1]));
  });
});
