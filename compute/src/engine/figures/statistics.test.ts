import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../testing/fixtures.ts';
import { dailyReturns, metricsOf, momentsOf } from './metrics.ts';
import { returnStatistics, splitMetrics, statisticsBlockOf } from './statistics.ts';

const random = randomFrom(3);
const START = 12_000;
const days = Int32Array.from({ length: 400 }, (_, i) => START + 20 + i + Math.floor(i / 5) * 2);
const value = new Float64Array(days.length);
value[0] = 9990;
for (let i = 1; i < value.length; i++) value[i] = (value[i - 1] as number) * (1 + 0.03 * (random() - 0.48));
const END = (days.at(-1) as number) + 33;

describe('statistics of a row', () => {
  const statistics = returnStatistics(value, days, START, END);
  const returns = [...dailyReturns(value)];

  test('the block sums are sums over days of equal parts of the date range', () => {
    const length = (END - START + 1) / 10;
    for (let b = 0; b < 10; b++) {
      const inBlock = returns.filter((_, i) => {
        const day = days[i + 1] as number;
        return day >= START + b * length && day < START + (b + 1) * length;
      });
      expect(statistics.blockCount[b]).toBe(inBlock.length);
      expect(statistics.blockSum[b]).toBeCloseTo(
        inBlock.reduce((sum, r) => sum + r, 0),
        13,
      );
      expect(statistics.blockSumSquares[b]).toBeCloseTo(
        inBlock.reduce((sum, r) => sum + r * r, 0),
        13,
      );
    }
    expect(statistics.blockCount.reduce((sum, n) => sum + n)).toBe(statistics.n);
    expect(statistics.blockCount[0]).toBeLessThan(statistics.blockCount[5] as number);
  });

  test('the first and the last day of the range are in the first and the last block', () => {
    expect([START, END].map((day) => statisticsBlockOf(day, START, END))).toEqual([0, 9]);
    expect(statisticsBlockOf(START, START, START)).toBe(0);
  });

  test('skewness and kurtosis are those of the population', () => {
    const mean = returns.reduce((sum, r) => sum + r, 0) / returns.length;
    const moment = (k: number) => returns.reduce((sum, r) => sum + (r - mean) ** k, 0) / returns.length;
    expect(statistics.skewness).toBeCloseTo(moment(3) / moment(2) ** 1.5, 11);
    expect(statistics.kurtosis).toBeCloseTo(moment(4) / moment(2) ** 2, 11);
  });

  test('returns that do not vary have neither', () => {
    const still = returnStatistics(Float64Array.of(5, 5, 5), Int32Array.of(1, 2, 3), 1, 3);
    expect(still).toMatchObject({ n: 2, skewness: Number.NaN, kurtosis: Number.NaN });
  });
});

describe('metrics before and from a date', () => {
  test('multiply to those of the whole', () => {
    const split = days[150] as number;
    const { before, from } = splitMetrics(value, days, 10_000, split);
    const whole = metricsOf(value, 10_000, (days.at(-1) as number) - (days[0] as number));
    const growth = (1 + (before?.cumulative_return ?? 0)) * (1 + (from?.cumulative_return ?? 0));
    expect(growth).toBeCloseTo(1 + (whole.cumulative_return ?? 0), 12);
    expect(before?.duration).toBe((days[149] as number) - (days[0] as number));
    expect(from?.duration).toBe((days.at(-1) as number) - (days[149] as number));
    const { mean, deviation } = momentsOf(dailyReturns(value).subarray(149));
    expect(from?.sharpe).toBeCloseTo((mean / (deviation ?? 0)) * Math.sqrt(252), 12);
  });

  test('a date before or after all days leaves one part without any', () => {
    const whole = metricsOf(value, 10_000, (days.at(-1) as number) - (days[0] as number));
    expect(splitMetrics(value, days, 10_000, START)).toEqual({ before: null, from: whole });
    expect(splitMetrics(value, days, 10_000, END)).toEqual({ before: whole, from: null });
    expect(splitMetrics(value, days, 10_000, days[1] as number)).toMatchObject({ before: null });
    expect(splitMetrics(value, days, 10_000, days[1] as number).from).not.toBeNull();
  });
});

describe('metrics', () => {
  test('are null where they are not defined', () => {
    expect(metricsOf(Float64Array.of(100, 100), 100, 1)).toEqual({
      duration: 1,
      cumulative_return: 0,
      annualized_return: 0,
      standard_deviation: null,
      max_drawdown: 0,
      calmer: null,
      sharpe: null,
      trailing_1_month: null,
      trailing_3_month: null,
    });
    const still = metricsOf(new Float64Array(22).fill(100), 100, 30);
    expect(still).toMatchObject({ standard_deviation: 0, sharpe: null, calmer: null, trailing_1_month: 0 });
    expect(still.trailing_3_month).toBeNull();
  });

  test('the deviation of numbers that are all the same is exactly 0', () => {
    expect(momentsOf(new Float64Array(777).fill(0.1)).deviation).toBe(0);
  });
});
