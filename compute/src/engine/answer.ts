import type {
  BacktestAnswer,
  BacktestHistory,
  BacktestRequest,
  Metrics,
} from '@quantloom/domain/contracts/backtest';
import type { Run } from './backtest.ts';
import { assetTickersIn } from './blocks.ts';
import { timestampOf } from './days.ts';
import { debugDataOf } from './debug-data.ts';
import type { ExplanationTrace } from './explanation.ts';
import { metricsOf } from './metrics.ts';
import { calculatedDates, durationOf, reportedIndicators } from './report.ts';
import { turnoverByDay } from './simulation.ts';

/** The answer of a single backtest (`engine.md` section 6); history, explanation and debug data only where they are asked for. */
export function answerOf(
  run: Run,
  include: NonNullable<BacktestRequest['include']>,
  trace?: ExplanationTrace,
): BacktestAnswer {
  const { terms, value } = run;
  const benchmark = benchmarkValue(run);
  const duration = durationOf(run);
  return {
    metrics: metricsOf(value, terms.startingBalance, duration),
    benchmark_metrics:
      benchmark === null ? null : benchmarkMetrics(benchmark, terms.startingBalance, duration),
    calculated_dates: calculatedDates(run),
    ...(include.history === true ? { history: historyOf(run, benchmark) } : {}),
    ...(trace === undefined ? {} : { explanation: trace.explanation() }),
    ...(include.debug === true ? { debug_data: debugDataOf(run) } : {}),
  };
}

function benchmarkMetrics(value: Float64Array, startingBalance: number, duration: number): Metrics {
  return metricsOf(value, startingBalance, duration);
}

/** `starting_balance * B_t / B_t0`, or null where the benchmark has no data. */
function benchmarkValue({ market, terms, days }: Run): Float64Array | null {
  const prices = market.series(terms.benchmark);
  if (prices.first > prices.last) return null;
  const value = prices.values.slice(days.from, days.to + 1);
  const base = value[0] as number;
  for (let t = 0; t < value.length; t++) value[t] = terms.startingBalance * ((value[t] as number) / base);
  return value;
}

function historyOf(run: Run, benchmark: Float64Array | null): BacktestHistory {
  const { market, days, value, weights, block } = run;
  const length = value.length;
  const timestamps = new Array<number>(length);
  for (let t = 0; t < length; t++) timestamps[t] = timestampOf(market.calendar[days.from + t] as number);
  const percent = (weight: Float64Array | undefined) => {
    const list = new Array<number>(length).fill(0);
    if (weight !== undefined) for (let t = 0; t < length; t++) list[t] = (weight[t] as number) * 100;
    return list;
  };
  return {
    timestamps,
    value: listOf(value, 0, length),
    benchmark_value: benchmark === null ? null : listOf(benchmark, 0, length),
    tickers: Object.fromEntries(
      Array.from(assetTickersIn(block), (ticker) => [ticker, percent(weights.get(ticker))]),
    ),
    indicators: Object.fromEntries(
      Array.from(reportedIndicators(block, market), ([key, column]) => [
        key,
        listOf(column.values, days.from, length),
      ]),
    ),
    turnover: Array.from(turnoverByDay(weights, market, days), billionth),
  };
}

/** Short to write, and what nobody traded is 0 instead of what was lost to rounding. */
function billionth(share: number): number {
  return Math.round(share * 1e9) / 1e9;
}

function listOf(values: Float64Array, from: number, length: number): number[] {
  const list = new Array<number>(length);
  for (let t = 0; t < length; t++) list[t] = values[from + t] as number;
  return list;
}
