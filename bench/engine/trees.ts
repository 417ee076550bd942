import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionNode,
  FilterSortName,
  IndicatorName,
  WindowValue,
} from '@quantloom/domain/strategy/tree';

let next = 0;

function base() {
  return { id: `node_${next++}`, weight: { num: 100, den: 100 }, is_collapsed: false };
}

export function root(...children: BlockNode[]): Algorithm {
  return {
    ...base(),
    node_type: 'root',
    name: 'bench',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children,
  };
}

export function asset(ticker: string): BlockNode {
  return { ...base(), node_type: 'asset', ticker, name: ticker };
}

export function empty(): BlockNode {
  return { ...base(), node_type: 'empty' };
}

export function group(...children: BlockNode[]): BlockNode {
  return { ...base(), node_type: 'group', name: 'group', children };
}

export function equal(...children: BlockNode[]): BlockNode {
  return { ...base(), node_type: 'wt-cash-equal', children };
}

/** Weights in percent. */
export function specified(...parts: [number, BlockNode][]): BlockNode {
  const children = parts.map(([num, child]) => ({ ...child, weight: { num, den: 100 } }));
  return { ...base(), node_type: 'wt-cash-specified', children };
}

export function inverse(window: WindowValue, ...children: BlockNode[]): BlockNode {
  return { ...base(), node_type: 'wt-inverse-volatility', params: { window }, children };
}

export function filter(
  fn: FilterSortName,
  window: WindowValue,
  select: 'top' | 'bottom',
  num: number | string,
  ...children: BlockNode[]
): BlockNode {
  return {
    ...base(),
    node_type: 'filter',
    sort: { fn, params: { window } },
    select: { fn: select, num },
    children,
  };
}

/** One side of a condition: `[function, window, ticker or ratio]`. */
export type Side = readonly [IndicatorName, WindowValue, string];

/** Compares an indicator with another or with a fixed number. */
export function condition(
  [fn, window, series]: Side,
  comparator: Comparator,
  right: Side | number | string,
): ConditionNode {
  const isFixed = !Array.isArray(right);
  const side = isFixed ? null : (right as Side);
  return {
    ...base(),
    node_type: 'condition',
    lhs_fn: fn,
    lhs_fn_params: { window },
    lhs_val: series,
    comparator,
    rhs_fn: side?.[0] ?? null,
    rhs_fn_params: side === null ? {} : { window: side[1] },
    rhs_val: side === null ? (right as number | string) : side[2],
    rhs_fixed_val: isFixed,
  };
}

export function either(
  conditions: ConditionNode | ConditionNode[],
  then: BlockNode | BlockNode[],
  otherwise: BlockNode | BlockNode[],
  type: 'allOf' | 'anyOf' = 'allOf',
): BlockNode {
  return {
    ...base(),
    node_type: 'if-then-else',
    condition_type: type,
    conditions: [conditions].flat(),
    then_children: [then].flat(),
    else_children: [otherwise].flat(),
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
}

/** A batch over the whole of the prices' dates. */
export function batch(
  algorithm: Algorithm,
  variables: Readonly<Record<string, readonly (string | number)[]>>,
  dates: { readonly start: string; readonly end: string },
): BatchRequest {
  return {
    template_bot: { name: 'bench', variables: Object.keys(variables), algorithm },
    variables,
    backtest_config: { start_date: dates.start, end_date: dates.end, slippage_bps: 10 },
  };
}
