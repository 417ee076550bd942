import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { DEFAULT_BENCHMARK } from '@quantloom/domain/strategy/backtest-terms';
import type { AnalysedBatch } from './analysed-batch.ts';
import { isMissing, type Series, SkillRuns } from './skill-runs.ts';

/** For the one run that the benchmark takes. */
const BENCHMARK_MS = 5_000;

/** Daily returns of a batch's benchmark over its period, run exactly; null where it has no prices. */
export async function benchmarkSeries(
  runner: BacktestRunner,
  { batch, definition, variables }: AnalysedBatch,
  signal: AbortSignal,
): Promise<Series | null> {
  const config: BacktestConfig = definition.backtestConfig;
  const { algorithm } = definition.templateBot;
  const run = { algorithm, variables, config, dataVersion: batch.dataVersion };
  const runs = new SkillRuns(runner, run, { milliseconds: BENCHMARK_MS, signal });
  const series = await runs.asset(config.benchmark_ticker ?? DEFAULT_BENCHMARK);
  return isMissing(series) ? null : series;
}

/** Returns of a series on calendar days, both included. */
export function returnsBetween({ days, returns }: Series, from: string, to: string): Float64Array {
  const [first, last] = [Date.parse(from) / 1_000, Date.parse(to) / 1_000];
  return returns.filter((_, i) => (days[i] as number) >= first && (days[i] as number) <= last);
}
