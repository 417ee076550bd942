import type {
  BacktestHistory,
  BacktestRequest,
  FurtherBenchmark,
  Metrics,
} from '@quantloom/domain/contracts/backtest';
import type { BacktestColumns, InColumns } from '@quantloom/domain/contracts/backtest-columns';
import { valueAlong } from '../figures/benchmark-value.ts';
import { metricsOf } from '../figures/metrics.ts';
import { reportOf } from '../figures/report/backtest-report.ts';
import { calculatedDates, durationOf, reportedIndicators } from '../figures/run-facts.ts';
import { assetTickersIn } from '../model/blocks.ts';
import { timestampOf } from '../model/days.ts';
import { BILLIONTH, rounded } from '../model/rounding.ts';
import type { Run } from '../reference/run.ts';
import { attributionOf } from './attribution.ts';
import { debugDataOf } from './debug-data.ts';
import type { ExplanationTrace } from './explanation.ts';
import { flipsOf } from './flips.ts';

/**
 * The answer of a single backtest (`engine.md` section 6); history, explanation and debug data only where
 * they are asked for.
 */
export function answerOf(
  run: Run,
  include: NonNullable<BacktestRequest['include']>,
  trace?: ExplanationTrace,
): BacktestColumns {
  const { terms, value } = run;
  const benchmark = valueAlong(run, terms.benchmark);
  const hasHistory = include.history === true;
  const duration = durationOf(run);
  return {
    metrics: metricsOf(value, terms.startingBalance, duration),
    benchmark_metrics:
      benchmark === null ? null : benchmarkMetrics(benchmark, terms.startingBalance, duration),
    calculated_dates: calculatedDates(run),
    ...(terms.benchmarks.length > 0 ? { benchmarks: furtherBenchmarks(run, hasHistory) } : {}),
    ...(include.report === true ? { report: reportOf(run, benchmark) } : {}),
    ...(hasHistory ? { history: historyOf(run, benchmark) } : {}),
    ...(trace !== undefined && include.explanation === true
      ? { explanation: trace.explanation(run.decidedOn) }
      : {}),
    ...(trace !== undefined && include.attribution === true
      ? { attribution: attributionOf(run, run.block, (id) => trace.shareOf(id)) }
      : {}),
    // Where an earlier day's decision is in force, the next close decides a later one.
    ...(include.flips === true && run.decidedOn === null
      ? { flips: flipsOf(run.block, run.market, run.days.to) }
      : {}),
    ...(include.debug === true ? { debug_data: debugDataOf(run) } : {}),
  };
}

function benchmarkMetrics(value: Float64Array, startingBalance: number, duration: number): Metrics {
  return metricsOf(value, startingBalance, duration);
}

/** The further benchmarks that the request names, over the days of the run. */
function furtherBenchmarks(run: Run, hasHistory: boolean): NonNullable<BacktestColumns['benchmarks']> {
  const { terms } = run;
  const duration = durationOf(run);
  return Object.fromEntries(
    terms.benchmarks.map((ticker): [string, InColumns<FurtherBenchmark> | null] => {
      const value = valueAlong(run, ticker);
      if (value === null) return [ticker, null];
      const metrics = metricsOf(value, terms.startingBalance, duration);
      return [ticker, { metrics, ...(hasHistory ? { value } : {}) }];
    }),
  );
}

function historyOf(run: Run, benchmark: Float64Array | null): InColumns<BacktestHistory> {
  const { market, days, value, weights, block, turnover } = run;
  const { length } = value;
  const timestamps = new Float64Array(length);
  for (let t = 0; t < length; t++) timestamps[t] = timestampOf(market.calendar[days.from + t] as number);
  return {
    timestamps,
    value,
    benchmark_value: benchmark,
    tickers: Object.fromEntries(
      Array.from(assetTickersIn(block), (ticker) => [ticker, percent(weights.get(ticker), length)]),
    ),
    indicators: Object.fromEntries(
      Array.from(reportedIndicators(block, market), ([key, column]) => [
        key,
        column.values.subarray(days.from, days.from + length),
      ]),
    ),
    turnover: rounded(turnover ?? new Float64Array(length), BILLIONTH),
  };
}

function percent(weight: Float64Array | undefined, length: number): Float64Array {
  const list = new Float64Array(length);
  if (weight !== undefined) for (let t = 0; t < length; t++) list[t] = (weight[t] as number) * 100;
  return list;
}
