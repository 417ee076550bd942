import type { Metrics } from '@quantloom/domain/contracts/backtest';
import { type MetricColumn, STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { NO_DEVIATION } from '@quantloom/domain/statistics/rounding';
import { dailyReturns, metricsOf } from './metrics.ts';

/** What a metric column of a batch is called in the answer of a single backtest. */
export const METRIC_OF_COLUMN: Readonly<Record<MetricColumn, Exclude<keyof Metrics, 'duration'>>> = {
  cumulative_return: 'cumulative_return',
  annualized_return: 'annualized_return',
  standard_deviation: 'standard_deviation',
  max_drawdown: 'max_drawdown',
  calmer_ratio: 'calmer',
  sharpe_ratio: 'sharpe',
  trailing_1_month: 'trailing_1_month',
  trailing_3_month: 'trailing_3_month',
};

/**
 * Which of the equal blocks of a batch's date range (start and end date included, in calendar days) a day
 * falls into. The same for every combination, so that the blocks of two rows cover the same days.
 */
export function statisticsBlockOf(day: number, startDay: number, endDay: number): number {
  return Math.floor(((day - startDay) * STATISTICS_BLOCKS) / (endDay - startDay + 1));
}

export interface ReturnStatistics {
  readonly n: number;
  /** Population skewness `m3 / m2^1.5`; NaN where the returns do not vary. */
  readonly skewness: number;
  /** Raw population kurtosis `m4 / m2^2` (3 for a normal distribution); NaN where the returns do not vary. */
  readonly kurtosis: number;
  readonly blockCount: Float64Array;
  readonly blockSum: Float64Array;
  readonly blockSumSquares: Float64Array;
}

/**
 * Statistics of the daily returns R of a run.
 * @param value portfolio value by day
 * @param days the same days, since 1970-01-01
 */
export function returnStatistics(
  value: Float64Array,
  days: Int32Array,
  startDay: number,
  endDay: number,
): ReturnStatistics {
  const returns = dailyReturns(value);
  const blockCount = new Float64Array(STATISTICS_BLOCKS);
  const blockSum = new Float64Array(STATISTICS_BLOCKS);
  const blockSumSquares = new Float64Array(STATISTICS_BLOCKS);
  for (let i = 0; i < returns.length; i++) {
    const block = statisticsBlockOf(days[i + 1] as number, startDay, endDay);
    const r = returns[i] as number;
    blockCount[block] = (blockCount[block] as number) + 1;
    blockSum[block] = (blockSum[block] as number) + r;
    blockSumSquares[block] = (blockSumSquares[block] as number) + r * r;
  }
  return { n: returns.length, ...shapeOf(returns), blockCount, blockSum, blockSumSquares };
}

function shapeOf(returns: Float64Array): { skewness: number; kurtosis: number } {
  const n = returns.length;
  const shift = returns[0] ?? 0;
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (returns[i] as number) - shift;
  const mean = sum / n;
  let m2 = 0;
  let m3 = 0;
  let m4 = 0;
  for (let i = 0; i < n; i++) {
    const d = (returns[i] as number) - shift - mean;
    const square = d * d;
    m2 += square;
    m3 += square * d;
    m4 += square * square;
  }
  // What is left where all returns are the same is rounding: it has no shape.
  if (n < 2 || Math.sqrt(m2 / (n - 1)) < NO_DEVIATION) return { skewness: Number.NaN, kurtosis: Number.NaN };
  return { skewness: m3 / n / (m2 / n) ** 1.5, kurtosis: m4 / n / (m2 / n) ** 2 };
}

/**
 * The metrics of the days before an out-of-sample date and of the days from it. The first part is the run cut
 * at its last day before the date; the second starts from that day's value, so that its first return is the
 * first out-of-sample day's. A part without any return is null.
 */
export function splitMetrics(
  value: Float64Array,
  days: Int32Array,
  startingBalance: number,
  outOfSampleDay: number,
): { before: Metrics | null; from: Metrics | null } {
  let split = 0;
  while (split < days.length && (days[split] as number) < outOfSampleDay) split++;
  const lastBefore = split - 1;
  const span = (a: number, b: number) => (days[b] as number) - (days[a] as number);
  const end = days.length - 1;
  const before =
    lastBefore < 1 ? null : metricsOf(value.subarray(0, split), startingBalance, span(0, lastBefore));
  const begin = Math.max(lastBefore, 0);
  const base = lastBefore < 0 ? startingBalance : (value[lastBefore] as number);
  const from = end - begin < 1 ? null : metricsOf(value.subarray(begin), base, span(begin, end));
  return { before, from };
}
