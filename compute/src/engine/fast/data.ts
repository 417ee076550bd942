import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { barsNeeded } from '@quantloom/domain/strategy/indicator';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import type { Calendar } from '../calendar.ts';
import { alignPrices, type Column, ratioOf } from '../column.ts';
import { indicatorColumn } from '../indicators.ts';
import type { Workspace } from './workspace.ts';

/** A column in the workspace's memory and the days on which it is defined; `first > last`: never. */
export interface MemoryColumn {
  readonly id: number;
  readonly at: number;
  readonly first: number;
  readonly last: number;
}

interface Series extends Column {
  readonly number: number;
}

/** Longest column distance in bytes that still avoids cache lines fighting over the same sets. */
const CACHE_PERIOD = 4096;

/** Days rounded up to what kernels may touch. */
export function paddedDays(days: number): number {
  const padded = ((days + 15) & ~15) + 16;
  return (padded * 8) % CACHE_PERIOD < 512 ? padded + 64 : padded;
}

/**
 * Prices on one calendar and the indicators of tickers and ratios, in a workspace's memory. Indicators are kept until `bytes` are
 * in use, then the least recently used go; the last `KEEP` asked for are always there.
 */
export class CalendarData {
  readonly calendar: Calendar;
  readonly padded: number;
  private readonly workspace: Workspace;
  private readonly prices: ReadonlyMap<string, PriceSeries>;
  private readonly series = new Map<string, Series>();
  private readonly columns = new Map<string, MemoryColumn>();
  private readonly bytes: number;
  private nextId = 0;

  constructor(
    workspace: Workspace,
    calendar: Calendar,
    prices: ReadonlyMap<string, PriceSeries>,
    bytes: number,
  ) {
    this.workspace = workspace;
    this.calendar = calendar;
    this.prices = prices;
    this.padded = paddedDays(calendar.length);
    this.bytes = bytes;
  }

  /** Prices of a ticker or of a ratio `A/B`; NaN where there is none. */
  pricesOf(name: string): Series {
    const known = this.series.get(name);
    if (known !== undefined) return known;
    const slash = name.indexOf('/');
    const column =
      slash >= 0
        ? ratioOf(this.pricesOf(name.slice(0, slash)), this.pricesOf(name.slice(slash + 1)))
        : this.align(name);
    const series = { ...column, number: this.series.size };
    this.series.set(name, series);
    return series;
  }

  private align(name: string): Column {
    const prices = this.prices.get(name);
    if (prices === undefined) throw new Error(`No prices of ${name}`);
    return alignPrices(this.calendar, prices);
  }

  /** Days on which an indicator is defined, without computing it. */
  indicatorSpan(name: string, fn: IndicatorName, window: number): { first: number; last: number } {
    const { first, last } = this.pricesOf(name);
    return spanOfIndicator(first, last, fn, window, this.calendar.length);
  }

  indicator(name: string, fn: IndicatorName, window: number): MemoryColumn {
    const key = `${fn}|${window}|${name}`;
    const known = this.columns.get(key);
    if (known !== undefined) {
      this.columns.delete(key);
      this.columns.set(key, known);
      return known;
    }
    const column = this.store(indicatorColumn(this.pricesOf(name), fn, window));
    this.columns.set(key, column);
    this.evict();
    return column;
  }

  /** Copies a column into the workspace. The caller frees it. */
  store({ first, last, values }: Column): MemoryColumn {
    const at = this.workspace.allocateColumn(this.padded * 8);
    this.workspace.f64.set(values, at / 8);
    return { id: this.nextId++, at, first, last };
  }

  private evict(): void {
    const most = Math.max(KEEP, Math.floor(this.bytes / (this.padded * 8)));
    for (const [key, column] of this.columns) {
      if (this.columns.size <= most) return;
      this.columns.delete(key);
      this.workspace.freeColumn(column.at);
    }
  }

  dispose(): void {
    for (const { at } of this.columns.values()) this.workspace.freeColumn(at);
    this.columns.clear();
    this.series.clear();
  }
}

/** Indicators that are in use at the same time must fit: the children of the largest block. */
const KEEP = 512;

/** Days on which an indicator of a series is defined; `first` is the calendar's length where it never is. */
export function spanOfIndicator(
  first: number,
  last: number,
  fn: IndicatorName,
  window: number,
  length: number,
): { first: number; last: number } {
  const start = first + barsNeeded(fn, window) - 1;
  return start > last ? { first: length, last: -1 } : { first: start, last };
}
