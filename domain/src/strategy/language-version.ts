import { FIRST_SORT_NAMES, isWindowIndicator } from './indicator.ts';
import type { Algorithm, ConditionNode, FilterNode, TreeNode } from './tree.ts';
import { nodesOf } from './tree-walk.ts';
import { isRecord, numberOf } from './values.ts';

/**
 * What a tree uses of the second part of the language (`docs/engine.md`, sections 9 to 12). A field that
 * holds its default changes nothing and is not in use.
 */
export type TreeFeature =
  | 'comparator'
  | 'days-ago'
  | 'scale-and-offset'
  | 'for-days'
  | 'condition-group'
  | 'indicator'
  | 'sort-function'
  | 'weighting'
  | 'rebalance'
  | 'corridor';

/** The features that a well-formed tree uses, bound or not. */
export function featuresOf(algorithm: Algorithm): ReadonlySet<TreeFeature> {
  const features = new Set<TreeFeature>();
  for (const { node } of nodesOf(algorithm))
    for (const feature of featuresOfNode(node)) features.add(feature);
  return features;
}

/**
 * `v2` where a tree uses anything of the second part: readers of version 1 alone must not take it for less
 * than it is.
 */
export function languageVersion(algorithm: Algorithm): Algorithm['version'] {
  for (const { node } of nodesOf(algorithm)) if (!featuresOfNode(node).next().done) return 'v2';
  return 'v1';
}

function* featuresOfNode(node: TreeNode): Generator<TreeFeature, void> {
  if (node.node_type === 'root' && (node.rebalance ?? 'daily') !== 'daily')
    yield node.rebalance === 'corridor' ? 'corridor' : 'rebalance';
  if (node.node_type === 'condition-group') yield 'condition-group';
  if (node.node_type === 'condition') yield* featuresOfCondition(node);
  if (node.node_type === 'filter') yield* featuresOfFilter(node);
}

function* featuresOfCondition(condition: ConditionNode): Generator<TreeFeature, void> {
  const { comparator, lhs_fn, rhs_fn, rhs_fixed_val } = condition;
  if (comparator === 'gte' || comparator === 'lte') yield 'comparator';
  if (lhs_fn && !isWindowIndicator(lhs_fn)) yield 'indicator';
  if (differs(condition.lhs_days_ago, 0)) yield 'days-ago';
  if (differs(condition.for_days, 1)) yield 'for-days';
  if (rhs_fixed_val) return;
  if (rhs_fn && !isWindowIndicator(rhs_fn)) yield 'indicator';
  if (differs(condition.rhs_days_ago, 0)) yield 'days-ago';
  if (differs(condition.rhs_scale, 1) || differs(condition.rhs_offset, 0)) yield 'scale-and-offset';
}

function* featuresOfFilter({ sort, weighting }: FilterNode): Generator<TreeFeature, void> {
  if (isRecord(sort) && !(FIRST_SORT_NAMES as readonly string[]).includes(sort.fn)) yield 'sort-function';
  if (isRecord(weighting) && weighting.type !== 'equal') yield 'weighting';
}

/** Whether a field holds anything but its default. */
function differs(value: unknown, preset: number): boolean {
  return value !== undefined && value !== null && numberOf(value) !== preset;
}
