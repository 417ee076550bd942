import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { IndicatorPrices } from '@quantloom/domain/strategy/run-settings';
import type { FilterSortName } from '@quantloom/domain/strategy/tree';
import { LRUCache } from 'lru-cache';
import type { Block, EmptyBlock } from '../model/blocks.ts';
import type { Calendar } from '../model/calendar.ts';
import type { FunctionCall, Indicator } from '../model/indicator-calls.ts';
import { decisionName } from '../model/other-closes.ts';
import { alignPrices, type Column, emptyColumn, ratioOf, returnsOf } from './column.ts';
import { pairIndicator, seriesIndicator } from './further-indicators.ts';

/** Columns a market keeps, in bytes, before the least recently used ones go. */
export const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;

export interface MarketOptions {
  /** Bound of the columns it keeps. */
  readonly cacheBytes?: number | undefined;
  /** Which closes decisions read; default those that returns are earned on. */
  readonly indicatorPrices?: IndicatorPrices;
}

/** What decides an indicator's values. */
export type IndicatorOf = Pick<Indicator, 'series' | 'second' | 'fn' | 'params'>;

/** A block that has a series of its own. */
export type FilledBlock = Exclude<Block, EmptyBlock>;

/** A function of a block's own series. */
export type BlockCall = Pick<FunctionCall<FilterSortName>, 'fn' | 'params'>;

/**
 * Prices on one calendar, with their returns, ratios and indicators, each computed once and kept as long as
 * memory allows. Free of a backtest's dates, so that all combinations of a batch share it. What blocks come
 * to on it is added by `BlockMarket`.
 */
export abstract class Market {
  readonly calendar: Calendar;
  private readonly prices: ReadonlyMap<string, PriceSeries>;
  private readonly columns: LRUCache<string, Column>;
  /** Which closes decisions read. */
  private readonly indicatorPrices: IndicatorPrices;

  constructor(
    calendar: Calendar,
    prices: ReadonlyMap<string, PriceSeries>,
    { cacheBytes = DEFAULT_CACHE_BYTES, indicatorPrices = 'adjusted' }: MarketOptions = {},
  ) {
    this.calendar = calendar;
    this.prices = prices;
    this.indicatorPrices = indicatorPrices;
    this.columns = new LRUCache({
      maxSize: Math.max(cacheBytes, 1),
      sizeCalculation: (column) => column.values.byteLength + 256,
    });
  }

  /** The prices of a ticker or a ratio `A/B`; a ticker without data has no value at all. */
  series(name: string): Column {
    return this.cached(`p ${name}`, () => {
      const slash = name.indexOf('/');
      if (slash >= 0) return ratioOf(this.series(name.slice(0, slash)), this.series(name.slice(slash + 1)));
      const prices = this.prices.get(name);
      return prices === undefined ? emptyColumn(this.calendar.length) : alignPrices(this.calendar, prices);
    });
  }

  /** Daily returns of a ticker or a ratio: what holding it earned. */
  returns(series: string): Column {
    return this.cached(`r ${series}`, () => returnsOf(this.series(series)));
  }

  /**
   * What decisions read of a ticker or ratio: its series, or the closes of another basis where the run asks
   * for those (section 21).
   */
  decisionSeries(name: string): Column {
    const { indicatorPrices } = this;
    if (indicatorPrices === 'adjusted') return this.series(name);
    return this.cached(`d ${name}`, () => {
      const sides = name.split('/');
      const [a, b] = sides.map((side) => this.series(decisionName(side, indicatorPrices)));
      return a !== undefined && b !== undefined ? ratioOf(a, b) : (a ?? emptyColumn(this.calendar.length));
    });
  }

  private decisionReturns(name: string): Column {
    if (this.indicatorPrices === 'adjusted') return this.returns(name);
    return this.cached(`dr ${name}`, () => returnsOf(this.decisionSeries(name)));
  }

  /** An indicator of a ticker or ratio, or of two of them. */
  indicator({ series, second, fn, params }: IndicatorOf): Column {
    if (fn === 'current-price') return this.decisionSeries(series);
    if (fn === 'correlation' || fn === 'beta') {
      if (second === null) throw new Error(`${fn} of ${series} has nothing to compare with`);
      const key = `i ${fn} ${params.join(' ')} ${series}~${second}`;
      return this.cached(key, () =>
        pairIndicator(this.decisionSeries(series), this.decisionSeries(second), fn, params[0] as number),
      );
    }
    return this.cached(`i ${fn} ${params.join(' ')} ${series}`, () =>
      seriesIndicator(this.decisionSeries(series), fn, params, () => this.decisionReturns(series)),
    );
  }

  /** An indicator of a block's own series. */
  abstract blockIndicator(block: FilledBlock, call: BlockCall): Column;

  /** Any other column that depends on this market alone, under a key of the caller's. */
  cached(key: string, compute: () => Column): Column {
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    const column = compute();
    this.columns.set(key, column);
    return column;
  }
}
