import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile, upperQuantile } from './normal.ts';
import {
  deflatedSharpe,
  expectedMaximum,
  expectedMaximumSharpe,
  minimumBacktestYears,
  probabilisticSharpe,
  sharpeError,
} from './sharpe.ts';
import { deflate } from './verdict.ts';

describe('the normal distribution', () => {
  // Reference values from tables to 15 digits (Abramowitz and Stegun 26.1; R's pnorm and qnorm).
  it.each([
    [0, 0.5],
    [1, 0.841344746068543],
    [-1.96, 0.0249978951482204],
    [3, 0.99865010196837],
    [-6, 9.86587645037698e-10],
    [-8, 6.22096057427178e-16],
  ])('P(Z <= %d)', (x, p) => expect(normalCdf(x)).toBeCloseTo(p, 14));
  it('keeps relative accuracy in the tail', () => {
    expect(normalCdf(-6) / 9.86587645037698e-10).toBeCloseTo(1, 8);
  });
  it.each([
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.025, -1.959963984540054],
    [0.99, 2.326347874040841],
    [1e-10, -6.361340902404056],
  ])('quantile %d', (p, x) => expect(normalQuantile(p)).toBeCloseTo(x, 12));
  it('inverts itself', () => {
    for (let p = 0.001; p < 1; p += 0.013) expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 13);
    expect(upperQuantile(1e-6)).toBeCloseTo(4.753424308822899, 11);
  });
});

describe('the best of many worthless strategies', () => {
  it('shows a Sharpe ratio of 2.18 for a million of them over five years', () => {
    expect(expectedMaximumSharpe(1_000_000, 1 / Math.sqrt(5))).toBeCloseTo(2.18, 2);
  });
  it('matches the known mean of the maximum of normal samples', () => {
    // Mean of the largest of 100 normals: 2.50759 (Harter, 1961); the approximation is within 1%.
    expect(Math.abs(expectedMaximum(100) / 2.50759 - 1)).toBeLessThan(0.01);
    expect(expectedMaximum(1)).toBe(0);
  });
});

describe('published examples', () => {
  // Bailey and López de Prado (2014), section "A numerical example": annualised Sharpe 2.5 over 1,250 days, N
  // = 100 trials with an annualised variance of 1/2, skewness -3, kurtosis 10.
  const best = { sharpe: 2.5 / Math.sqrt(250), n: 1250, skewness: -3, kurtosis: 10 };
  const deviation = Math.sqrt(0.5 / 250);
  it('deflated Sharpe ratio: threshold 0.1132 and probability 0.9004', () => {
    expect(expectedMaximumSharpe(100, deviation)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(best, 100, deviation)).toBeCloseTo(0.9004, 4);
  });
  it('deflated Sharpe ratio: with 46 independent trials it would pass at 0.9505', () => {
    expect(deflatedSharpe(best, 46, deviation)).toBeCloseTo(0.9505, 4);
  });
  // Bailey and López de Prado (2012), "The Sharpe Ratio Efficient Frontier": 24 monthly returns with a Sharpe
  // ratio of 0.458 per month are above 0 with probability 0.982 if normal, 0.913 with their skewness of
  // -2.448 and kurtosis of 10.164.
  it('probabilistic Sharpe ratio falls with negative skewness and fat tails', () => {
    const sharpe = 0.458;
    const normal = probabilisticSharpe({ sharpe, n: 24, skewness: 0, kurtosis: 3 }, 0);
    const skewed = probabilisticSharpe({ sharpe, n: 24, skewness: -2.448, kurtosis: 10.164 }, 0);
    expect(normal).toBeCloseTo(0.982, 3);
    expect(skewed).toBeCloseTo(0.913, 3);
  });
  // Bailey, Borwein, López de Prado and Zhu (2014): "if only five years of data are available, no more than
  // forty-five independent model configurations should be tried".
  it('minimum backtest length: 45 trials need five years for a Sharpe ratio of 1', () => {
    expect(minimumBacktestYears(45)).toBeCloseTo(5, 0);
    expect(minimumBacktestYears(7)).toBeLessThan(2);
  });
});

describe('the tails of the normal distribution', () => {
  // The nearest doubles to what mpmath gives (40 digits, from the complementary error function).
  it.each([
    [0.3, 0.6179114221889527],
    [-0.3, 0.3820885778110474],
    [0.9, 0.8159398746532405],
    [-1.7, 0.04456546275854304],
    [2.2, 0.9860965524865014],
    [-3.3, 0.0004834241423837775],
    [-4.4, 5.412543907703851e-6],
    [-5.5, 1.8989562465887718e-8],
    [-6.6, 2.055788909399523e-11],
    [-7, 1.279812543885835e-12],
    [-7.2, 3.0106279811174334e-13],
    [-8, 6.220960574271784e-16],
    [-10, 7.619853024160525e-24],
    [-15, 3.670966199312751e-51],
    [-25, 3.056696706382561e-138],
    [-36.5, 5.544725713074845e-292],
  ])('P(Z <= %d), to the digits that the approximation has', (x, p) => {
    // Hart's is exact to 1e-15, of which fewer and fewer digits are those of a small number; West's continued
    // fraction follows.
    expect(Math.abs(normalCdf(x) / p - 1)).toBeLessThan(
      Math.abs(x) < 3 ? 1e-13 : Math.abs(x) < 7.08 ? 1e-8 : 1e-7,
    );
  });

  it('end where no double is left', () => {
    expect([normalCdf(38), normalCdf(-38), normalCdf(Number.NaN)]).toEqual([1, 0, Number.NaN]);
    expect(normalCdf(Number.NEGATIVE_INFINITY)).toBe(0);
    expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
    for (const p of [-1e-9, 1 + 1e-9, Number.NaN]) expect(normalQuantile(p)).toBeNaN();
  });

  it.each([
    [0.08, -1.4050715603096327],
    [0.1, -1.2815515655446006],
    [0.2, -0.8416212335729142],
    [0.3, -0.5244005127080408],
    [0.45, -0.12566134685507402],
    [0.6, 0.2533471031357998],
    [0.7, 0.5244005127080408],
    [0.85, 1.0364333894937896],
    [0.92, 1.4050715603096327],
  ])('the quantile %d, to fifteen digits', (p, x) => {
    expect(Math.abs(normalQuantile(p) / x - 1)).toBeLessThan(2e-15);
  });

  it.each([
    [0.07, 1.4757910281791706],
    [0.05, 1.6448536269514726],
    [0.02, 2.053748910631823],
    [1e-3, 3.0902323061678136],
    [1e-5, 4.264890793922825],
    [1e-8, 5.612001244174789],
    [1e-11, 6.706023155495136],
    [1e-12, 7.034483825301132],
    [1e-16, 8.222082216130435],
    [1e-20, 9.262340089798407],
    [1e-50, 14.933337534788489],
    [1e-100, 21.273453560965326],
    [1e-200, 30.20559417957964],
    [1e-300, 37.0470962993612],
  ])('above %d of the upper tail, to fifteen digits', (tail, x) => {
    expect(Math.abs(upperQuantile(tail) / x - 1)).toBeLessThan(2e-15);
    expect(upperQuantile(0.3)).toBeCloseTo(0.5244005127080407, 14);
  });
});

describe('the error of a Sharpe ratio', () => {
  it('is that of its formula, and none where the formula has none', () => {
    const record = { sharpe: 0.2, n: 101, skewness: -1, kurtosis: 7 };
    // 1 + 0.2 + 6/4 · 0.04
    expect(sharpeError(record)).toBeCloseTo(Math.sqrt(1.26 / 100), 14);
    expect(sharpeError({ sharpe: 1, n: 101, skewness: 3, kurtosis: 1 })).toBe(0);
  });

  it('leaves no doubt where there is none', () => {
    const certain = { sharpe: 1, n: 101, skewness: 3, kurtosis: 1 };
    expect([0.9, 1, 1.1].map((border) => probabilisticSharpe(certain, border))).toEqual([1, 0, 0]);
  });

  it('needs three returns', () => {
    const few = (n: number) => probabilisticSharpe({ sharpe: 0.1, n, skewness: 0, kurtosis: 3 }, 0);
    expect(few(2)).toBeNaN();
    expect(few(3)).toBeGreaterThan(0.5);
  });

  it('asks for fewer years the higher the ratio that is not to be reached by luck', () => {
    expect(minimumBacktestYears(45, 2)).toBeCloseTo(minimumBacktestYears(45) / 4, 12);
    for (const one of [1, 0, Number.NaN]) expect(expectedMaximum(one)).toBe(0);
    expect(expectedMaximum(1.5)).toBeGreaterThan(0);
  });
});

describe('deflation', () => {
  const best = { sharpe: 0.1, n: 1_001, skewness: 0, kurtosis: 3 };
  const trials = (batchTrials: number, lineageTrials: number, deviation = 0.02, equivalentTrials = 5) =>
    deflate({ best, deviation, batchTrials, lineageTrials, equivalentTrials });

  it('counts all that was tried, at least this batch and one', () => {
    expect(trials(10, 30).trials).toBe(30);
    expect(trials(40, 30).trials).toBe(40);
    expect(trials(0, 0).trials).toBe(1);
    expect(trials(10, 10).minimumYears).toBeCloseTo(minimumBacktestYears(10), 12);
  });

  it('takes the spread of the batch, and of what it does not show that of worthless rows if that is larger', () => {
    const luck = (count: number, spread: number) => expectedMaximumSharpe(count, spread) * Math.sqrt(252);
    expect(trials(30, 30).expectedBestByLuck).toBeCloseTo(luck(30, 0.02), 12);
    expect(trials(30, 31).expectedBestByLuck).toBeCloseTo(luck(31, 1 / Math.sqrt(1_000)), 12);
    expect(trials(30, 31, 0.05).expectedBestByLuck).toBeCloseTo(luck(31, 0.05), 12);
    expect(trials(30, 30, Number.NaN).expectedBestByLuck).toBe(0);
  });

  it('says how probable skill is with all trials, with those that are independent and with none', () => {
    const { deflatedSharpe: all, deflatedSharpeEffective, undeflated, isReal } = trials(30, 30);
    expect(all).toBeCloseTo(deflatedSharpe(best, 30, 0.02), 12);
    expect(deflatedSharpeEffective).toBeCloseTo(deflatedSharpe(best, 5, 0.02), 12);
    expect(undeflated).toBeCloseTo(probabilisticSharpe(best, 0), 12);
    expect(isReal).toBe(all > 0.95);
    expect(trials(1, 1).isReal).toBe(true);
    expect(trials(30, 3_000).isReal).toBe(false);
    expect(trials(30, 30, 0.02, Number.NaN).deflatedSharpeEffective).toBeNaN();
    const single = { best: { ...best, n: 1 }, deviation: 0.02, batchTrials: 1, equivalentTrials: 1 };
    expect(deflate({ ...single, lineageTrials: 2 }).expectedBestByLuck).toBeCloseTo(
      expectedMaximumSharpe(2, 1) * Math.sqrt(252),
      12,
    );
  });
});
