import {
  type Block,
  type Condition,
  type EmptyBlock,
  type FilterBlock,
  filled,
  type IfBlock,
  type Indicator,
  type InverseVolatilityBlock,
} from './blocks.ts';
import { holds, ranksAbove } from './comparison.ts';
import type { Market } from './market.ts';
import { blockIndicator } from './own-series.ts';

/** Days of a run as indexes into the calendar, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Target weight per ticker: a column of the range's length for every ticker of an asset block. */
export type TargetWeights = ReadonlyMap<string, Float64Array>;

/** Called with what the evaluation finds on its way, where somebody wants to know why; columns have the range's length. */
export interface DecisionTrace {
  share(id: string, share: Float64Array): void;
  condition(condition: Condition, left: Float64Array, right: Float64Array | number, holds: Uint8Array): void;
  branch(id: string, isThen: Uint8Array): void;
  /** `chosen[c]` marks the days on which the block's c-th filled child is chosen. */
  selection(id: string, children: readonly Block[], chosen: readonly Uint8Array[]): void;
}

/**
 * Target weights of a block on every day of a range on which all its indicators are defined (`engine.md` section 3). Evaluated top
 * down: a block hands its share of the portfolio to its children, an asset adds it to its ticker, what reaches no asset is cash.
 */
export function targetWeights(
  block: Block,
  market: Market,
  range: DayRange,
  trace?: DecisionTrace,
): TargetWeights {
  const evaluation = new Evaluation(market, range, trace);
  evaluation.block(block, new Float64Array(range.to - range.from + 1).fill(1));
  return evaluation.weights;
}

class Evaluation {
  readonly weights = new Map<string, Float64Array>();
  private readonly market: Market;
  private readonly range: DayRange;
  private readonly length: number;
  private readonly trace: DecisionTrace | undefined;

  constructor(market: Market, range: DayRange, trace: DecisionTrace | undefined) {
    this.market = market;
    this.range = range;
    this.length = range.to - range.from + 1;
    this.trace = trace;
  }

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
        block.children.forEach((child, i) => {
          this.block(child, this.scaled(share, block.weights[i] as number));
        });
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
    else for (let t = 0; t < weight.length; t++) weight[t] = (weight[t] as number) + (share[t] as number);
  }

  private scaled(share: Float64Array, factor: number): Float64Array {
    const scaled = new Float64Array(this.length);
    for (let t = 0; t < scaled.length; t++) scaled[t] = (share[t] as number) * factor;
    return scaled;
  }

  private equally(children: readonly Block[], share: Float64Array): void {
    const chosen = filled(children);
    if (chosen.length === 0) return;
    let part = share;
    if (chosen.length > 1) {
      part = new Float64Array(this.length);
      for (let t = 0; t < part.length; t++) part[t] = (share[t] as number) / chosen.length;
    }
    for (const child of chosen) this.block(child, part);
  }

  private branches(block: IfBlock, share: Float64Array): void {
    const isThen = this.conditions(block);
    this.trace?.branch(block.id, isThen);
    const thenShare = new Float64Array(this.length);
    const elseShare = new Float64Array(this.length);
    for (let t = 0; t < this.length; t++) {
      if (isThen[t] === 1) thenShare[t] = share[t] as number;
      else elseShare[t] = share[t] as number;
    }
    this.equally(block.thenChildren, thenShare);
    this.equally(block.elseChildren, elseShare);
  }

  private conditions(block: IfBlock): Uint8Array {
    const joined = new Uint8Array(this.length).fill(block.needsAll ? 1 : 0);
    for (const condition of block.conditions) {
      const mask = this.condition(condition);
      if (block.needsAll)
        for (let t = 0; t < mask.length; t++) joined[t] = (joined[t] as number) & (mask[t] as number);
      else for (let t = 0; t < mask.length; t++) joined[t] = (joined[t] as number) | (mask[t] as number);
    }
    return joined;
  }

  private condition(condition: Condition): Uint8Array {
    const { comparator } = condition;
    const left = this.indicator(condition.left);
    const right = typeof condition.right === 'number' ? condition.right : this.indicator(condition.right);
    const mask = new Uint8Array(this.length);
    for (let t = 0; t < mask.length; t++) {
      const against = typeof right === 'number' ? right : (right[t] as number);
      mask[t] = holds(comparator, left[t] as number, against) ? 1 : 0;
    }
    this.trace?.condition(condition, left, right, mask);
    return mask;
  }

  private indicator({ series, fn, window }: Indicator): Float64Array {
    return this.inRange(this.market.indicator(series, fn, window).values);
  }

  private inRange(values: Float64Array): Float64Array {
    return values.subarray(this.range.from, this.range.to + 1);
  }

  private inverseVolatility(block: InverseVolatilityBlock, share: Float64Array): void {
    const children = filled(block.children);
    if (children.length === 0) return;
    const deviations = children.map((child) =>
      this.inRange(blockIndicator(child, 'standard-deviation-return', block.window, this.market).values),
    );
    const parts = children.map(() => new Float64Array(this.length));
    for (let t = 0; t < this.length; t++) {
      let flat = 0;
      let sum = 0;
      for (const deviation of deviations) {
        if (deviation[t] === 0) flat++;
        else sum += 1 / (deviation[t] as number);
      }
      const whole = share[t] as number;
      for (let c = 0; c < parts.length; c++) {
        const deviation = (deviations[c] as Float64Array)[t] as number;
        const weight = flat === 0 ? 1 / deviation / sum : deviation === 0 ? 1 / flat : 0;
        (parts[c] as Float64Array)[t] = whole * weight;
      }
    }
    children.forEach((child, c) => {
      this.block(child, parts[c] as Float64Array);
    });
  }

  private filter(block: FilterBlock, share: Float64Array): void {
    const children = filled(block.children);
    if (children.length === 0) return;
    const count = Math.min(block.count, children.length);
    const ranks = children.map((child) =>
      this.inRange(blockIndicator(child, block.fn, block.window, this.market).values),
    );
    const chosen = children.map(() => new Uint8Array(this.length));
    for (let t = 0; t < this.length; t++) choose(ranks, chosen, t, count, block.direction);
    this.trace?.selection(block.id, children, chosen);
    children.forEach((child, c) => {
      const mask = chosen[c] as Uint8Array;
      const part = new Float64Array(this.length);
      for (let t = 0; t < part.length; t++) if (mask[t] === 1) part[t] = (share[t] as number) / count;
      this.block(child as Exclude<Block, EmptyBlock>, part);
    });
  }
}

/**
 * Marks the `count` best of day t, one after the other: a later child takes the place of an earlier one only if it is better by more
 * than a tie, so ties keep the order of the children.
 */
function choose(
  ranks: readonly Float64Array[],
  chosen: readonly Uint8Array[],
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
  }
}
