import type {
  BacktestAnswer,
  BacktestHistory,
  BacktestRequest,
  CalculatedDates,
  Metrics,
} from '@quantloom/domain/contracts/backtest';
import { indicatorKey } from '@quantloom/domain/strategy/indicator';
import type { Run } from './backtest.ts';
import { assetTickersIn, type Block, childrenOf, filled } from './blocks.ts';
import type { Column } from './column.ts';
import { dateOf, timestampOf } from './days.ts';
import { debugDataOf } from './debug-data.ts';
import type { ExplanationTrace } from './explanation.ts';
import type { Market } from './market.ts';
import { metricsOf } from './metrics.ts';

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

/** Calendar days from the first to the last simulated day. */
export function durationOf({ market, days }: Pick<Run, 'market' | 'days'>): number {
  return (market.calendar[days.to] as number) - (market.calendar[days.from] as number);
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

/** First and last day, what decided them, and the first defined day of everything the tree names. */
export function calculatedDates({
  market,
  days,
  requirements,
}: Omit<Run, 'weights' | 'value'>): CalculatedDates {
  const date = (index: number) => dateOf(market.calendar[index] as number);
  return {
    first_day: date(days.from),
    last_day: date(days.to),
    first_day_decided_by: days.firstDecidedBy,
    last_day_decided_by: days.lastDecidedBy,
    first_defined: Object.fromEntries(
      Array.from(requirements.values(), ({ key, first }) => [key, date(first)]),
    ),
  };
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
  };
}

function listOf(values: Float64Array, from: number, length: number): number[] {
  const list = new Array<number>(length);
  for (let t = 0; t < length; t++) list[t] = values[from + t] as number;
  return list;
}

/** The indicators an answer shows: both sides of every condition and the sort function of every asset directly below a filter. */
export function reportedIndicators(
  block: Block,
  market: Market,
  found: Map<string, Column> = new Map(),
): Map<string, Column> {
  if (block.kind === 'if') {
    for (const { left, right } of block.conditions) {
      for (const side of typeof right === 'number' ? [left] : [left, right])
        found.set(side.key, market.indicator(side.series, side.fn, side.window));
    }
  }
  if (block.kind === 'filter') {
    for (const child of filled(block.children)) {
      if (child.kind === 'asset') {
        const key = indicatorKey(child.ticker, block.fn, block.window);
        found.set(key, market.indicator(child.ticker, block.fn, block.window));
      }
    }
  }
  for (const child of childrenOf(block)) reportedIndicators(child, market, found);
  return found;
}
