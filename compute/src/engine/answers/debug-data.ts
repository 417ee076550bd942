import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { calculatedDates, reportedIndicators } from '../figures/run-facts.ts';
import type { Block } from '../model/blocks.ts';
import { assetTickersIn, tickersIn } from '../model/blocks.ts';
import { dateOf, timestampOf } from '../model/days.ts';
import { isSeries } from '../reference/requirements.ts';
import type { PartialRun, Run } from '../reference/run.ts';
import type { Column } from '../series/column.ts';

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
/** Index, date and timestamp of a row. */
const CELLS_OF_DATE = 3;
/** Cells that a recorded error keeps, some 500 kB: an event store takes no events without end. The newest days stay. */
const MAX_CELLS_OF_FAILURE = 15_000;

/** The debug data of a finished run. */
export function debugDataOf(run: Run): DebugData {
  return tablesOf(run, Number.POSITIVE_INFINITY);
}

type Named = readonly [string, (index: number) => number];

function tablesOf(run: PartialRun & Pick<Run, 'block' | 'market'>, maxCells: number): DebugData {
  const { market, block, requirements, days, weights, value } = run;
  const from = days?.from ?? 0;
  const to = days?.to ?? market.calendar.length - 1;
  const at = ([key, column]: readonly [string, Column]): Named => [
    key,
    (index) => column.values[index] as number,
  ];
  const prices = Array.from(tickersIn(block), (ticker) => at([ticker, market.series(ticker)]));
  const indicators = Array.from(reportedIndicators(block, market), at);
  const portfolio: Named[] = [];
  if (value) portfolio.push(['value', (index) => value[index - from] as number]);
  if (weights)
    for (const ticker of assetTickersIn(block))
      portfolio.push([ticker, (index) => (weights.get(ticker)?.[index - from] ?? 0) * 100]);

  const tables = [prices, indicators, portfolio];
  const cellsOfDay = tables.reduce((sum, columns) => sum + columns.length + CELLS_OF_DATE, 0);
  const earliest = to - Math.floor(maxCells / cellsOfDay) + 1;
  const rows = (start: number, columns: readonly Named[]) => {
    if (columns.length === 0) return [];
    const first = Math.max(start, earliest, 0);
    return Array.from({ length: to - first + 1 }, (_, i) => rowOf(market.calendar, first + i, columns));
  };
  const count = ({ first, last }: { first: number; last: number }) => Math.max(last - first + 1, 0);
  const named = [...(requirements?.values() ?? [])];
  return {
    calculated_dates: requirements && days ? { ...calculatedDates({ market, requirements, days }) } : {},
    bar_counts: Object.fromEntries(named.filter(isSeries).map((item) => [item.key, count(item)])),
    indicator_bar_counts: Object.fromEntries(
      named.filter(({ kind }) => kind === 'indicator').map((item) => [item.key, count(item)]),
    ),
    parse_results: block,
    ohlc_cache: rows(from - LEAD_ROWS, prices),
    indicator_cache: rows(from - LEAD_ROWS, indicators),
    precalc_cache: rows(from, portfolio),
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
 * What can be told of a run that a defect of the engine ended. The members are those of a finished run, empty
 * where the run did not get so far; the tables hold the newest days only.
 */
export function debugDataOfFailure(
  algorithm: unknown,
  prices: ReadonlyMap<string, PriceSeries>,
  { block, market, ...reached }: PartialRun = {},
): Readonly<Record<string, unknown>> {
  const bars = Object.fromEntries(Array.from(prices, ([ticker, { days }]) => [ticker, days.length]));
  const unread = {
    calculated_dates: {},
    bar_counts: bars,
    indicator_bar_counts: {},
    parse_results: algorithm,
    ohlc_cache: [],
    indicator_cache: [],
    precalc_cache: [],
  };
  if (!block || !market) return unread;
  try {
    const known = tablesOf({ ...reached, block, market }, MAX_CELLS_OF_FAILURE);
    return { ...known, ...(reached.requirements === undefined && { bar_counts: bars }) };
  } catch (error) {
    // The tables need what has just failed; the defect itself is what must be reported.
    return { ...unread, tables_failed: error instanceof Error ? error.message : String(error) };
  }
}
