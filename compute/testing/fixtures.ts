import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Algorithm, AssetNode, BlockNode, ConditionNode } from '@quantloom/domain/strategy/tree';

let number = 0;
const id = () => `node_${(number++).toString().padStart(26, '0')}`;
const common = () => ({ id: id(), weight: { num: 100, den: 100 }, is_collapsed: false });

/** Shorthands for the blocks of a stored tree. */
export function root(...children: BlockNode[]): Algorithm {
  return {
    ...common(),
    node_type: 'root',
    name: 'Test',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children,
  };
}
export function asset(ticker: string): AssetNode {
  return { ...common(), node_type: 'asset', ticker, name: ticker };
}
export function empty(): BlockNode {
  return { ...common(), node_type: 'empty' };
}
export function group(...children: BlockNode[]): BlockNode {
  return { ...common(), node_type: 'group', name: 'Group', children };
}
export function equal(...children: BlockNode[]): BlockNode {
  return { ...common(), node_type: 'wt-cash-equal', children };
}
export function weighted(node: BlockNode, num: number, den = 100): BlockNode {
  return { ...node, weight: { num, den } };
}
export function specified(...children: BlockNode[]): BlockNode {
  return { ...common(), node_type: 'wt-cash-specified', children };
}
export function inverseVolatility(window: number | string, ...children: BlockNode[]): BlockNode {
  return { ...common(), node_type: 'wt-inverse-volatility', params: { window }, children };
}
export function condition(fields: Partial<ConditionNode>): ConditionNode {
  return {
    ...common(),
    node_type: 'condition',
    lhs_fn: 'relative-strength-index',
    lhs_fn_params: { window: 10 },
    lhs_val: 'SPY',
    comparator: 'gt',
    rhs_fn: null,
    rhs_fn_params: {},
    rhs_val: 50,
    rhs_fixed_val: true,
    ...fields,
  };
}
export function ifThenElse(
  conditions: ConditionNode[],
  thenChildren: BlockNode[],
  elseChildren: BlockNode[],
  type: 'allOf' | 'anyOf' = 'allOf',
): BlockNode {
  return {
    ...common(),
    node_type: 'if-then-else',
    condition_type: type,
    conditions,
    then_children: thenChildren,
    else_children: elseChildren,
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
}
export function filter(
  sort: { fn: Extract<BlockNode, { node_type: 'filter' }>['sort']['fn']; window: number | string },
  select: { fn: 'top' | 'bottom'; num: number | string },
  ...children: BlockNode[]
): BlockNode {
  return {
    ...common(),
    node_type: 'filter',
    sort: { fn: sort.fn, params: { window: sort.window } },
    select,
    children,
  };
}

/** A batch over a tree with given values. */
export function batchOf(
  algorithm: Algorithm,
  variables: Record<string, (string | number)[]>,
  config: Partial<BatchRequest['backtest_config']> = {},
): BatchRequest {
  return {
    template_bot: { name: 'Test', type: 'template', variables: Object.keys(variables), algorithm },
    variables,
    backtest_config: { start_date: '2000-01-01', end_date: '2026-01-01', slippage_bps: 10, ...config },
  };
}

/** A small deterministic generator (mulberry32): numbers in [0, 1). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface WalkOptions {
  readonly seed: number;
  /** First day since 1970-01-01. */
  readonly firstDay: number;
  readonly bars: number;
  /** Daily moves are uniform within plus and minus this. */
  readonly step?: number;
  /** Share of days without a bar. */
  readonly gaps?: number;
  /** Share of days on which the price does not move. */
  readonly flat?: number;
  readonly startPrice?: number;
}

/** A random walk of closes on weekdays. */
export function randomWalk(ticker: string, options: WalkOptions): PriceSeries {
  const { seed, firstDay, bars, step = 0.02, gaps = 0, flat = 0, startPrice = 100 } = options;
  const random = randomFrom(seed);
  const days: number[] = [];
  const closes: number[] = [];
  let price = startPrice;
  for (let day = firstDay; days.length < bars; day++) {
    const weekday = (((day + 4) % 7) + 7) % 7;
    if (weekday === 0 || weekday === 6) continue;
    const isGap = random() < gaps;
    const isFlat = random() < flat;
    const move = (random() * 2 - 1) * step;
    if (!isFlat) price *= 1 + move;
    if (isGap) continue;
    days.push(day);
    closes.push(price);
  }
  return { ticker, days: Int32Array.from(days), closes: Float64Array.from(closes) };
}

/** Several random walks by ticker. */
export function marketOf(walks: Readonly<Record<string, WalkOptions>>): ReadonlyMap<string, PriceSeries> {
  return new Map(Object.entries(walks).map(([ticker, options]) => [ticker, randomWalk(ticker, options)]));
}
