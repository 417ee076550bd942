import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { normalSource } from '../../testing/statistics/simulated-batch.ts';
import { confidenceSet } from './confidence-set.ts';
import {
  extrapolatedTrials,
  independentNormals,
  meanSquaredCorrelation,
  participationRatio,
} from './equivalent-trials.ts';
import { linearModel, neweyWestLags } from './linear-model.ts';
import { askForSkill, resampledBeyond, rowAlpha } from './skill.ts';
import { resample, stationaryBootstrap } from './stationary-bootstrap.ts';
import { longRunVariance, superiorAbility } from './superior-ability.ts';

/**
 * Figures of statsmodels 0.15 (OLS with HAC errors) and arch 8.0 (SPA, StepM, MCS with method "max") on the
 * same data and draws.
 */
const reference = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../testing/statistics/reference-tests.json'), 'utf8'),
) as {
  benchmark: number[];
  returns: number[][];
  cash: number;
  lags: number;
  models: { coefficients: number[]; errors: number[]; r2: number }[];
  draws: [number[], number[]][];
  block: number;
  spa: { lower: number; consistent: number; upper: number };
  variances: number[];
  superior: number[];
  mcs: [number, number][];
  participation: number;
};
const benchmark = Float64Array.from(reference.benchmark);
const cash = new Float64Array(benchmark.length).fill(reference.cash);
const rows = reference.returns.map((row) => Float64Array.from(row));
const draws = reference.draws.map(([starts, lengths]) => ({
  starts: Int32Array.from(starts),
  lengths: Int32Array.from(lengths),
}));
const alphas = rows.map((row) => {
  const alpha = rowAlpha(row, benchmark, cash);
  if (!alpha) throw new Error('the reference rows have an alpha');
  return alpha;
});
const beyond = alphas.map((alpha) => alpha.beyond);

describe('a linear model', () => {
  it('has the coefficients and Newey-West errors of statsmodels', () => {
    expect(neweyWestLags(benchmark.length)).toBe(reference.lags);
    for (const [i, expected] of reference.models.entries()) {
      const market = benchmark.map((value) => value - reference.cash);
      const model = linearModel(
        (rows[i] as Float64Array).map((value) => value - reference.cash),
        [market],
      );
      for (const [j, value] of expected.coefficients.entries())
        expect(Math.abs((model?.coefficients[j] ?? Number.NaN) / value - 1)).toBeLessThan(1e-9);
      for (const [j, value] of expected.errors.entries())
        expect(Math.abs((model?.errors[j] ?? Number.NaN) / value - 1)).toBeLessThan(1e-9);
      expect(model?.rSquared).toBeCloseTo(expected.r2, 10);
    }
  });

  it('is none where the regressor does not move, or there are too few days', () => {
    const y = Float64Array.from([1, 2, 3, 4, 5, 6]);
    expect(linearModel(y, [new Float64Array(6).fill(2)])).toBeNull();
    expect(linearModel(y.slice(0, 3), [Float64Array.from([1, 2, 3])])).toBeNull();
  });
});

describe('tests over many series', () => {
  it('give the p-values and the superior series of arch', () => {
    const result = superiorAbility(resample(beyond, draws), {
      blockLength: reference.block,
      studentize: false,
    });
    expect(result.p).toBeCloseTo(reference.spa.consistent, 12);
    expect(result.lower).toBeCloseTo(reference.spa.lower, 12);
    expect(result.upper).toBeCloseTo(reference.spa.upper, 12);
    expect(result.superior).toEqual(reference.superior);
  });

  it('measure the long-run variance as arch does', () => {
    for (const [i, values] of beyond.entries())
      expect(longRunVariance(values, reference.block) / (reference.variances[i] ?? Number.NaN)).toBeCloseTo(
        1,
        4,
      );
  });

  it('leave the same series out of the confidence set, in the same order', () => {
    const set = confidenceSet(resample(beyond, draws));
    expect(set.map(({ index }) => index)).toEqual(reference.mcs.map(([index]) => index));
    for (const [place, entry] of set.entries())
      expect(entry.p).toBeCloseTo(reference.mcs[place]?.[1] ?? -1, 12);
  });

  it('keep equal series together', () => {
    const same = rows[0] as Float64Array;
    expect(confidenceSet(resample([same, same, same], draws)).every(({ p }) => p === 1)).toBe(true);
  });

  it('do not take a deviation that came out small by chance for a clear gain', () => {
    // Days that swing back: over runs of days they cancel out, and the long-run deviation is a fraction of
    // the daily one.
    const swinging = Float64Array.from({ length: 1000 }, (_, day) => 0.0004 + (day % 2 === 0 ? 0.01 : -0.01));
    const runs = stationaryBootstrap({ days: 1000, blockLength: 20, draws: 400, seed: 'swinging' });
    const resampled = resample([swinging], runs);
    expect(superiorAbility(resampled, { blockLength: 20, studentize: false }).upper).toBeLessThan(0.001);
    // Its mean is 1.26 plain errors above 0.
    const { upper, superior } = superiorAbility(resampled, { studentize: true });
    expect(upper).toBeGreaterThan(0.05);
    expect(upper).toBeLessThan(0.2);
    expect(superior).toEqual([]);
  });

  it('give nothing for nothing', () => {
    expect(superiorAbility([], { studentize: true }).p).toBeNaN();
    expect(confidenceSet([])).toEqual([]);
  });
});

describe('the stationary bootstrap', () => {
  it('draws as many days as there are, in runs of the wanted length', () => {
    const made = stationaryBootstrap({ days: 1000, blockLength: 20, draws: 200, seed: 'a' });
    for (const { lengths } of made) expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(1000);
    const runs = made.reduce((sum, { lengths }) => sum + lengths.length, 0);
    expect((200 * 1000) / runs).toBeGreaterThan(17);
    expect((200 * 1000) / runs).toBeLessThan(23);
    expect(stationaryBootstrap({ days: 50, blockLength: 5, draws: 2, seed: 'a' })).toEqual(
      stationaryBootstrap({ days: 50, blockLength: 5, draws: 2, seed: 'a' }),
    );
  });

  it('sums runs as if it had walked over their days', () => {
    // More series than are summed up together, so that the last ones are fewer.
    const series = Array.from({ length: 11 }, (_, i) =>
      Float64Array.from({ length: 40 }, (_, day) => Math.sin(day + i) / 10),
    );
    const made = stationaryBootstrap({ days: 40, blockLength: 6, draws: 20, seed: 'b' });
    const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / 40;
    for (const { values, mean, drawn } of resample(series, made)) {
      expect(mean).toBeCloseTo(meanOf([...values]), 14);
      for (const [draw, { starts, lengths }] of made.entries()) {
        const days = [...starts].flatMap((start, run) =>
          Array.from({ length: lengths[run] ?? 0 }, (_, step) => values[(start + step) % 40] ?? Number.NaN),
        );
        expect(drawn[draw]).toBeCloseTo(meanOf(days), 14);
      }
    }
    expect(resample(series, made).map(({ values }) => values)).toEqual(series);
  });
});

describe('equivalent trials', () => {
  it('are the participation ratio of the eigenvalues for a whole set', () => {
    const ratio = participationRatio(meanSquaredCorrelation(beyond), beyond.length);
    // The product takes off what chance alone correlates; the reference does not.
    expect(ratio).toBeGreaterThan(reference.participation - 0.2);
    expect(ratio).toBeLessThanOrEqual(12);
    const one = beyond[0] as Float64Array;
    expect(participationRatio(meanSquaredCorrelation([one, one, one]), 500)).toBeCloseTo(1, 6);
  });

  it('count independent normals by the median of their largest', () => {
    const normal = normalSource(3);
    for (const n of [1, 10, 200]) {
      const maxima = Float64Array.from({ length: 4000 }, () =>
        Math.max(...Array.from({ length: n }, () => normal())),
      );
      const found = independentNormals(maxima);
      expect(found / n).toBeGreaterThan(0.8);
      expect(found / n).toBeLessThan(1.25);
    }
  });

  it('go on growing as they grew, and never faster than the series', () => {
    expect(extrapolatedTrials({ quarter: 25, whole: 100, sample: 100 }, 10_000)).toBeCloseTo(10_000);
    expect(extrapolatedTrials({ quarter: 4, whole: 4, sample: 100 }, 1_000_000)).toBeCloseTo(4);
    expect(extrapolatedTrials({ quarter: 5, whole: 10, sample: 400 }, 1_600)).toBeCloseTo(20);
    expect(extrapolatedTrials({ quarter: 1, whole: 300, sample: 400 }, 50)).toBe(50);
  });
});

describe('alpha of a row', () => {
  const normal = normalSource(11);
  const days = 2520;
  const market = Float64Array.from({ length: days }, () => 0.0004 + 0.01 * normal());
  const bills = new Float64Array(days).fill(0.0001);
  const kindOf = (returns: Float64Array) => rowAlpha(returns, market, bills)?.kind;

  it('recognises cash, the benchmark and mixes of both', () => {
    expect(kindOf(bills)).toBe('cash');
    expect(kindOf(market)).toBe('benchmark');
    expect(kindOf(market.map((value, day) => 0.6 * value + 0.4 * (bills[day] ?? 0)))).toBe('mix');
    expect(kindOf(market.map((value) => value + 0.005 * normal()))).toBe('strategy');
  });

  it('finds an alpha that is there, and its beta', () => {
    const alpha = rowAlpha(
      market.map((value, day) => (bills[day] ?? 0) + 0.7 * (value - 0.0001) + 0.1 / 252 + 0.002 * normal()),
      market,
      bills,
    );
    expect(alpha?.beta).toBeCloseTo(0.7, 1);
    expect(alpha?.alpha).toBeCloseTo(0.1, 1);
    expect(alpha?.t).toBeGreaterThan(5);
  });
});

describe('asking for skill', () => {
  const days = 1260;
  const none = new Float64Array(days);
  const judge = (seed: number, rows: number, alphaOfFirst: number) => {
    const normal = normalSource(seed);
    const market = Float64Array.from({ length: days }, () => 0.0003 + 0.01 * normal());
    const made = Array.from({ length: rows }, (_, row) => {
      const returns = market.map((value) => value + 0.005 * normal() + (row === 0 ? alphaOfFirst / 252 : 0));
      const alpha = rowAlpha(returns, market, none);
      if (!alpha) throw new Error('there are enough days');
      return alpha;
    }).sort((a, b) => b.excessSharpe - a.excessSharpe);
    return askForSkill({
      beyond: resampledBeyond(
        made.map((alpha) => alpha.beyond),
        { seed: `${seed}`, draws: 300 },
      ),
      drawnAtRandom: 0,
      rows,
      trials: rows,
      t: made[0]?.t ?? 0,
    });
  };

  it('calls the best of worthless rows luck, nearly always', () => {
    const found = Array.from({ length: 20 }, (_, seed) => judge(seed + 1, 40, 0)).filter(({ p }) => p < 0.05);
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it('finds a large edge among worthless rows', () => {
    const answer = judge(99, 40, 0.25);
    expect(answer.p).toBeLessThan(0.05);
    expect(answer.superior).toContain(0);
    expect(answer.single).toBeLessThan(answer.p + 1e-12);
  });

  it('lends a judged row nothing of a clearer one beside it', () => {
    // Given a row whose own alpha is just above what a single trial shows by luck, and another one that is beyond doubt
    const normal = normalSource(17);
    const made = [0.135, 0.6, ...new Array<number>(18).fill(0)].map((alpha) => {
      const noise = Float64Array.from({ length: days }, () => 0.01 * normal());
      const mean = noise.reduce((sum, value) => sum + value, 0) / days;
      return noise.map((value) => value - mean + alpha / 252);
    });
    const ask = (order: readonly Float64Array[], t: number) =>
      askForSkill({
        beyond: resampledBeyond(order, { seed: 'lent', draws: 400 }),
        drawnAtRandom: 0,
        rows: 20,
        trials: 20,
        t,
      });
    const [modest, clear, ...rest] = made as [Float64Array, Float64Array, ...Float64Array[]];
    // When each is judged in the company of the other
    const ofModest = ask([modest, clear, ...rest], 1.9);
    const ofClear = ask([clear, modest, ...rest], 8);
    // Then the one is luck among 20 trials and the other is not, though the batch holds the same rows
    expect(ofModest.single).toBeLessThan(0.05);
    expect(ofModest.p).toBeGreaterThan(0.2);
    expect(ofClear.p).toBeLessThan(0.01);
    expect(ofModest.superiorAbility.upper).toBeLessThan(0.01);
    expect(ofModest.superior).toEqual([1]);
  });

  it('takes what was tried before into account', () => {
    const normal = normalSource(5);
    const first = Float64Array.from({ length: days }, () => 0.0006 + 0.006 * normal());
    const alpha = rowAlpha(
      first,
      Float64Array.from({ length: days }, () => 0.01 * normal()),
      none,
    );
    const ask = (trials: number) =>
      askForSkill({
        beyond: resampledBeyond([first], { seed: 'x', draws: 200 }),
        drawnAtRandom: 0,
        rows: 1,
        trials,
        t: alpha?.t ?? 0,
      });
    expect(ask(1).equivalentTrials).toBe(1);
    expect(ask(1000).p).toBeGreaterThan(ask(1).p);
    expect(ask(1000).p).toBeCloseTo(1 - (1 - ask(1000).single) ** 1000, 6);
  });
});
