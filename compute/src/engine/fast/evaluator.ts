import { type Column, emptyColumn } from '../column.ts';
import { indicatorColumn } from '../indicators.ts';
import type { CalendarData, MemoryColumn } from './data.ts';
import { InverseColumns } from './inverse-columns.ts';
import { NodeCache } from './node-cache.ts';
import type { BlockPlan, FilterPlan, IfPlan, IndicatorPlan, InversePlan, MixPlan } from './plan.ts';
import { Portfolio } from './portfolio.ts';
import { RankMasks } from './rank-masks.ts';
import { choose } from './ranking.ts';
import type { ReturnTable } from './return-table.ts';
import { nameOf, type Spans } from './spans.ts';
import { Place } from './variables.ts';
import type { Workspace } from './workspace.ts';

/** The days that columns are computed for, as multiples of 16. */
export interface DayWindow {
  readonly from: number;
  readonly days: number;
}

interface Entry {
  readonly portfolio: Portfolio;
  /** Columns this entry owns, per slot; 0 where none was needed yet. */
  readonly codes: Int32Array;
  readonly shares: Int32Array;
}

/**
 * Evaluates blocks for one binding after the other. Every block's result is kept under the index of just the variables it depends
 * on, so that combinations share what they have in common. A portfolio is good until the same block is evaluated again.
 */
export class Evaluator {
  private readonly workspace: Workspace;
  private readonly data: CalendarData;
  private readonly spans: Spans;
  private readonly table: ReturnTable;
  private readonly window: DayWindow;
  private readonly masks = new Map<BlockPlan, NodeCache<number>>();
  private readonly entries = new Map<BlockPlan, NodeCache<Entry>>();
  private readonly series = new Map<BlockPlan, NodeCache<{ column: Column }>>();
  private readonly indicators = new Map<IndicatorPlan, NodeCache<{ column: MemoryColumn }>>();
  private readonly mixes = new Map<BlockPlan, { portfolio: Portfolio; columns: Int32Array }>();
  private readonly rankMasks: RankMasks;
  /** Inverse deviations of the children of inverse volatility. */
  readonly inverseColumns: InverseColumns;
  private readonly whole = new Map<number, Portfolio>();
  private readonly owned: number[] = [];
  private readonly cacheBytes: number;
  private readonly scratch: {
    mask: number;
    chosen: number;
    a: number;
    b: number;
    slots: number;
    list: number;
  };
  private readonly counts: number[] = [];

  constructor(parts: {
    workspace: Workspace;
    data: CalendarData;
    spans: Spans;
    table: ReturnTable;
    window: DayWindow;
    /** Bytes that the cache of one block may take. */
    cacheBytes: number;
    mostSlots: number;
  }) {
    this.workspace = parts.workspace;
    this.data = parts.data;
    this.spans = parts.spans;
    this.table = parts.table;
    this.window = parts.window;
    this.cacheBytes = parts.cacheBytes;
    this.rankMasks = new RankMasks(this.workspace, this.data.padded, parts.window, parts.cacheBytes);
    this.inverseColumns = new InverseColumns(
      this.workspace,
      this.data.padded,
      parts.mostSlots + 1,
      parts.cacheBytes,
    );
    this.scratch = {
      mask: this.column(this.data.padded),
      chosen: this.column(this.data.padded),
      a: this.column(this.data.padded * 8),
      b: this.column(this.data.padded * 8),
      slots: this.column(parts.mostSlots * 16),
      list: this.column(512 * 8),
    };
  }

  /** What a block holds under a binding without faults. */
  portfolio(block: BlockPlan, digits: Int32Array): Portfolio {
    switch (block.kind) {
      case 'cash':
        return this.holding(0);
      case 'asset':
        return this.holding(this.table.codeOf(block.ticker.text(digits)));
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

  /** Address of the byte mask of an if: 255 where its conditions hold. */
  mask(block: IfPlan, digits: Int32Array): number {
    let cache = this.masks.get(block);
    if (cache === undefined) {
      cache = new NodeCache(block.conditionKey, this.data.padded, this.cacheBytes);
      this.masks.set(block, cache);
    }
    const index = block.conditionKey.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known;
    const out = cache.reusable(index) ?? this.column(this.data.padded);
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    block.conditions.forEach((condition, i) => {
      const target = i === 0 ? out : this.scratch.mask;
      this.compare(condition, digits, target);
      if (i === 0) return;
      if (block.needsAll) kernels.andInto(target + from, out + from, days);
      else kernels.orInto(target + from, out + from, days);
    });
    cache.set(index, out);
    return out;
  }

  private compare(condition: IfPlan['conditions'][0], digits: Int32Array, out: number): void {
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const left = this.indicator(condition.left, digits).at + from * 8;
    const target = out + from;
    if (condition.right instanceof Place) {
      const number = condition.right.number(digits);
      if (condition.comparator === 'eq') kernels.equalToNumber(left, number, target, days);
      else kernels.greaterThanNumber(left, number, condition.comparator === 'gt' ? 1 : -1, target, days);
      return;
    }
    const right = this.indicator(condition.right, digits).at + from * 8;
    if (condition.comparator === 'eq') kernels.equal(left, right, target, days);
    else if (condition.comparator === 'gt') kernels.greater(left, right, target, days);
    else kernels.greater(right, left, target, days);
  }

  /** A portfolio that is one ticker throughout. */
  holding(code: number): Portfolio {
    const known = this.whole.get(code);
    if (known !== undefined) return known;
    const portfolio = new Portfolio(1);
    portfolio.count = 1;
    portfolio.set(0, this.constantCodes(code), code, 1, 0);
    this.whole.set(code, portfolio);
    return portfolio;
  }

  private constantCodes(code: number): number {
    const at = this.column(this.data.padded * this.table.width);
    if (this.table.width === 1) this.workspace.kernels.fill8(at, code, this.data.padded);
    else this.workspace.kernels.fill16(at, code, this.data.padded);
    return at;
  }

  private mix(block: MixPlan, digits: Int32Array): Portfolio {
    const children = block.children.map((child) => this.portfolio(child, digits));
    const shares = children.map((_, i) => {
      const weight = block.weights?.[i];
      return weight === undefined
        ? 1 / children.length
        : weight.num.number(digits) / weight.den.number(digits);
    });
    return this.mixed(block, children, shares);
  }

  /** Joins portfolios under fixed shares. */
  private mixed(block: BlockPlan, children: readonly Portfolio[], shares: readonly number[]): Portfolio {
    let state = this.mixes.get(block);
    if (state === undefined) {
      state = { portfolio: new Portfolio(block.slots), columns: new Int32Array(block.slots) };
      this.mixes.set(block, state);
    }
    const { portfolio, columns } = state;
    const { from, days } = this.window;
    let slot = 0;
    children.forEach((child, i) => {
      const factor = shares[i] as number;
      for (let s = 0; s < child.count; s++) {
        let shareColumn = child.shareColumns[s] as number;
        if (shareColumn !== 0 && factor !== 1) {
          if (columns[slot] === 0) columns[slot] = this.column(this.data.padded * 8);
          this.workspace.kernels.multiplyBy(shareColumn, factor, columns[slot] as number, from, from + days);
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
    const { cache, index } = this.entryCache(block, digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = cache.reusable(index) ?? newEntry(block.slots);
    const { kernels, i32 } = this.workspace;
    const { from, days } = this.window;
    const { list } = this.scratch;
    const count = block.children.length;
    const portfolios = block.children.map((child) => this.portfolio(child, digits));
    let slot = 0;
    for (let c = 0; c < count; c++) {
      const deviation = this.indicator(block.deviations[c] as IndicatorPlan, digits);
      i32[list / 4 + c] = this.inverseColumns.of(deviation).u;
      i32[list / 4 + count + c] = this.ownShare(entry, slot);
      slot += (portfolios[c] as Portfolio).count;
    }
    kernels.inverseShares(list, list + count * 4, count, from, from + days);
    slot = 0;
    for (const child of portfolios) {
      const whole = entry.shares[slot] as number;
      for (let s = child.count - 1; s >= 0; s--) {
        const column = this.ownShare(entry, slot + s);
        const shareColumn = child.shareColumns[s] as number;
        const share = child.shares[s] as number;
        if (shareColumn !== 0) kernels.multiply(whole, shareColumn, column, from, from + days);
        else if (share !== 1 || s > 0) kernels.multiplyBy(whole, share, column, from, from + days);
        const constant = child.constants[s] as number;
        const codes = constant >= 0 ? (child.codes[s] as number) : this.copyCodes(entry, slot + s, child, s);
        entry.portfolio.set(slot + s, codes, constant, 0, column);
      }
      slot += child.count;
    }
    entry.portfolio.count = slot;
    cache.set(index, entry);
    return entry.portfolio;
  }

  private branches(block: IfPlan, digits: Int32Array): Portfolio {
    const { cache, index } = this.entryCache(block, digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = cache.reusable(index) ?? newEntry(block.slots);
    const then = this.portfolio(block.then, digits);
    const otherwise = this.portfolio(block.otherwise, digits);
    const mask = this.mask(block, digits);
    const count = Math.max(then.count, otherwise.count);
    for (let s = 0; s < count; s++) this.selectSlot(entry, s, mask, then, otherwise);
    entry.portfolio.count = count;
    cache.set(index, entry);
    return entry.portfolio;
  }

  private selectSlot(entry: Entry, s: number, mask: number, then: Portfolio, otherwise: Portfolio): void {
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const { width } = this.table;
    const cash = this.holding(0);
    // A missing slot is cash with the other side's share, so that constant shares stay constant.
    const a = s < then.count ? then : cash;
    const b = s < otherwise.count ? otherwise : cash;
    const [ai, bi] = [a === then ? s : 0, b === otherwise ? s : 0];
    const constant = a.constants[ai] === b.constants[bi] ? (a.constants[ai] as number) : -1;
    let codes = a.codes[ai] as number;
    if (constant < 0) {
      codes = this.ownCodes(entry, s);
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
    const column = this.ownShare(entry, s);
    const at = from * 8;
    const aAt = this.shareAddress(aColumn, aShare, this.scratch.a) + at;
    const bAt = this.shareAddress(bColumn, bs.shares[s] as number, this.scratch.b) + at;
    kernels.select64(mask + from, aAt, bAt, column + at, days);
    entry.portfolio.set(s, codes, constant, 0, column);
  }

  private shareAddress(column: number, share: number, scratch: number): number {
    if (column !== 0) return column;
    const { from, days } = this.window;
    this.workspace.kernels.fill64(scratch + from * 8, share, days);
    return scratch;
  }

  private filter(block: FilterPlan, digits: Int32Array): Portfolio {
    const children = block.children;
    const take = Math.min(block.count.number(digits), children.length);
    if (take === children.length) {
      const portfolios = children.map((child) => this.portfolio(child, digits));
      return this.mixed(block, portfolios, new Array<number>(take).fill(1 / take));
    }
    const { cache, index } = this.entryCache(block, digits);
    const known = cache.get(index);
    if (known !== undefined) return known.portfolio;
    const entry = cache.reusable(index) ?? newEntry(block.slots);
    const portfolios = children.map((child) => this.portfolio(child, digits));
    this.countBetter(block, digits);
    const width = Math.max(...portfolios.map((portfolio) => portfolio.count));
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const isConstant = Array.from({ length: width }, (_, s) => hasOneShare(portfolios, s));
    for (let slot = 0; slot < take * width; slot++)
      this.clearSlot(entry, slot, isConstant[slot % width] === true);
    // The chosen ones stand in the order of the children, so that a slot changes only when the choice does.
    const chosen = this.scratch.chosen + from;
    kernels.fill8(chosen, 0, days);
    portfolios.forEach((child, i) => {
      const ranks = (this.counts[i] as number) + from;
      for (let k = 0; k < Math.min(take, i + 1); k++) {
        kernels.chosenAs(ranks, take, chosen, k, this.scratch.mask + from, days);
        for (let s = 0; s < child.count; s++) {
          this.fillSlot(entry, k * width + s, child, s, isConstant[s] === true ? 0 : 1 / take);
        }
      }
      kernels.countChosen(ranks, take, chosen, days);
    });
    for (let slot = 0; slot < take * width; slot++) {
      const sample = portfolios.find((child) => slot % width < child.count) as Portfolio;
      const share = (sample.shares[slot % width] as number) / take;
      const column = isConstant[slot % width] === true ? 0 : (entry.shares[slot] as number);
      entry.portfolio.set(slot, entry.codes[slot] as number, -1, share, column);
    }
    entry.portfolio.count = take * width;
    cache.set(index, entry);
    return entry.portfolio;
  }

  /** Leaves in `counts` how many children are better than each child: its rank. */
  private countBetter(block: FilterPlan, digits: Int32Array): void {
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const columns = block.ranks.map((rank) => this.indicator(rank, digits));
    while (this.counts.length < columns.length) this.counts.push(this.column(this.data.padded));
    const counts = this.counts;
    for (let i = 0; i < columns.length; i++) kernels.fill8((counts[i] as number) + from, 0, days);
    for (let j = 1; j < columns.length; j++) {
      for (let i = 0; i < j; i++) {
        const [a, b] = block.isTop ? [columns[j], columns[i]] : [columns[i], columns[j]];
        const laterIsBetter = this.rankMasks.above(a as MemoryColumn, b as MemoryColumn) + from;
        kernels.countBetter(laterIsBetter, (counts[i] as number) + from, (counts[j] as number) + from, days);
      }
    }
    // Ties within the tolerance need not be transitive; then no child has rank 0 and the days are ranked one by one.
    if (columns.length < 3) return;
    const covered = this.scratch.mask + from;
    kernels.fill8(covered, 0, days);
    for (let i = 0; i < columns.length; i++) {
      kernels.countEquals((counts[i] as number) + from, 0, this.scratch.a, days);
      kernels.orInto(this.scratch.a, covered, days);
    }
    const first = Math.max(from, ...columns.map((column) => column.first));
    const last = Math.min(from + days - 1, ...columns.map((column) => column.last));
    if (kernels.allSet(this.scratch.mask, first, last + 1) === 0) {
      choose(this.workspace, columns, counts, this.window, block.isTop);
    }
  }

  private clearSlot(entry: Entry, slot: number, isConstant: boolean): void {
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const { width } = this.table;
    const fill = width === 1 ? kernels.fill8 : kernels.fill16;
    fill(this.ownCodes(entry, slot) + from * width, 0, days);
    if (!isConstant) kernels.fill64(this.ownShare(entry, slot) + from * 8, 0, days);
  }

  /** Puts a child's slot into one of the filter's on the days of the mask; with its share where `factor` is not 0. */
  private fillSlot(entry: Entry, slot: number, child: Portfolio, s: number, factor: number): void {
    const { kernels } = this.workspace;
    const { from, days } = this.window;
    const { width } = this.table;
    const chosen = this.scratch.mask + from;
    const masked = width === 1 ? kernels.maskedInto8 : kernels.maskedInto16;
    const at = from * width;
    masked(chosen, (child.codes[s] as number) + at, (entry.codes[slot] as number) + at, days);
    if (factor === 0) return;
    const { a, b } = this.scratch;
    const share = this.shareAddress(child.shareColumns[s] as number, child.shares[s] as number, a);
    kernels.multiplyBy(share, factor, b, from, from + days);
    kernels.maskedInto64(chosen, b + from * 8, (entry.shares[slot] as number) + from * 8, days);
  }

  /** An indicator of a ticker, a ratio or a block's own series; good until many others were asked for. */
  indicator(plan: IndicatorPlan, digits: Int32Array): MemoryColumn {
    const window = plan.window?.number(digits) ?? 1;
    const { series } = plan;
    if (series.kind === 'series') return this.data.indicator(nameOf(series, digits), plan.fn, window);
    let cache = this.indicators.get(plan);
    if (cache === undefined) {
      cache = new NodeCache(plan.key, this.data.padded * 8, this.cacheBytes);
      this.indicators.set(plan, cache);
    }
    const index = plan.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.column;
    const old = cache.reusable(index);
    if (old !== undefined) this.workspace.freeColumn(old.column.at);
    const column = this.data.store(indicatorColumn(this.ownSeries(series, digits), plan.fn, window));
    cache.set(index, { column });
    return column;
  }

  /** A block's own series: its value run alone without costs, from the first day it can run. */
  private ownSeries(block: BlockPlan, digits: Int32Array): Column {
    let cache = this.series.get(block);
    if (cache === undefined) {
      cache = new NodeCache(block.key, this.data.padded * 8, this.cacheBytes);
      this.series.set(block, cache);
    }
    const index = block.key.of(digits);
    const known = cache.get(index);
    if (known !== undefined) return known.column;
    const column = this.computeSeries(block, digits);
    cache.set(index, { column });
    return column;
  }

  private computeSeries(block: BlockPlan, digits: Int32Array): Column {
    const length = this.data.calendar.length;
    const { first, last } = this.spans.of(block, digits);
    if (first > last) return emptyColumn(length);
    const values = new Float64Array(length).fill(Number.NaN);
    const only = this.onlyHolding(block, digits);
    if (only !== undefined) {
      const source =
        only.kind === 'asset' ? this.data.pricesOf(only.ticker.text(digits)) : this.ownSeries(only, digits);
      values.set(source.values.subarray(first, last + 1), first);
      return { first, last, values };
    }
    const portfolio = this.portfolio(block, digits);
    const count = this.writeSlots(portfolio, this.scratch.slots);
    const { table } = this;
    const gross = table.width === 1 ? this.workspace.kernels.gross8 : this.workspace.kernels.gross16;
    gross(this.scratch.slots, count, table.at, table.stride, first + 1, last + 1, this.scratch.a);
    const returns = this.workspace.f64;
    const at = this.scratch.a / 8;
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
    if (block.kind !== 'mix' || block.weights === null) return only;
    const weight = block.weights[0];
    return weight !== undefined && weight.num.number(digits) === weight.den.number(digits) ? only : undefined;
  }

  /** Writes a portfolio for the kernels of several holdings; returns the number of slots. */
  writeSlots(portfolio: Portfolio, at: number): number {
    const { i32, f64 } = this.workspace;
    for (let s = 0; s < portfolio.count; s++) {
      i32[at / 4 + s * 4] = portfolio.codes[s] as number;
      i32[at / 4 + s * 4 + 1] = portfolio.shareColumns[s] as number;
      f64[at / 8 + s * 2 + 1] = portfolio.shares[s] as number;
    }
    return portfolio.count;
  }

  private entryCache(block: BlockPlan, digits: Int32Array): { cache: NodeCache<Entry>; index: number } {
    let cache = this.entries.get(block);
    if (cache === undefined) {
      const bytes = block.slots * this.data.padded * (block.kind === 'inverse' ? 8 : this.table.width);
      cache = new NodeCache(block.key, bytes, this.cacheBytes);
      this.entries.set(block, cache);
    }
    return { cache, index: block.key.of(digits) };
  }

  private copyCodes(entry: Entry, slot: number, from: Portfolio, s: number): number {
    const target = this.ownCodes(entry, slot);
    const source = from.codes[s] as number;
    this.workspace.u8.copyWithin(target, source, source + this.data.padded * this.table.width);
    return target;
  }

  private ownCodes(entry: Entry, slot: number): number {
    if (entry.codes[slot] === 0) entry.codes[slot] = this.column(this.data.padded * this.table.width);
    return entry.codes[slot] as number;
  }

  private ownShare(entry: Entry, slot: number): number {
    if (entry.shares[slot] === 0) entry.shares[slot] = this.column(this.data.padded * 8);
    return entry.shares[slot] as number;
  }

  private column(bytes: number): number {
    const at = this.workspace.allocateColumn(bytes);
    this.owned.push(at);
    return at;
  }

  /** Gives all memory back. */
  dispose(): void {
    for (const at of this.owned.splice(0)) this.workspace.freeColumn(at);
    this.rankMasks.dispose();
    this.inverseColumns.dispose();
    for (const cache of this.indicators.values()) {
      for (const { column } of cache.values()) this.workspace.freeColumn(column.at);
    }
    this.indicators.clear();
  }
}

function newEntry(slots: number): Entry {
  return { portfolio: new Portfolio(slots), codes: new Int32Array(slots), shares: new Int32Array(slots) };
}

/** Whether slot `s` has the same constant share in all portfolios that have it. */
function hasOneShare(portfolios: readonly Portfolio[], s: number): boolean {
  const having = portfolios.filter((portfolio) => s < portfolio.count);
  return having.every(
    (portfolio) => portfolio.shareColumns[s] === 0 && portfolio.shares[s] === having[0]?.shares[s],
  );
}
