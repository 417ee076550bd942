import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { DailyReturns } from '@quantloom/domain/statistics/shared-days';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import { UnavailableError } from '@quantloom/http/principal';
import { type AnalysedBatch, orNull } from './analysed-batch.ts';
import { METRIC_OF_COLUMN } from './run-metrics.ts';
import { isMissing, SkillRuns } from './skill-runs.ts';
import { inSampleConfig } from './stored-block-sums.ts';

/** For the one run that the benchmark takes. */
const BENCHMARK_MS = 5_000;

/** Exact runs on a batch's terms and days, and the benchmark of these terms. */
function runsOf(
  runner: BacktestRunner,
  { batch, definition, variables }: AnalysedBatch,
  config: BacktestConfig,
  signal: AbortSignal,
) {
  const { algorithm } = definition.templateBot;
  const run = { algorithm, variables, config, dataVersion: batch.dataVersion };
  return {
    runs: new SkillRuns(runner, run, { milliseconds: BENCHMARK_MS, signal }),
    ticker: config.benchmark_ticker ?? DEFAULT_BENCHMARK,
  };
}

/** Daily returns of a batch's benchmark over its period, run exactly; null where it has no prices. */
export async function benchmarkSeries(
  runner: BacktestRunner,
  batch: AnalysedBatch,
  signal: AbortSignal,
): Promise<DailyReturns | null> {
  const { runs, ticker } = runsOf(runner, batch, batch.definition.backtestConfig, signal);
  const series = await runs.asset(ticker);
  return isMissing(series) ? null : series;
}

/** A batch's benchmark by the columns of its rows. */
export interface BenchmarkFigures {
  readonly ticker: string;
  readonly metrics: Readonly<Record<MetricColumn, number | null>>;
}

/**
 * Metrics of a batch's benchmark on the days that its rows are ranked on; null where it has no prices.
 * Rejects where it could not be run just now.
 */
export async function benchmarkFigures(
  runner: BacktestRunner,
  batch: AnalysedBatch,
  signal: AbortSignal,
): Promise<BenchmarkFigures | null> {
  const config = inSampleConfig(batch.definition.backtestConfig);
  const { runs, ticker } = runsOf(runner, batch, config, signal);
  const found = await runs.metrics(ticker);
  if (isMissing(found)) {
    if (found.isLasting) return null;
    throw new UnavailableError(`The benchmark has no figures, because ${found.reason}`);
  }
  const metrics = METRIC_COLUMNS.map((column) => [column, orNull(found[METRIC_OF_COLUMN[column]])] as const);
  return { ticker, metrics: Object.fromEntries(metrics) as BenchmarkFigures['metrics'] };
}

/** A part of a series, in its memory: its days are ascending. From one calendar day to another, both included. */
export function seriesBetween({ days, returns }: DailyReturns, from: string, to: string): DailyReturns {
  const [first, last] = [Date.parse(from) / 1_000, Date.parse(to) / 1_000];
  const begin = days.findIndex((day) => day >= first);
  const end = days.findLastIndex((day) => day <= last) + 1;
  const part = (values: Float64Array) => (begin < 0 ? values.subarray(0, 0) : values.subarray(begin, end));
  return { days: part(days), returns: part(returns) };
}

/** Returns of a series on calendar days, both included. */
export const returnsBetween = (series: DailyReturns, from: string, to: string): Float64Array =>
  seriesBetween(series, from, to).returns;
