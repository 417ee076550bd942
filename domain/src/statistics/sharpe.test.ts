import { describe, expect, it } from 'vitest';
import { normalCdf, normalQuantile, upperQuantile } from './normal.ts';
import {
  deflatedSharpe,
  expectedMaximum,
  expectedMaximumSharpe,
  minimumBacktestYears,
  probabilisticSharpe,
} from './sharpe.ts';

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
    // Mean of the largest of 100 normals: 2.50759 (Harter, 1961); the approximation is within 1 %.
    expect(Math.abs(expectedMaximum(100) / 2.50759 - 1)).toBeLessThan(0.01);
    expect(expectedMaximum(1)).toBe(0);
  });
});

describe('published examples', () => {
  // Bailey and López de Prado (2014), section "A numerical example": annualised Sharpe 2.5 over 1,250 days, N = 100 trials with an
  // annualised variance of 1/2, skewness -3, kurtosis 10.
  const best = { sharpe: 2.5 / Math.sqrt(250), n: 1250, skewness: -3, kurtosis: 10 };
  const deviation = Math.sqrt(0.5 / 250);
  it('deflated Sharpe ratio: threshold 0.1132 and probability 0.9004', () => {
    expect(expectedMaximumSharpe(100, deviation)).toBeCloseTo(0.1132, 4);
    expect(deflatedSharpe(best, 100, deviation)).toBeCloseTo(0.9004, 4);
  });
  it('deflated Sharpe ratio: with 46 independent trials it would pass at 0.9505', () => {
    expect(deflatedSharpe(best, 46, deviation)).toBeCloseTo(0.9505, 4);
  });
  // Bailey and López de Prado (2012), "The Sharpe Ratio Efficient Frontier": 24 monthly returns with a Sharpe ratio of 0.458 per month are above 0 with
  // probability 0.982 if normal, 0.913 with their skewness of -2.448 and kurtosis of 10.164.
  it('probabilistic Sharpe ratio falls with negative skewness and fat tails', () => {
    const sharpe = 0.458;
    const normal = probabilisticSharpe({ sharpe, n: 24, skewness: 0, kurtosis: 3 }, 0);
    const skewed = probabilisticSharpe({ sharpe, n: 24, skewness: -2.448, kurtosis: 10.164 }, 0);
    expect(normal).toBeCloseTo(0.982, 3);
    expect(skewed).toBeCloseTo(0.913, 3);
  });
  // Bailey, Borwein, López de Prado and Zhu (2014): "if only five years of data are available, no more than forty-five independent model
  // configurations should be tried".
  it('minimum backtest length: 45 trials need five years for a Sharpe ratio of 1', () => {
    expect(minimumBacktestYears(45)).toBeCloseTo(5, 0);
    expect(minimumBacktestYears(7)).toBeLessThan(2);
  });
});
