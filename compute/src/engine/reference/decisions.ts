import type { Comparator } from '@quantloom/domain/strategy/tree';
import {
  type Block,
  type FilterBlock,
  filled,
  type IfBlock,
  type InverseVolatilityBlock,
  type SpecifiedBlock,
} from '../model/blocks.ts';
import { holds, ranksAbove } from '../model/comparison.ts';
import type { AnyCondition, Condition } from '../model/conditions.ts';
import type { Indicator } from '../model/indicator-calls.ts';
import type { FilledBlock, Market } from '../series/market.ts';

/** Days of a run as indexes into the calendar, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Target weight per ticker: a column of the range's length for every ticker of an asset block. */
export type TargetWeights = ReadonlyMap<string, Float64Array>;

/**
 * Called with what the evaluation finds on its way, where somebody wants to know why; columns have the
 * range's length.
 */
export interface DecisionTrace {
  /** Called first, before anything is decided; may refuse. */
  begin(range: DayRange): void;
  share(id: string, share: Float64Array): void;
  condition(condition: Condition, left: Float64Array, right: Float64Array | number, holds: Uint8Array): void;
  branch(id: string, isThen: Uint8Array): void;
  /** `chosen[c]` marks the days on which the block's c-th filled child is chosen. */
  selection(id: string, children: readonly Block[], chosen: readonly Uint8Array[]): void;
}

/**
 * Target weights of a block on every day of a range on which all its indicators are defined (`engine.md`
 * section 3). Evaluated top down: a block hands its share of the portfolio to its children, an asset adds it
 * to its ticker, what reaches no asset is cash.
 */
export function targetWeights(
  block: Block,
  market: Market,
  range: DayRange,
  trace?: DecisionTrace,
): TargetWeights {
  trace?.begin(range);
  const evaluation = new Evaluation(market, range, trace);
  evaluation.block(block, new Float64Array(range.to - range.from + 1).fill(1));
  return evaluation.weights;
}

/**
 * Columns that are used for a while and then again: memory that is touched for the first time costs more than
 * what is computed in it.
 */
class Scratch {
  private readonly length: number;
  private readonly free: Float64Array[] = [];

  constructor(length: number) {
    this.length = length;
  }

  /** A column that holds anything. */
  take(): Float64Array {
    return this.free.pop() ?? new Float64Array(this.length);
  }

  give(column: Float64Array): void {
    this.free.push(column);
  }
}

class Evaluation {
  readonly weights = new Map<string, Float64Array>();
  private readonly market: Market;
  private readonly range: DayRange;
  private readonly length: number;
  private readonly trace: DecisionTrace | undefined;
  private readonly scratch: Scratch;

  constructor(market: Market, range: DayRange, trace: DecisionTrace | undefined) {
    this.market = market;
    this.range = range;
    this.length = range.to - range.from + 1;
    this.trace = trace;
    this.scratch = new Scratch(this.length);
  }

  /**
   * Adds what a block comes to with this share of the portfolio. The share may be used again for something
   * else afterwards.
   */
  block(block: Block, share: Float64Array): void {
    this.trace?.share(block.id, share);
    switch (block.kind) {
      case 'empty':
        return;
      case 'asset':
        this.asset(block.ticker, share);
        return;
      case 'equal':
        this.equally(block.children, share);
        return;
      case 'specified':
        this.specified(block, share);
        return;
      case 'inverse-volatility':
        this.inverseVolatility(block, share);
        return;
      case 'if':
        this.branches(block, share);
        return;
      case 'filter':
        this.filter(block, share);
        return;
    }
  }

  private asset(ticker: string, share: Float64Array): void {
    const weight = this.weights.get(ticker);
    if (weight === undefined) this.weights.set(ticker, share.slice());
    else add(weight, share);
  }

  private specified({ children, weights }: SpecifiedBlock, share: Float64Array): void {
    const part = this.scratch.take();
    for (const [i, child] of children.entries()) {
      multiply(share, weights[i] as number, part);
      this.block(child, part);
    }
    this.scratch.give(part);
  }

  private equally(children: readonly Block[], share: Float64Array): void {
    const chosen = filled(children);
    if (chosen.length < 2) {
      for (const child of chosen) this.block(child, share);
      return;
    }
    const part = this.scratch.take();
    divide(share, chosen.length, part);
    for (const child of chosen) this.block(child, part);
    this.scratch.give(part);
  }

  private branches(block: IfBlock, share: Float64Array): void {
    const isThen = this.joined(block.conditions, block.needsAll);
    this.trace?.branch(block.id, isThen);
    const part = this.scratch.take();
    keepWhere(isThen, 1, share, part);
    this.equally(block.thenChildren, part);
    keepWhere(isThen, 0, share, part);
    this.equally(block.elseChildren, part);
    this.scratch.give(part);
  }

  private joined(items: readonly AnyCondition[], needsAll: boolean): Uint8Array {
    const joined = new Uint8Array(this.length).fill(needsAll ? 1 : 0);
    for (const item of items) {
      const mask = item.kind === 'group' ? this.joined(item.items, item.needsAll) : this.condition(item);
      if (needsAll)
        for (let t = 0; t < mask.length; t++) joined[t] = (joined[t] as number) & (mask[t] as number);
      else for (let t = 0; t < mask.length; t++) joined[t] = (joined[t] as number) | (mask[t] as number);
    }
    return joined;
  }

  private condition(condition: Condition): Uint8Array {
    const { comparator, forDays, scale, offset } = condition;
    // The comparison of the days before the range on which it must have been true already.
    const before = forDays - 1;
    const left = this.indicator(condition.left, condition.leftDaysAgo, before);
    const right =
      typeof condition.right === 'number'
        ? condition.right
        : moved(this.indicator(condition.right, condition.rightDaysAgo, before), scale, offset);
    let mask: Uint8Array = new Uint8Array(left.length);
    compare(comparator, left, right, mask);
    if (before > 0) mask = inARow(mask, forDays).subarray(before);
    const shown = (side: Float64Array) => (before > 0 ? side.subarray(before) : side);
    this.trace?.condition(condition, shown(left), typeof right === 'number' ? right : shown(right), mask);
    return mask;
  }

  /** The values of the range, so many days earlier, and of some days before it. */
  private indicator(indicator: Indicator, daysAgo: number, before: number): Float64Array {
    const { values } = this.market.indicator(indicator);
    return values.subarray(this.range.from - daysAgo - before, this.range.to - daysAgo + 1);
  }

  private inRange(values: Float64Array): Float64Array {
    return values.subarray(this.range.from, this.range.to + 1);
  }

  private inverseVolatility(block: InverseVolatilityBlock, share: Float64Array): void {
    const children = filled(block.children);
    if (children.length === 0) return;
    const deviations = children.map((child) => this.deviation(child, block.window));
    // How many deviations are 0 on a day, and the sum of 1/s of the others.
    const flat = this.scratch.take().fill(0);
    const sum = this.scratch.take().fill(0);
    for (const deviation of deviations) addInverse(deviation, sum, flat);
    const part = this.scratch.take();
    for (const [c, child] of children.entries()) {
      weighByInverse(share, deviations[c] as Float64Array, sum, flat, part);
      this.block(child, part);
    }
    for (const column of [flat, sum, part]) this.scratch.give(column);
  }

  /** The deviation of the returns of a block's own series, as inverse volatility weighs it. */
  private deviation(child: FilledBlock, window: number): Float64Array {
    const call = { fn: 'standard-deviation-return', params: [window] } as const;
    return this.inRange(this.market.blockIndicator(child, call).values);
  }

  private filter(block: FilterBlock, share: Float64Array): void {
    const children = filled(block.children);
    if (children.length === 0) return;
    const count = Math.min(block.count, children.length);
    const ranks = children.map((child) => this.inRange(this.market.blockIndicator(child, block.sort).values));
    const chosen = children.map(() => new Uint8Array(this.length));
    const { weighting } = block;
    const places = weighting?.kind === 'by-rank' ? children.map(() => new Uint32Array(this.length)) : null;
    for (let t = 0; t < this.length; t++) choose(ranks, chosen, places, t, count, block.direction);
    this.trace?.selection(block.id, children, chosen);
    const each = this.scratch.take();
    const part = this.scratch.take();
    if (weighting === null) {
      divide(share, count, each);
      for (const [c, child] of children.entries()) {
        keepWhere(chosen[c] as Uint8Array, 1, each, part);
        this.block(child, part);
      }
    } else if (weighting.kind === 'by-rank') {
      for (const [c, child] of children.entries()) {
        weighByRank(share, (places as Uint32Array[])[c] as Uint32Array, weighting.weights, part);
        this.block(child, part);
      }
    } else {
      const deviations = children.map((child) => this.deviation(child, weighting.window));
      const flat = this.scratch.take().fill(0);
      const sum = this.scratch.take().fill(0);
      for (const [c, deviation] of deviations.entries()) addInverse(deviation, sum, flat, chosen[c]);
      for (const [c, child] of children.entries()) {
        weighByInverse(share, deviations[c] as Float64Array, sum, flat, each);
        keepWhere(chosen[c] as Uint8Array, 1, each, part);
        this.block(child, part);
      }
      for (const column of [flat, sum]) this.scratch.give(column);
    }
    this.scratch.give(each);
    this.scratch.give(part);
  }
}

// Loops over columns are functions of their own: one that every block calls is optimised after few backtests.

function add(into: Float64Array, column: Float64Array): void {
  for (let t = 0; t < into.length; t++) into[t] = (into[t] as number) + (column[t] as number);
}

function multiply(column: Float64Array, factor: number, out: Float64Array): void {
  for (let t = 0; t < out.length; t++) out[t] = (column[t] as number) * factor;
}

function divide(column: Float64Array, divisor: number, out: Float64Array): void {
  for (let t = 0; t < out.length; t++) out[t] = (column[t] as number) / divisor;
}

/** The column where the mask has a flag, else 0. */
function keepWhere(mask: Uint8Array, flag: 0 | 1, column: Float64Array, out: Float64Array): void {
  for (let t = 0; t < out.length; t++) out[t] = mask[t] === flag ? (column[t] as number) : 0;
}

/** Adds 1/s where it is one of those that count; where none are named, all do. */
function addInverse(
  deviation: Float64Array,
  sum: Float64Array,
  flat: Float64Array,
  counts?: Uint8Array,
): void {
  for (let t = 0; t < sum.length; t++) {
    if (counts !== undefined && counts[t] === 0) continue;
    const one = deviation[t] as number;
    if (one === 0) flat[t] = (flat[t] as number) + 1;
    else sum[t] = (sum[t] as number) + 1 / one;
  }
}

function weighByInverse(
  share: Float64Array,
  deviation: Float64Array,
  sum: Float64Array,
  flat: Float64Array,
  out: Float64Array,
): void {
  for (let t = 0; t < out.length; t++) {
    const one = deviation[t] as number;
    const zeros = flat[t] as number;
    const weight = zeros === 0 ? 1 / one / (sum[t] as number) : one === 0 ? 1 / zeros : 0;
    out[t] = (share[t] as number) * weight;
  }
}

/** The part of the share that belongs to a place from 1 on; 0 where the place is none or has no weight. */
function weighByRank(
  share: Float64Array,
  places: Uint32Array,
  weights: readonly number[],
  out: Float64Array,
): void {
  for (let t = 0; t < out.length; t++)
    out[t] = (share[t] as number) * (weights[(places[t] as number) - 1] ?? 0);
}

function moved(column: Float64Array, scale: number, offset: number): Float64Array {
  return scale === 1 && offset === 0 ? column : column.map((value) => value * scale + offset);
}

/** Where a mask has been 1 on so many days in a row, the day itself counted. */
function inARow(mask: Uint8Array, days: number): Uint8Array {
  let row = 0;
  return mask.map((flag) => {
    row = flag === 1 ? row + 1 : 0;
    return row >= days ? 1 : 0;
  });
}

function compare(
  comparator: Comparator,
  left: Float64Array,
  right: Float64Array | number,
  out: Uint8Array,
): void {
  if (typeof right === 'number')
    for (let t = 0; t < out.length; t++) out[t] = holds(comparator, left[t] as number, right) ? 1 : 0;
  else
    for (let t = 0; t < out.length; t++)
      out[t] = holds(comparator, left[t] as number, right[t] as number) ? 1 : 0;
}

/**
 * Marks the `count` best of day t, one after the other: a later child takes the place of an earlier one only
 * if it is better by more than a tie, so ties keep the order of the children. Where asked, the place of each
 * is kept, from 1 on.
 */
function choose(
  ranks: readonly Float64Array[],
  chosen: readonly Uint8Array[],
  places: readonly Uint32Array[] | null,
  t: number,
  count: number,
  direction: 'top' | 'bottom',
): void {
  for (let taken = 0; taken < count; taken++) {
    let best = -1;
    let bestRank = 0;
    for (let c = 0; c < ranks.length; c++) {
      if ((chosen[c] as Uint8Array)[t] === 1) continue;
      const rank = (ranks[c] as Float64Array)[t] as number;
      const isBetter = direction === 'top' ? ranksAbove(rank, bestRank) : ranksAbove(bestRank, rank);
      if (best < 0 || isBetter) {
        best = c;
        bestRank = rank;
      }
    }
    (chosen[best] as Uint8Array)[t] = 1;
    if (places !== null) (places[best] as Uint32Array)[t] = taken + 1;
  }
}
