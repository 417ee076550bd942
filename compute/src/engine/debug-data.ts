import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Run } from './backtest.ts';
import type { Block } from './blocks.ts';
import { assetTickersIn, tickersIn } from './blocks.ts';
import type { Column } from './column.ts';
import { dateOf, timestampOf } from './days.ts';
import { calculatedDates, reportedIndicators } from './report.ts';

/** A row of a debug table: place in the calendar, date, epoch seconds, and one member per column. */
export type DebugRow = Readonly<Record<string, number | string | null>>;

/** What a backtest error record keeps besides the error itself (`platform.md`, "Backtest error record"). */
export interface DebugData {
  readonly calculated_dates: Readonly<Record<string, unknown>>;
  /** Bars of each ticker or ratio on the calendar. */
  readonly bar_counts: Readonly<Record<string, number>>;
  readonly indicator_bar_counts: Readonly<Record<string, number>>;
  /** The tree as the engine reads it. */
  readonly parse_results: Block;
  readonly ohlc_cache: readonly DebugRow[];
  readonly indicator_cache: readonly DebugRow[];
  /** Portfolio value and target weights in percent. */
  readonly precalc_cache: readonly DebugRow[];
}

/** Rows of prices and indicators before the first simulated day that help to check a first value. */
const LEAD_ROWS = 10;

/** The debug data of a finished run. */
export function debugDataOf(run: Run): DebugData {
  const { market, days, block, requirements, weights, value } = run;
  const tickers = [...tickersIn(block)];
  const indicators = [...reportedIndicators(block, market)];
  const count = ({ first, last }: { first: number; last: number }) => Math.max(last - first + 1, 0);
  const named = [...requirements.values()];
  const from = Math.max(days.from - LEAD_ROWS, 0);
  const rows = (start: number, columns: readonly (readonly [string, (index: number) => number])[]) =>
    Array.from({ length: days.to - start + 1 }, (_, i) => rowOf(market.calendar, start + i, columns));
  const at = ([key, column]: readonly [string, Column]) =>
    [key, (index: number) => column.values[index] as number] as const;
  return {
    calculated_dates: { ...calculatedDates(run) },
    bar_counts: Object.fromEntries(
      named.filter(({ kind }) => kind !== 'indicator').map((item) => [item.key, count(item)]),
    ),
    indicator_bar_counts: Object.fromEntries(
      named.filter(({ kind }) => kind === 'indicator').map((item) => [item.key, count(item)]),
    ),
    parse_results: block,
    ohlc_cache: rows(
      from,
      tickers.map((ticker) => at([ticker, market.series(ticker)])),
    ),
    indicator_cache: rows(from, indicators.map(at)),
    precalc_cache: rows(days.from, [
      ['value', (index) => value[index - days.from] as number],
      ...Array.from(
        assetTickersIn(block),
        (ticker) =>
          [ticker, (index: number) => (weights.get(ticker)?.[index - days.from] ?? 0) * 100] as const,
      ),
    ]),
  };
}

function rowOf(
  calendar: Int32Array,
  index: number,
  columns: readonly (readonly [string, (index: number) => number])[],
): DebugRow {
  const day = calendar[index] as number;
  const cells = columns.map(([key, value]) => {
    const number = value(index);
    return [key, Number.isNaN(number) ? null : number] as const;
  });
  return { index, date: dateOf(day), timestamp: timestampOf(day), ...Object.fromEntries(cells) };
}

/**
 * What can be told of a run that a defect of the engine ended: the bars it had and the tree as it came. The members are those of a
 * finished run, empty where the run did not get so far.
 */
export function debugDataOfFailure(
  algorithm: unknown,
  prices: ReadonlyMap<string, PriceSeries>,
): Readonly<Record<string, unknown>> {
  return {
    calculated_dates: {},
    bar_counts: Object.fromEntries(Array.from(prices, ([ticker, { days }]) => [ticker, days.length])),
    indicator_bar_counts: {},
    parse_results: algorithm,
    ohlc_cache: [],
    indicator_cache: [],
    precalc_cache: [],
  };
}
