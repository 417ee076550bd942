import { describe, expect, it } from 'vitest';
import { linearModel, neweyWestLags } from './linear-model.ts';

const a = Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7);
const b = Float64Array.of(3, 1, 4, 1, 5, 9, 2, 6);
const exact = a.map((value, i) => 2 + 3 * value - 0.5 * (b[i] ?? 0));
const noisy = exact.map((value, i) => value + (i % 2 === 0 ? 0.25 : -0.25));

describe('a linear model of two regressors', () => {
  it('finds what there is, and no error where there is none', () => {
    const model = linearModel(exact, [a, b]);
    expect(model?.coefficients.map((value) => Math.round(value * 1e9) / 1e9)).toEqual([2, 3, -0.5]);
    expect(model?.rSquared).toBeCloseTo(1, 12);
    expect(model?.residualDeviation).toBeCloseTo(0, 9);
    expect(Math.max(...(model?.residuals ?? [1]).map(Math.abs))).toBeLessThan(1e-9);
  });

  it('leaves residuals that have nothing to do with what they were regressed on', () => {
    const model = linearModel(noisy, [a, b]);
    if (!model) throw new Error('there is a model');
    const { residuals } = model;
    for (const column of [new Float64Array(8).fill(1), a, b])
      expect(residuals.reduce((sum, value, i) => sum + value * (column[i] ?? 0), 0)).toBeCloseTo(0, 9);
    const squares = residuals.reduce((sum, value) => sum + value * value, 0);
    // Eight values less three coefficients.
    expect(model.residualDeviation).toBeCloseTo(Math.sqrt(squares / 5), 12);
    const mean = noisy.reduce((sum, value) => sum + value, 0) / 8;
    const total = noisy.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    expect(model.rSquared).toBeCloseTo(1 - squares / total, 12);
    expect(model.t).toEqual(model.coefficients.map((value, i) => value / (model.errors[i] ?? 0)));
  });

  it('has errors by the definition of Newey and West, with as many lags as it is told', () => {
    for (const lags of [0, 1, 2]) {
      const model = linearModel(noisy, [a], { lags });
      if (!model) throw new Error('there is a model');
      expect(model.lags).toBe(lags);
      // (X'X)^-1 S (X'X)^-1 with S = sum over l of w_l (G_l + G_l'), written out for two columns.
      const x = Array.from(a, (value) => [1, value] as const);
      const score = x.map(([one, value], i) => {
        const residual = model.residuals[i] ?? 0;
        return [one * residual, value * residual] as const;
      });
      const meat = [0, 1].map((p) =>
        [0, 1].map((q) => {
          let sum = 0;
          for (const [i, own] of score.entries())
            for (const [j, other] of score.entries())
              if (Math.abs(i - j) <= lags)
                sum += (1 - Math.abs(i - j) / (lags + 1)) * (own[p] ?? 0) * (other[q] ?? 0);
          return sum;
        }),
      );
      const [n, s, ss] = [8, 28, 140];
      const scale = n * ss - s * s;
      const bread = [
        [ss / scale, -s / scale],
        [-s / scale, n / scale],
      ];
      for (const i of [0, 1]) {
        let variance = 0;
        for (const p of [0, 1])
          for (const q of [0, 1])
            variance += (bread[i]?.[p] ?? 0) * (meat[p]?.[q] ?? 0) * (bread[q]?.[i] ?? 0);
        expect(model.errors[i]).toBeCloseTo(Math.sqrt(variance), 10);
      }
    }
  });

  it('is none of regressors that say the same, or of hardly more values than coefficients', () => {
    expect(linearModel(exact, [a, a.map((value) => 2 * value - 1)])).toBeNull();
    expect(linearModel(exact.slice(0, 4), [a.slice(0, 4), b.slice(0, 4)])).toBeNull();
    expect(linearModel(exact.slice(0, 5), [a.slice(0, 5), b.slice(0, 5)])).not.toBeNull();
  });

  it('explains all of what does not move', () => {
    const model = linearModel(new Float64Array(8).fill(4), [a]);
    expect(model?.coefficients[0]).toBeCloseTo(4, 9);
    expect(model?.rSquared).toBe(1);
  });

  it('looks back further the longer the series is', () => {
    expect([50, 100, 1_000, 10_000].map(neweyWestLags)).toEqual([3, 4, 6, 11]);
  });
});
