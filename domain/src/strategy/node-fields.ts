import { isIndicatorName } from './indicator.ts';

/** The second spelling of some node types (`editor.md`, section 3); stored trees have the first. */
const NODE_TYPE_SPELLINGS: Readonly<Record<string, string>> = {
  weight_cash_equal: 'wt-cash-equal',
  weight_cash_specified: 'wt-cash-specified',
  weight_inverse_volatility: 'wt-inverse-volatility',
  wt_cash_equal: 'wt-cash-equal',
  wt_cash_specified: 'wt-cash-specified',
  wt_inverse_volatility: 'wt-inverse-volatility',
  if_then_else: 'if-then-else',
  condition_group: 'condition-group',
};

/** A node type in the spelling that is stored; any other value as it is. */
export function normalNodeType(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(NODE_TYPE_SPELLINGS, value)
    ? NODE_TYPE_SPELLINGS[value]
    : value;
}

/** The name of an indicator function in the spelling that is stored; any other value as it is. */
export function normalFunctionName(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const hyphenated = value.replaceAll('_', '-');
  return isIndicatorName(hyphenated) ? hyphenated : value;
}

/** The fields that every node has. */
export const COMMON_FIELDS = ['id', 'node_type', 'weight', 'is_collapsed'];
/** The fields of a node type besides the common ones. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  root: ['name', 'description', 'children', 'rebalance', 'rebalance_on', 'corridor', 'version'],
  group: ['name', 'source', 'children'],
  'wt-cash-equal': ['children'],
  'wt-cash-specified': ['children'],
  'wt-inverse-volatility': ['children', 'params'],
  asset: ['ticker', 'name'],
  'if-then-else': [
    ...['condition_type', 'conditions', 'then_children', 'else_children'],
    ...['is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'],
  ],
  condition: [
    ...['lhs_fn', 'lhs_fn_params', 'lhs_val', 'comparator'],
    ...['rhs_fn', 'rhs_fn_params', 'rhs_val', 'rhs_fixed_val'],
    ...['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'],
  ],
  'condition-group': ['condition_type', 'conditions'],
  filter: ['sort', 'select', 'weighting', 'children'],
};
