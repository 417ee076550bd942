import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { barsOf } from '@quantloom/domain/strategy/indicator';
import type { IndicatorPrices } from '@quantloom/domain/strategy/run-settings';
import type { FilterSortName, IndicatorName, PairIndicatorName } from '@quantloom/domain/strategy/tree';
import type { Calendar } from '../../model/calendar.ts';
import { decisionName } from '../../model/other-closes.ts';
import { alignPrices, type Column, ratioOf } from '../../series/column.ts';
import { pairIndicator, seriesIndicator } from '../../series/further-indicators.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { MarketColumns, MemoryColumn, Series } from './market-columns.ts';

/** The prices of one batch on its calendar. */
export class CalendarData {
  readonly calendar: Calendar;
  readonly padded: number;
  readonly market: MarketColumns;
  private readonly prices: ReadonlyMap<string, PriceSeries>;
  private readonly series = new Map<string, Series>();
  private readonly indicatorPrices: IndicatorPrices;

  constructor(
    market: MarketColumns,
    prices: ReadonlyMap<string, PriceSeries>,
    indicatorPrices: IndicatorPrices,
  ) {
    this.indicatorPrices = indicatorPrices;
    this.market = market;
    this.calendar = market.calendar;
    this.padded = market.padded;
    this.prices = prices;
  }

  /** Prices of a ticker or of a ratio `A/B`; NaN where there is none. */
  pricesOf(name: string): Series {
    const known = this.series.get(name);
    if (known !== undefined) return known;
    const series = this.findSeries(name);
    this.series.set(name, series);
    return series;
  }

  /** What decisions read of a ticker or ratio. */
  decisionPricesOf(name: string): Series {
    return this.pricesOf(this.decisionNameOf(name));
  }

  private decisionNameOf(name: string): string {
    if (this.indicatorPrices === 'adjusted') return name;
    return name
      .split('/')
      .map((side) => decisionName(side, this.indicatorPrices))
      .join('/');
  }

  /** As `daysOf`, of what decisions read. */
  decisionDaysOf(name: string): { readonly first: number; readonly last: number } {
    return this.daysOf(this.decisionNameOf(name));
  }

  /** First and last day of a ticker or ratio; `first > last`: it has none. The ratio's prices are not made for it. */
  daysOf(name: string): { readonly first: number; readonly last: number } {
    const slash = name.indexOf('/');
    if (slash < 0) return this.pricesOf(name);
    const [a, b] = [this.pricesOf(name.slice(0, slash)), this.pricesOf(name.slice(slash + 1))];
    const [first, last] = [Math.max(a.first, b.first), Math.min(a.last, b.last)];
    return first > last ? { first: this.calendar.length, last: -1 } : { first, last };
  }

  private findSeries(name: string): Series {
    const slash = name.indexOf('/');
    if (slash >= 0) {
      const [a, b] = [this.pricesOf(name.slice(0, slash)), this.pricesOf(name.slice(slash + 1))];
      return this.market.seriesOf(`${a.number}/${b.number}`, () => ratioOf(a, b));
    }
    const prices = this.prices.get(name);
    if (prices === undefined) throw new Error(`No prices of ${name}`);
    return this.market.seriesOf(fingerprintOf(prices), () => alignPrices(this.calendar, prices));
  }

  /**
   * An indicator of a ticker or ratio, of two of them, or of prices that begin at 1; good until many others
   * were asked for.
   */
  indicator(
    name: string,
    fn: IndicatorName,
    params: readonly number[],
    { second, isAtOne }: { readonly second: string | null; readonly isAtOne: boolean },
  ): MemoryColumn {
    const series = this.decisionPricesOf(name);
    const other = second === null ? null : this.decisionPricesOf(second);
    const key = `${fn}|${params.join()}|${series.number}|${other?.number ?? ''}${isAtOne ? '|1' : ''}`;
    const { indicators } = this.market;
    const known = indicators.get(key);
    if (known !== undefined) return known;
    const of = isAtOne ? atOne(series) : series;
    const column =
      fn === 'correlation' || fn === 'beta'
        ? this.place((newValues) => pairOf(of, other, fn, params, newValues))
        : this.indicatorOf(of, fn, params);
    indicators.set(key, column);
    return column;
  }

  /** An indicator of any series on the calendar, in a column of the workspace. The caller frees it. */
  indicatorOf(series: Column, fn: FilterSortName, params: readonly number[]): MemoryColumn {
    const returns = () => this.market.returnsOf(series);
    return this.place((newValues) => seriesIndicator(series, fn, params, returns, newValues));
  }

  /** A column of the workspace, computed in its place where `compute` asks for that. The caller frees it. */
  private place(compute: (newValues: () => Float64Array) => Column): MemoryColumn {
    const { at, values: inPlace } = this.market.allocateColumn();
    const { first, last, values } = compute(() => inPlace.fill(Number.NaN));
    if (values !== inPlace) inPlace.set(values);
    return { id: this.market.nextId, at, first, last };
  }
}

/** A series with the value 1 on its first day. */
export function atOne(column: Column): Column {
  const base = column.values[column.first];
  if (base === undefined || base === 1) return column;
  return { ...column, values: column.values.map((value) => value / base) };
}

function pairOf(
  series: Column,
  second: Column | null,
  fn: PairIndicatorName,
  params: readonly number[],
  newValues: () => Float64Array,
): Column {
  if (second === null) throw new Error(`${fn} has nothing to compare with`);
  return pairIndicator(series, second, fn, params[0] ?? 1, newValues);
}

/** Days on which an indicator of a series is defined; `first` is the calendar's length where it never is. */
export function spanOfIndicator(
  first: number,
  last: number,
  fn: IndicatorName,
  params: readonly number[],
  length: number,
): { first: number; last: number } {
  const start = first + barsOf(fn, params) - 1;
  return start > last ? { first: length, last: -1 } : { first: start, last };
}
