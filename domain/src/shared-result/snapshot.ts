import { type Static, Type } from 'typebox';
import type { BacktestAnswer, BacktestHistory, Metrics } from '../contracts/backtest.ts';
import type { Frozen } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, NullableNumber, Text } from '../kernel/event-fields.ts';
import { formatTimestamp } from '../market-data/day.ts';
import { FiguresSchema, figuresOfMetrics, RunTermsSchema } from '../strategy-run/events.ts';

/**
 * What a page shows of a result, whole and small: it can be shown for ever, whatever becomes of prices,
 * engine and strategy.
 */

/** Points of the curve at most; the first and the last day are among them. */
const MOST_POINTS = 400;
const MOST_DRAWDOWNS = 5;
const MOST_YEARS = 100;

/** What happened on one part of the days. */
const PartSchema = exactly({
  firstDay: DayText,
  lastDay: DayText,
  /** Days with a close. */
  days: Count,
  cumulativeReturn: Type.Number(),
  maxDrawdown: Type.Number(),
  benchmarkReturn: NullableNumber,
});
export type PartOfResult = Frozen<Static<typeof PartSchema>>;

export const SnapshotSchema = exactly({
  terms: RunTermsSchema,
  dataVersion: Text,
  engineVersion: Text,
  isSimulated: Type.Boolean(),
  resultHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  firstDay: DayText,
  lastDay: DayText,
  firstDayDecidedBy: Type.Array(Text, { maxItems: 20 }),
  lastDayDecidedBy: Type.Array(Text, { maxItems: 20 }),
  figures: FiguresSchema,
  benchmarkFigures: Type.Union([FiguresSchema, Type.Null()]),
  /** Values in units of the first of each. */
  curve: exactly({
    days: Type.Array(DayText, { maxItems: MOST_POINTS }),
    value: Type.Array(Type.Number(), { maxItems: MOST_POINTS }),
    benchmark: Type.Union([Type.Array(Type.Number(), { maxItems: MOST_POINTS }), Type.Null()]),
  }),
  years: Type.Array(
    exactly({ year: Text, isPartial: Type.Boolean(), value: Type.Number(), benchmark: NullableNumber }),
    { maxItems: MOST_YEARS },
  ),
  drawdowns: Type.Array(
    exactly({
      peak: DayText,
      trough: DayText,
      recovery: Type.Union([DayText, Type.Null()]),
      depth: Type.Number(),
    }),
    { maxItems: MOST_DRAWDOWNS },
  ),
  further: exactly({
    sortino: NullableNumber,
    ulcerIndex: NullableNumber,
    turnoverPerYear: NullableNumber,
    exposure: NullableNumber,
    beta: NullableNumber,
    correlation: NullableNumber,
    trades: Count,
  }),
  /** From the day on which the strategy became public, or was last changed after it. */
  since: Type.Optional(PartSchema),
});
export type ResultSnapshot = Frozen<Static<typeof SnapshotSchema>>;

/** The answer of a run that was asked for its history and its report. */
type WholeAnswer = Pick<
  BacktestAnswer,
  'metrics' | 'benchmark_metrics' | 'calculated_dates' | 'history' | 'report' | 'provenance'
>;

const DAY_SECONDS = 86_400;
const short = (value: number) => Number(value.toPrecision(6));
const finite = (value: number | null | undefined) =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/**
 * @param since `YYYY-MM-DD`: what happened from this day on is told apart
 * @throws Error for an answer without history, report or hash, which is a defect of the caller
 */
export function snapshotOf(
  terms: ResultSnapshot['terms'],
  { metrics, benchmark_metrics, calculated_dates: dates, history, report, provenance }: WholeAnswer,
  since?: string,
): ResultSnapshot {
  if (!history || !report || !provenance?.result_hash)
    throw new Error('A result is kept with its history, its report and its hash');
  const part = since === undefined ? null : partFrom(history, since);
  const benchmarkYears = new Map(
    report.benchmark?.yearly_returns.map((one) => [one.period, one.return]) ?? [],
  );
  return {
    terms,
    dataVersion: provenance.data_version,
    engineVersion: provenance.engine_version,
    isSimulated: provenance.is_simulated,
    resultHash: provenance.result_hash,
    firstDay: dates.first_day,
    lastDay: dates.last_day,
    firstDayDecidedBy: dates.first_day_decided_by.slice(0, 20),
    lastDayDecidedBy: dates.last_day_decided_by.slice(0, 20),
    figures: figuresOfMetrics(metrics),
    benchmarkFigures: benchmark_metrics && figuresOfMetrics(benchmark_metrics as Metrics),
    curve: curveOf(history),
    years: report.yearly_returns.slice(-MOST_YEARS).map(({ period, is_partial, return: value }) => ({
      year: period,
      isPartial: is_partial,
      value: short(value),
      benchmark: finite(benchmarkYears.get(period)),
    })),
    drawdowns: report.drawdowns
      .slice(0, MOST_DRAWDOWNS)
      .map(({ peak, trough, recovery, depth }) => ({ peak, trough, recovery, depth: short(depth) })),
    further: {
      sortino: finite(report.sortino),
      ulcerIndex: finite(report.ulcer_index),
      turnoverPerYear: finite(report.turnover_per_year),
      exposure: finite(report.exposure),
      beta: finite(report.beta),
      correlation: finite(report.correlation),
      trades: report.trades,
    },
    ...(part && { since: part }),
  };
}

function curveOf({ timestamps, value, benchmark_value }: BacktestHistory): ResultSnapshot['curve'] {
  const length = Math.min(value.length, MOST_POINTS);
  const places = Array.from({ length }, (_, i) =>
    length === 1 ? 0 : Math.round((i * (value.length - 1)) / (length - 1)),
  );
  const relative = (series: readonly number[]) =>
    places.map((t) => short((series[t] ?? 0) / (series[0] ?? 1)));
  return {
    days: places.map((t) => formatTimestamp(timestamps[t] ?? 0)),
    value: relative(value),
    benchmark: benchmark_value && relative(benchmark_value),
  };
}

/** What came after the last close before a day; null where nothing did. */
function partFrom(
  { timestamps, value, benchmark_value }: BacktestHistory,
  since: string,
): PartOfResult | null {
  const from = Date.parse(since) / 1000;
  const first = timestamps.findIndex((timestamp) => timestamp >= from);
  const base = Math.max(0, first - 1);
  const last = value.length - 1;
  if (first < 0 || base >= last) return null;
  let [peak, maxDrawdown] = [value[base] ?? 0, 0];
  for (let t = base; t <= last; t++) {
    const now = value[t] ?? 0;
    peak = Math.max(peak, now);
    maxDrawdown = Math.max(maxDrawdown, 1 - now / peak);
  }
  const grown = (series: readonly number[]) => short((series[last] ?? 0) / (series[base] ?? 1) - 1);
  return {
    firstDay: formatTimestamp((timestamps[base] ?? 0) - ((timestamps[base] ?? 0) % DAY_SECONDS)),
    lastDay: formatTimestamp(timestamps[last] ?? 0),
    days: last - base,
    cumulativeReturn: grown(value),
    maxDrawdown: short(maxDrawdown),
    benchmarkReturn: benchmark_value && grown(benchmark_value),
  };
}
