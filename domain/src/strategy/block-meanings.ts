import type { TreeNode } from './tree.ts';

/**
 * What each type that runs does, for developers. Apart from the rest of `block-table.ts`: pages need that, and
 * not these words.
 */
export const MEANINGS: Readonly<Record<Exclude<TreeNode['node_type'], 'empty' | 'pasted'>, string>> = {
  root:
    'The strategy itself, once, around everything. rebalance is "daily" (the default), "weekly", ' +
    '"monthly", "quarterly" or "yearly" on the "first" or "last" day (rebalance_on), "never", or ' +
    '"corridor": when a weight is more than corridor percentage points off.',
  group: 'Blocks under a name.',
  'wt-cash-equal': 'Its children in equal parts.',
  'wt-cash-specified': 'Its children by their own weight, num / den.',
  'wt-inverse-volatility':
    'Its children by the inverse of their volatility over params.window days: the calmer, the more.',
  asset: 'Holds ticker.',
  'if-then-else':
    'then_children on days when the conditions hold ("allOf" or "anyOf" of them, in ' +
    'condition_type), else_children on the others.',
  condition:
    'Compares lhs_fn of lhs_val by comparator ("gt", "lt", "eq", "gte", "lte") with rhs_fn of ' +
    'rhs_val, or with the number in rhs_val where rhs_fixed_val is true. The functions take ' +
    'lhs_fn_params and rhs_fn_params. A side may look lhs_days_ago or rhs_days_ago back, the right ' +
    'side counts as value * rhs_scale + rhs_offset, and all of it must have been true for_days in ' +
    'a row.',
  'condition-group':
    'Conditions and further groups in the place of one condition, joined by condition_type ' +
    '("allOf" or "anyOf"); at most 8 around each other.',
  filter:
    'Of its children the select.num at the "top" or "bottom" (select.fn) by sort.fn with ' +
    'sort.params. The chosen weigh the same, or as weighting says: {"type": "inverse-volatility", ' +
    '"window": 20}, or {"type": "by-rank", "weights": [{"num": 60, "den": 100}]}.',
};
