import type { Metrics } from '@quantloom/domain/contracts/backtest';
import {
  METRIC_COLUMNS,
  type ResultBlock,
  STATISTICS_BLOCKS,
} from '@quantloom/domain/contracts/result-block';
import type { Run } from '../reference/run.ts';
import { valueAlong } from './benchmark-value.ts';
import { dailyReturns, metricsOf } from './metrics.ts';
import { comparison } from './report/comparison.ts';
import { sortinoOf } from './report/returns.ts';
import { durationOf } from './run-facts.ts';
import { METRIC_OF_COLUMN, returnStatistics, splitMetrics } from './statistics.ts';
import { tradingStatistics } from './trading-statistics.ts';

/** Trading days of a year. */
const YEAR = 252;

type Columns = Pick<ResultBlock, 'startDay' | 'endDay' | 'floats'>;

/**
 * Writes the row of a run that was made with its turnover: its days, metrics, statistics and, where a date is
 * given, the metrics before and from it.
 */
export function writeRow(columns: Columns, row: number, run: Run, outOfSampleDay: number | null): void {
  const { market, days, terms, value } = run;
  const calendar = market.calendar.subarray(days.from, days.to + 1);
  columns.startDay[row] = market.calendar[days.from] as number;
  columns.endDay[row] = market.calendar[days.to] as number;
  writeMetrics(columns, row, '', metricsOf(value, terms.startingBalance, durationOf(run)));
  const statistics = returnStatistics(value, calendar, terms.startDay, terms.endDay);
  write(columns, row, 'n', statistics.n);
  write(columns, row, 'skewness', statistics.skewness);
  write(columns, row, 'kurtosis', statistics.kurtosis);
  for (let b = 0; b < STATISTICS_BLOCKS; b++) {
    write(columns, row, `block_count_${b}`, statistics.blockCount[b] as number);
    write(columns, row, `block_sum_${b}`, statistics.blockSum[b] as number);
    write(columns, row, `block_sum_squares_${b}`, statistics.blockSumSquares[b] as number);
  }
  const { turnover_per_year, trades } = tradingStatistics(run);
  write(columns, row, 'turnover_per_year', turnover_per_year);
  write(columns, row, 'trades', trades);
  writeComparison(columns, row, run);
  if (outOfSampleDay === null) return;
  const split = splitMetrics(value, calendar, terms.startingBalance, outOfSampleDay);
  writeMetrics(columns, row, 'in_', split.before);
  writeMetrics(columns, row, 'out_', split.from);
}

/** What compares a run with its benchmark over the same days, and the ratio to what is below 0. */
function writeComparison(columns: Columns, row: number, run: Run): void {
  const { value, terms } = run;
  const returns = dailyReturns(value);
  write(columns, row, 'sortino', sortinoOf(returns) ?? Number.NaN);
  const benchmark = valueAlong(run, terms.benchmark);
  if (benchmark === null) return;
  const { alpha, beta, correlation, information_ratio } = comparison(returns, dailyReturns(benchmark));
  for (const [name, figure] of Object.entries({ alpha, beta, correlation, information_ratio }))
    write(columns, row, name, figure ?? Number.NaN);
  const yearly = (end: number, begin: number) => (end / begin) ** (YEAR / returns.length) - 1;
  const end = value.length - 1;
  const own = yearly(value[end] as number, terms.startingBalance);
  write(columns, row, 'excess_return', own - yearly(benchmark[end] as number, benchmark[0] as number));
}

function writeMetrics(columns: Columns, row: number, prefix: string, metrics: Metrics | null): void {
  if (metrics === null) return;
  for (const name of METRIC_COLUMNS) {
    write(columns, row, `${prefix}${name}`, metrics[METRIC_OF_COLUMN[name]] ?? Number.NaN);
  }
}

function write(columns: Columns, row: number, name: string, value: number): void {
  (columns.floats[name] as Float64Array)[row] = value;
}
