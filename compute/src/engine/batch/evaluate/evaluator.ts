import type { BlockPlan, FilterPlan, IfPlan, IndicatorPlan, InversePlan, MixPlan } from '../compile/plan.ts';
import { type AreaParts, Areas, type Entry } from '../memory/areas.ts';
import type { MemoryColumn } from '../memory/market-columns.ts';
import { NodeCache } from '../memory/node-cache.ts';
import { Portfolio } from '../memory/portfolio.ts';
import type { Spans } from '../memory/spans.ts';
import { Indicators } from './block-indicators.ts';
import { canonicalOrder } from './canonical-order.ts';
import { Conditions } from './conditions.ts';
import { FilterWeights } from './filter-weights.ts';
import { Filters } from './filters.ts';
import { InverseColumns } from './inverse-columns.ts';

/**
 * Evaluates blocks for one binding after the other. Every block's result is kept under the index of just the
 * variables it depends on, so that combinations share what they have in common. A portfolio is good until the
 * same block is evaluated again.
 */
export class Evaluator {
  /** Inverse deviations of the children of inverse volatility. */
  readonly inverseColumns: InverseColumns;
  private readonly isSymmetric: boolean;
  private readonly areas: Areas;
  private readonly indicators: Indicators;
  private readonly filters: Filters;
  private readonly conditions: Conditions;
  private readonly filterWeights: FilterWeights;
  private readonly masks: NodeCache<number>[] = [];
  private readonly mixes: { portfolio: Portfolio; columns: Int32Array }[] = [];

  /** @param parts `isSymmetric`: bindings may name the same children in another order */
  constructor(parts: AreaParts & { readonly spans: Spans; readonly isSymmetric: boolean }) {
    this.isSymmetric = parts.isSymmetric;
    this.areas = new Areas(parts);
    this.indicators = new Indicators(this.areas, parts.spans, (block, digits) =>
      this.portfolio(block, digits),
    );
    this.filters = new Filters(this.areas, this.indicators);
    this.filterWeights = new FilterWeights(this.areas);
    this.conditions = new Conditions(this.areas, this.indicators);
    const { workspace, data, mostChildren, cacheBytes } = parts;
    this.inverseColumns = new InverseColumns(workspace, data.padded, mostChildren + 1, cacheBytes);
  }

  /** What a block holds under a binding without faults. */
  portfolio(block: BlockPlan, digits: Int32Array): Portfolio {
    switch (block.kind) {
      case 'cash':
        return this.areas.holding(0);
      case 'asset':
        return this.areas.holding(this.areas.table.codeOf(block.ticker.text(digits)));
      case 'mix':
        return this.mix(block, digits);
      case 'inverse':
        return this.inverse(block, digits);
      case 'if':
        return this.branches(block, digits);
      case 'filter':
        return this.filter(block, digits);
    }
  }

  /** A portfolio that is one ticker (or cash) throughout. */
  holding(code: number): Portfolio {
    return this.areas.holding(code);
  }

  /** An indicator of a ticker, a ratio or a block's own series; good until many others were asked for. */
  indicator(plan: IndicatorPlan, digits: Int32Array): MemoryColumn {
    return this.indicators.of(plan, digits);
  }

  /** Writes a portfolio for the kernels of several holdings; returns the number of slots. */
  writeSlots(portfolio: Portfolio, at: number): number {
    return this.areas.writeSlots(portfolio, at);
  }

  /** Address of the byte mask of an if: 255 where its conditions hold. */
  mask(block: IfPlan, digits: Int32Array): number {
    let cache = this.masks[block.number];
    if (cache === undefined) {
      cache = new NodeCache(block.conditionKey, this.areas.data.padded, this.areas.cacheBytes);
      this.masks[block.number] = cache;
    }
    const index = block.conditionKey.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known;
    const out = cache.reusable(index) ?? this.areas.column(this.areas.data.padded);
    this.conditions.join(block.conditions, block.needsAll, digits, out);
    cache.set(index, out);
    return out;
  }

  private mix(block: MixPlan, digits: Int32Array): Portfolio {
    const shares = block.children.map((_, i) => {
      const weight = block.weights?.[i];
      return weight === undefined
        ? 1 / block.children.length
        : weight.num.number(digits) / weight.den.number(digits);
    });
    const order = this.order(block, shares, digits);
    const children = order.map((i) => this.portfolio(block.children[i] as BlockPlan, digits));
    return this.mixed(
      block,
      children,
      order.map((i) => shares[i] as number),
    );
  }

  /** The places of a block's children in the order in which they are added up. */
  private order(
    { children }: MixPlan | InversePlan,
    shares: readonly number[],
    digits: Int32Array,
  ): number[] {
    if (!this.isSymmetric) return children.map((_, i) => i);
    return canonicalOrder(children, shares, digits, (ticker) => this.areas.table.codeOf(ticker));
  }

  /** Joins portfolios under fixed shares. */
  private mixed(block: BlockPlan, children: readonly Portfolio[], shares: readonly number[]): Portfolio {
    let state = this.mixes[block.number];
    if (state === undefined) {
      state = { portfolio: new Portfolio(block.slots), columns: new Int32Array(block.slots) };
      this.mixes[block.number] = state;
    }
    const { portfolio, columns } = state;
    const { from, days } = this.areas.window;
    let slot = 0;
    children.forEach((child, i) => {
      const factor = shares[i] as number;
      for (let s = 0; s < child.count; s++) {
        let shareColumn = child.shareColumns[s] as number;
        if (shareColumn !== 0 && factor !== 1) {
          if (columns[slot] === 0) columns[slot] = this.areas.column(this.areas.data.padded * 8);
          this.areas.workspace.kernels.multiplyBy(
            shareColumn,
            factor,
            columns[slot] as number,
            from,
            from + days,
          );
          shareColumn = columns[slot] as number;
        }
        const share = (child.shares[s] as number) * factor;
        portfolio.set(slot++, child.codes[s] as number, child.constants[s] as number, share, shareColumn);
      }
    });
    portfolio.count = slot;
    return portfolio;
  }

  private inverse(block: InversePlan, digits: Int32Array): Portfolio {
    const [only] = block.children;
    if (block.children.length === 1 && only !== undefined) return this.portfolio(only, digits);
    const cache = this.areas.cacheOf(block);
    const index = block.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = this.areas.entry(cache, index, block.slots);
    const { kernels, i32 } = this.areas.workspace;
    const { list } = this.areas.scratch;
    const count = block.children.length;
    const order = this.order(block, [], digits);
    const portfolios = order.map((i) => this.portfolio(block.children[i] as BlockPlan, digits));
    const deviations = order.map((i) => this.indicators.of(block.deviations[i] as IndicatorPlan, digits));
    const { from, to } = this.definedDays(deviations);
    let slot = 0;
    for (let c = 0; c < count; c++) {
      i32[list / 4 + c] = this.inverseColumns.of(deviations[c] as MemoryColumn).u;
      i32[list / 4 + count + c] = this.areas.ownShare(entry, slot);
      slot += (portfolios[c] as Portfolio).count;
    }
    kernels.inverseShares(list, list + count * 4, count, from, to);
    slot = 0;
    for (const child of portfolios) {
      const whole = entry.shares[slot] as number;
      for (let s = child.count - 1; s >= 0; s--) {
        const column = this.areas.ownShare(entry, slot + s);
        const shareColumn = child.shareColumns[s] as number;
        const share = child.shares[s] as number;
        if (shareColumn !== 0) kernels.multiply(whole, shareColumn, column, from, to);
        else if (share !== 1 || s > 0) kernels.multiplyBy(whole, share, column, from, to);
        const constant = child.constants[s] as number;
        const codes =
          constant >= 0 ? (child.codes[s] as number) : this.areas.copyCodes(entry, slot + s, child, s);
        entry.portfolio.set(slot + s, codes, constant, 0, column);
      }
      slot += child.count;
    }
    entry.portfolio.count = slot;
    cache.set(index, entry);
    return entry.portfolio;
  }

  /**
   * Days of the window on which all columns are defined, from an even one on: nothing is ever asked of the
   * other days.
   */
  private definedDays(columns: readonly MemoryColumn[]): { from: number; to: number } {
    let { from } = this.areas.window;
    let to = from + this.areas.window.days;
    for (const { first, last } of columns) {
      if (first > from) from = first;
      if (last + 1 < to) to = last + 1;
    }
    return { from: from & ~1, to: Math.max(from, to) };
  }

  private branches(block: IfPlan, digits: Int32Array): Portfolio {
    const { areas } = this;
    const cache = areas.cacheOf(block);
    const index = block.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = areas.entry(cache, index, block.slots);
    const then = this.portfolio(block.then, digits);
    const otherwise = this.portfolio(block.otherwise, digits);
    const mask = this.mask(block, digits);
    if (then.isWhole && otherwise.isWhole) this.selectWhole(entry, mask, then, otherwise);
    else {
      const count = Math.max(then.count, otherwise.count);
      for (let s = 0; s < count; s++) this.selectSlot(entry, s, mask, then, otherwise);
      entry.portfolio.count = count;
    }
    cache.set(index, entry);
    return entry.portfolio;
  }

  /** The usual case: one ticker on either side. */
  private selectWhole(entry: Entry, mask: number, then: Portfolio, otherwise: Portfolio): void {
    const { areas } = this;
    const { kernels } = areas.workspace;
    const { from, days } = areas.window;
    const constant = then.constants[0] as number;
    entry.portfolio.count = 1;
    if (constant >= 0 && constant === otherwise.constants[0]) {
      entry.portfolio.set(0, then.codes[0] as number, constant, 1, 0);
      return;
    }
    const codes = areas.ownCodes(entry, 0);
    const { width } = areas.table;
    const at = from * width;
    const [a, b] = [(then.codes[0] as number) + at, (otherwise.codes[0] as number) + at];
    if (width === 1) kernels.select8(mask + from, a, b, codes + at, days);
    else kernels.select16(mask + from, a, b, codes + at, days);
    entry.portfolio.set(0, codes, -1, 1, 0);
  }

  private selectSlot(entry: Entry, s: number, mask: number, then: Portfolio, otherwise: Portfolio): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const { width } = this.areas.table;
    const cash = this.areas.holding(0);
    // A missing slot is cash with the other side's share, so that constant shares stay constant.
    const a = s < then.count ? then : cash;
    const b = s < otherwise.count ? otherwise : cash;
    const [ai, bi] = [a === then ? s : 0, b === otherwise ? s : 0];
    const constant = a.constants[ai] === b.constants[bi] ? (a.constants[ai] as number) : -1;
    let codes = a.codes[ai] as number;
    if (constant < 0) {
      codes = this.areas.ownCodes(entry, s);
      const select = width === 1 ? kernels.select8 : kernels.select16;
      const at = from * width;
      select(mask + from, (a.codes[ai] as number) + at, (b.codes[bi] as number) + at, codes + at, days);
    }
    const [as, bs] = [a === then ? a : otherwise, b === otherwise ? b : then];
    const aColumn = as.shareColumns[s] as number;
    const bColumn = bs.shareColumns[s] as number;
    const aShare = as.shares[s] as number;
    if (aColumn === 0 && bColumn === 0 && aShare === bs.shares[s]) {
      entry.portfolio.set(s, codes, constant, aShare, 0);
      return;
    }
    const column = this.areas.ownShare(entry, s);
    const at = from * 8;
    const aAt = this.areas.shareAddress(aColumn, aShare, this.areas.scratch.a) + at;
    const bAt = this.areas.shareAddress(bColumn, bs.shares[s] as number, this.areas.scratch.b) + at;
    kernels.select64(mask + from, aAt, bAt, column + at, days);
    entry.portfolio.set(s, codes, constant, 0, column);
  }

  private filter(block: FilterPlan, digits: Int32Array): Portfolio {
    const { areas } = this;
    const { children } = block;
    const take = Math.min(block.count.number(digits), children.length);
    const isEqual = block.weighting === null || (block.weighting.kind === 'inverse' && take === 1);
    if (take === children.length && isEqual) {
      const portfolios = children.map((child) => this.portfolio(child, digits));
      return this.mixed(block, portfolios, new Array<number>(take).fill(1 / take));
    }
    const cache = areas.cacheOf(block);
    const index = block.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = areas.entry(cache, index, block.slots);
    const portfolios = children.map((child) => this.portfolio(child, digits));
    const weights = isEqual ? null : this.weights(block, take, digits);
    this.filters.fill(entry, block, portfolios, take, weights, digits);
    cache.set(index, entry);
    return entry.portfolio;
  }

  /**
   * Per child the address of its share of a filter that does not share equally, as if it were chosen alone
   * with the other chosen ones.
   */
  private weights(block: FilterPlan, take: number, digits: Int32Array): readonly number[] {
    const ranks = this.filters.rank(block, take, digits);
    const { weighting } = block;
    if (weighting?.kind !== 'inverse') {
      const shares = (weighting?.weights ?? []).map(
        ({ num, den }) => num.number(digits) / den.number(digits),
      );
      return this.filterWeights.byRank(ranks, take, shares);
    }
    const columns = weighting.deviations.map((deviation) => this.indicators.of(deviation, digits).at);
    return this.filterWeights.inverse(ranks, take, columns);
  }

  /** Gives all memory back. */
  dispose(): void {
    this.indicators.dispose();
    this.filters.dispose();
    this.inverseColumns.dispose();
    this.areas.dispose();
  }
}
