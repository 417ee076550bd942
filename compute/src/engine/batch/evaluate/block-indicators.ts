import { isFilterSortName } from '@quantloom/domain/strategy/indicator';
import { DEPENDS_ON_LEVEL } from '../../reference/own-series.ts';
import { type Column, emptyColumn } from '../../series/column.ts';
import type { BlockPlan, IndicatorPlan } from '../compile/plan.ts';
import type { Areas } from '../memory/areas.ts';
import { atOne } from '../memory/data.ts';
import type { MemoryColumn } from '../memory/market-columns.ts';
import { NodeCache } from '../memory/node-cache.ts';
import type { Portfolio } from '../memory/portfolio.ts';
import { nameOf, type Spans } from '../memory/spans.ts';

/** Indicators of tickers and ratios, and of the series of blocks that are ranked or weighted by them. */
export class Indicators {
  private readonly areas: Areas;
  private readonly spans: Spans;
  private readonly portfolioOf: (block: BlockPlan, digits: Int32Array) => Portfolio;
  private readonly series: NodeCache<{ column: Column }>[] = [];
  private readonly indicators = new Map<IndicatorPlan, NodeCache<{ column: MemoryColumn }>>();

  constructor(areas: Areas, spans: Spans, portfolioOf: (block: BlockPlan, digits: Int32Array) => Portfolio) {
    this.areas = areas;
    this.spans = spans;
    this.portfolioOf = portfolioOf;
  }

  /** An indicator of a ticker, a ratio or a block's own series; good until many others were asked for. */
  of(plan: IndicatorPlan, digits: Int32Array): MemoryColumn {
    const params = plan.params.map((place) => place.number(digits));
    const { fn, series, second, isAtOne } = plan;
    if (series.kind === 'series') {
      const settings = { second: second === null ? null : nameOf(second, digits), isAtOne };
      return this.areas.data.indicator(nameOf(series, digits), fn, params, settings);
    }
    let cache = this.indicators.get(plan);
    if (cache === undefined) {
      cache = new NodeCache(plan.key, this.areas.data.padded * 8, this.areas.cacheBytes);
      this.indicators.set(plan, cache);
    }
    const index = plan.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.column;
    const old = cache.reusable(index);
    if (old !== undefined) this.areas.workspace.freeColumn(old.column.at);
    if (!isFilterSortName(fn)) throw new Error(`A block has no ${fn} of its own series`);
    const values = this.ownSeries(series, digits);
    const column = this.areas.data.indicatorOf(DEPENDS_ON_LEVEL.has(fn) ? atOne(values) : values, fn, params);
    cache.set(index, { column });
    return column;
  }

  /** A block's own series: its value run alone without costs, from the first day it can run. */
  private ownSeries(block: BlockPlan, digits: Int32Array): Column {
    let cache = this.series[block.number];
    if (cache === undefined) {
      cache = new NodeCache(block.key, this.areas.data.padded * 8, this.areas.cacheBytes);
      this.series[block.number] = cache;
    }
    const index = block.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.column;
    const column = this.computeSeries(block, digits);
    cache.set(index, { column });
    return column;
  }

  private computeSeries(block: BlockPlan, digits: Int32Array): Column {
    const length = this.areas.data.calendar.length;
    const { first, last } = this.spans.of(block, digits);
    if (first > last) return emptyColumn(length);
    const values = new Float64Array(length).fill(Number.NaN);
    const only = this.onlyHolding(block, digits);
    if (only !== undefined) {
      const source =
        only.kind === 'asset'
          ? this.areas.data.decisionPricesOf(only.ticker.text(digits))
          : this.ownSeries(only, digits);
      values.set(source.values.subarray(first, last + 1), first);
      return { first, last, values };
    }
    const portfolio = this.portfolioOf(block, digits);
    const count = this.areas.writeSlots(portfolio, this.areas.scratch.slots);
    const { table } = this.areas;
    const gross =
      table.width === 1 ? this.areas.workspace.kernels.gross8 : this.areas.workspace.kernels.gross16;
    gross(this.areas.scratch.slots, count, table.at, table.stride, first + 1, last + 1, this.areas.scratch.a);
    const returns = this.areas.workspace.f64;
    const at = this.areas.scratch.a / 8;
    let value = 1;
    values[first] = value;
    for (let t = first + 1; t <= last; t++) {
      value *= 1 + (returns[at + t] as number);
      values[t] = value;
    }
    return { first, last, values };
  }

  /** The child that a block holds whole on every day, if its structure says so. */
  private onlyHolding(block: BlockPlan, digits: Int32Array): BlockPlan | undefined {
    if (block.kind === 'cash' || block.kind === 'asset' || block.kind === 'if') return undefined;
    const [only] = block.children;
    if (block.children.length !== 1 || only === undefined) return undefined;
    if (block.kind === 'filter' && block.weighting?.kind === 'by-rank') return undefined;
    if (block.kind !== 'mix' || block.weights === null) return only;
    const weight = block.weights[0];
    return weight !== undefined && weight.num.number(digits) === weight.den.number(digits) ? only : undefined;
  }

  dispose(): void {
    for (const cache of this.indicators.values()) {
      for (const { column } of cache.values()) this.areas.workspace.freeColumn(column.at);
    }
    this.indicators.clear();
  }
}
