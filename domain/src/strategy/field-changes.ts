import { INDICATORS } from './indicator.ts';
import { blockName, COMPARATOR_SIGNS } from './node-names.ts';
import type {
  ConditionNode,
  FilterNode,
  FilterWeighting,
  FunctionParams,
  IndicatorName,
  RootNode,
  StrategySource,
  TreeNode,
  Weight,
} from './tree.ts';
import type { PlacedNode } from './tree-walk.ts';
import { isVariable } from './values.ts';

/** One field of a node that differs: `what` names it for people, the values are as they are shown. */
export interface FieldChange {
  readonly what: string;
  readonly from: string;
  readonly to: string;
}

/**
 * What differs between two versions of one node, its place and its children apart; how blocks are folded on
 * screen is no change.
 */
export function fieldChanges(before: PlacedNode, after: PlacedNode): FieldChange[] {
  const left = before.node;
  const right = after.node;
  const changes: FieldChange[] = [];
  const compare = (what: string, from: unknown, to: unknown): void => {
    if (shown(from) !== shown(to)) changes.push({ what, from: shown(from), to: shown(to) });
  };
  if (left.node_type !== right.node_type) {
    compare('type', typeName(left), typeName(right));
    return changes;
  }
  compare('name', nameOf(left), nameOf(right));
  if (left.node_type === 'root' && right.node_type === 'root') {
    compare('description', left.description, right.description);
    compare('rebalancing', rebalancingText(left), rebalancingText(right));
  }
  if (left.node_type === 'group' && right.node_type === 'group')
    compareSources(left.source, right.source, compare);
  if (left.node_type === 'asset' && right.node_type === 'asset') compare('ticker', left.ticker, right.ticker);
  // Weights count below a block of specified weights only; elsewhere they follow from the block.
  if (before.parent?.node_type === 'wt-cash-specified' && after.parent?.node_type === 'wt-cash-specified')
    compare('weight', weightText(left.weight), weightText(right.weight));
  if (left.node_type === 'wt-inverse-volatility' && right.node_type === 'wt-inverse-volatility')
    compare('window', left.params.window, right.params.window);
  if (
    (left.node_type === 'if-then-else' && right.node_type === 'if-then-else') ||
    (left.node_type === 'condition-group' && right.node_type === 'condition-group')
  )
    compare('rule', ruleName(left.condition_type), ruleName(right.condition_type));
  if (left.node_type === 'filter' && right.node_type === 'filter') compareFilters(left, right, compare);
  if (left.node_type === 'condition' && right.node_type === 'condition')
    compareConditions(left, right, compare);
  return changes;
}

type Compare = (what: string, from: unknown, to: unknown) => void;

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  return String(value);
}

/** Groups and roots have names of their own; an asset's name follows its ticker. */
function nameOf(node: TreeNode): string {
  return node.node_type === 'group' || node.node_type === 'root' ? node.name : '';
}

/** "Revision 3 → 4"; where the strategy is another one, or there is none, the names say which. */
function compareSources(
  before: StrategySource | null | undefined,
  after: StrategySource | null | undefined,
  compare: Compare,
): void {
  if (before && after && before.strategy_id === after.strategy_id)
    compare('revision', before.revision, after.revision);
  else compare('strategy', sourceText(before, after), sourceText(after, before));
}

function sourceText(source: StrategySource | null | undefined, other: typeof source): string {
  if (!source) return '';
  return other?.revision === source.revision
    ? `revision ${source.revision} of ${source.strategy_id}`
    : `revision ${source.revision}`;
}

function typeName(node: TreeNode): string {
  return node.node_type === 'group' ? 'Group' : node.node_type === 'asset' ? 'Asset' : blockName(node);
}

function ruleName(type: string): string {
  return type === 'anyOf' ? 'any of the conditions' : 'all of the conditions';
}

/** "40%", "$W%", or the fraction as it stands where it is neither. */
export function weightText({ num, den }: Weight): string {
  const share = Number(num) / Number(den);
  if (isVariable(num) && Number(den) === 100) return `${num}%`;
  return Number.isFinite(share) ? `${Number((share * 100).toFixed(4))}%` : `${num}/${den}`;
}

/** "monthly on the last day", "when 5% off" as a strategy's line and its history say it. */
export function rebalancingText({ rebalance, rebalance_on, corridor }: RootNode): string {
  switch (rebalance ?? 'daily') {
    case 'daily':
    case 'never':
      return rebalance ?? 'daily';
    case 'corridor':
      return `when a weight is ${corridor ?? '?'} points off`;
    default:
      return `${rebalance} on the ${rebalance_on ?? 'last'} day`;
  }
}

/** "equally", "by 20-day inverse volatility", "60%, 40% by rank". */
export function weightingText(weighting: FilterWeighting | null | undefined): string {
  switch (weighting?.type) {
    case 'inverse-volatility':
      return `by ${weighting.window}-day inverse volatility`;
    case 'by-rank':
      return `${weighting.weights.map(weightText).join(', ')} by rank`;
    default:
      return 'equally';
  }
}

function compareFilters(left: FilterNode, right: FilterNode, compare: Compare): void {
  compare('sort function', INDICATORS[left.sort.fn].label, INDICATORS[right.sort.fn].label);
  compareParameters([left.sort.fn, right.sort.fn], [left.sort.params, right.sort.params], '', compare);
  compare('selection', `${left.select.fn} ${left.select.num}`, `${right.select.fn} ${right.select.num}`);
  compare('weighting', weightingText(left.weighting), weightingText(right.weighting));
}

/** The parameters that the newer function has, or where it has none, the older one. */
function compareParameters(
  [before, after]: readonly [IndicatorName | null, IndicatorName | null],
  [from, to]: readonly [FunctionParams, FunctionParams],
  fallback: string,
  compare: Compare,
): void {
  const fn = after ?? before;
  if (!fn) return;
  const { parameters, shortLabel, isPair } = INDICATORS[fn];
  const shared = parameters.length > 0 || !before ? parameters : INDICATORS[before].parameters;
  const name = after ? shortLabel : fallback;
  for (const { name: parameter, label, default: preset } of shared)
    compare(`${name} ${label}`, from[parameter] ?? preset, to[parameter] ?? preset);
  if (isPair) compare(`${name} second series`, from.with, to.with);
}

function compareConditions(left: ConditionNode, right: ConditionNode, compare: Compare): void {
  const isFixed = left.rhs_fixed_val && right.rhs_fixed_val;
  for (const side of ['lhs', 'rhs'] as const) {
    const label = side === 'lhs' ? 'left' : 'right';
    const isValue = side === 'rhs' && isFixed;
    const fns = [left[`${side}_fn`], right[`${side}_fn`]] as const;
    if (!isValue) {
      compare(`${label} function`, fns[0] && INDICATORS[fns[0]].label, fns[1] && INDICATORS[fns[1]].label);
      compareParameters(fns, [left[`${side}_fn_params`], right[`${side}_fn_params`]], label, compare);
      compare(`${label} days ago`, left[`${side}_days_ago`] ?? 0, right[`${side}_days_ago`] ?? 0);
    }
    compare(isValue ? 'value' : `${label} side`, left[`${side}_val`], right[`${side}_val`]);
  }
  if (!isFixed) {
    compare('right scale', left.rhs_scale ?? 1, right.rhs_scale ?? 1);
    compare('right offset', left.rhs_offset ?? 0, right.rhs_offset ?? 0);
  }
  if (left.rhs_fixed_val !== right.rhs_fixed_val)
    compare(
      'comparison',
      left.rhs_fixed_val ? 'with a value' : 'with an indicator',
      right.rhs_fixed_val ? 'with a value' : 'with an indicator',
    );
  compare(
    'comparator',
    left.comparator && COMPARATOR_SIGNS[left.comparator],
    right.comparator && COMPARATOR_SIGNS[right.comparator],
  );
  compare('days to hold', left.for_days ?? 1, right.for_days ?? 1);
}
