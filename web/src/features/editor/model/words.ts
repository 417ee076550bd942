import { BLOCKS } from '@quantloom/domain/strategy/block-table';
/** A strategy in words: what a block says on its one line, and how a condition reads. */
import { rebalancingText, weightingText } from '@quantloom/domain/strategy/field-changes';
import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import { indicatorText } from '@quantloom/domain/strategy/indicator-words';
import { COMPARATOR_SIGNS } from '@quantloom/domain/strategy/node-names';
import type {
  Algorithm,
  BlockNode,
  ConditionGroupNode,
  ConditionItem,
  ConditionNode,
  FilterNode,
  FunctionParams,
  IndicatorName,
  TreeNode,
} from '@quantloom/domain/strategy/tree';
import { SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';
import { plural } from '../../../lib/format.ts';

/** `SPY`, `$A`, or `Ratio of SPY to $A`; whatever is no variable in upper case. */
export function tickerWords(value: string): string {
  const upper = (side: string) => (side.startsWith('$') ? side : side.toUpperCase());
  const [left = '', right] = value.split('/');
  return right === undefined ? upper(left) : `Ratio of ${upper(left)} to ${upper(right)}`;
}

/** Where plain words are shorter than a function and an abbreviation: `126-day return`. */
const PLAIN_WORDS: Partial<Record<IndicatorName, (window: string) => string>> = {
  'cumulative-return': (window) => `${window}-day return`,
  'moving-average-return': (window) => `${window}-day average return`,
  'standard-deviation-return': (window) => `${window}-day volatility`,
  'max-drawdown': (window) => `${window}-day max drawdown`,
  'current-drawdown': (window) => `drawdown from the ${window}-day high`,
};

/**
 * `RSI(SPY, 10)`; `Correlation(SPY, TLT, 60)`; `60-day return of SPY` where plain words are shorter than a
 * function.
 */
function indicatorWords(
  fn: ConditionNode['lhs_fn'],
  value: string | number | null,
  params: FunctionParams,
): string {
  if (!fn || value === null || value === '') return '…';
  const series = (name: string) => (name.includes('/') ? name.toUpperCase() : tickerWords(name));
  const numbers = parameterWords(fn, params);
  const plain = PLAIN_WORDS[fn]?.(numbers[0] ?? '10');
  if (plain !== undefined) return `${plain} of ${series(String(value))}`;
  const second = INDICATORS[fn].isPair ? [params.with ? series(params.with) : '…'] : [];
  return indicatorText(fn, [series(String(value)), ...second], numbers);
}

/** The numbers of a function, its defaults filled in; a window that is not stored is one of 10. */
function parameterWords(fn: IndicatorName, params: FunctionParams): string[] {
  return INDICATORS[fn].parameters.map(({ name, default: preset }) => String(params[name] ?? preset ?? 10));
}

const isOther = (value: number | string | null | undefined, preset: number): boolean =>
  value !== undefined && value !== null && Number(value) !== preset;

const daysWords = (days: number | string): string => (Number(days) === 1 ? '1 day' : `${days} days`);

function sideWords(condition: ConditionNode, side: 'lhs' | 'rhs'): string {
  const days = condition[`${side}_days_ago`];
  const words = indicatorWords(
    condition[`${side}_fn`],
    condition[`${side}_val`],
    condition[`${side}_fn_params`],
  );
  if (!days || !isOther(days, 0)) return words;
  // "of SPY of 2 days ago" would be one "of" too many.
  return `${words}${words.endsWith(')') ? ' of' : ''} ${daysWords(days)} ago`;
}

/** What stands behind a number that is compared with a function. */
const unitOf = (fn: ConditionNode['lhs_fn']): string => (fn && INDICATORS[fn].unit === 'percent' ? '%' : '');

function rightWords(condition: ConditionNode): string {
  const { rhs_fixed_val: isFixed, rhs_val: value, rhs_scale: scale, rhs_offset: offset } = condition;
  if (isFixed) return value === null || value === '' ? '…' : `${value}${unitOf(condition.lhs_fn)}`;
  const unit = unitOf(condition.rhs_fn);
  const scaled = isOther(scale, 1) ? `${scale} × ` : '';
  const moved = isOther(offset, 0)
    ? ` ${Number(offset) < 0 ? `− ${-Number(offset)}` : `+ ${offset}`}${unit}`
    : '';
  return `${scaled}${sideWords(condition, 'rhs')}${moved}`;
}

/**
 * `RSI(SPY, 10) > 79`; `60-day return of SPY > 5%`;
 * `RSI(TQQQ, 10) of 2 days ago ≥ 1.05 × RSI(SPY, 10) for 3 days`; `any of (…, …)` for a group.
 */
export function conditionWords(item: ConditionItem): string {
  if (item.node_type === 'condition-group') {
    const inside = item.conditions.map(conditionWords).join(', ') || '…';
    return `${item.condition_type === 'anyOf' ? 'any' : 'all'} of (${inside})`;
  }
  const sign = item.comparator ? COMPARATOR_SIGNS[item.comparator] : '?';
  const words = `${sideWords(item, 'lhs')} ${sign} ${rightWords(item)}`;
  return item.for_days && isOther(item.for_days, 1) ? `${words} for ${daysWords(item.for_days)}` : words;
}

/** The line of a group of conditions, above them. */
export const groupWords = ({ condition_type: type }: ConditionGroupNode): string =>
  type === 'anyOf' ? 'any of these' : 'all of these';

/** `Top 1 by RSI(10)`; `Top 2 by 126-day return, weighted by 20-day inverse volatility`. */
export function filterWords({
  sort,
  select,
  weighting,
}: Pick<FilterNode, 'sort' | 'select' | 'weighting'>): string {
  const numbers = parameterWords(sort.fn, sort.params);
  const named = `${INDICATORS[sort.fn].shortLabel}${numbers.length > 0 ? `(${numbers.join(', ')})` : ''}`;
  const by = PLAIN_WORDS[sort.fn]?.(numbers[0] ?? '10') ?? named;
  const weighted = weighting && weighting.type !== 'equal' ? `, weighted ${weightingText(weighting)}` : '';
  return `${select.fn === 'top' ? 'Top' : 'Bottom'} ${select.num} by ${by}${weighted}`;
}

/** `rebalanced monthly on the last day`, `rebalanced when a weight is 5 points off`, `never rebalanced`. */
export function rebalancingWords(algorithm: Algorithm): string {
  return algorithm.rebalance === 'never' ? 'never rebalanced' : `rebalanced ${rebalancingText(algorithm)}`;
}

/** What kind of block it is, as the page calls it. */
export function kindWords(node: TreeNode): string {
  const { words } = BLOCKS[node.node_type];
  return node.node_type === 'wt-inverse-volatility' ? `${words} over ${node.params.window} days` : words;
}

/** A block in a few words, for undo labels, drag previews and the list of problems. */
export function blockWords(node: TreeNode): string {
  if (node.node_type === 'asset') return node.ticker;
  if (node.node_type === 'group') return node.name.trim() === '' ? 'group' : `“${node.name}”`;
  if (node.node_type === 'condition' || node.node_type === 'condition-group') return conditionWords(node);
  if (node.node_type === 'filter') return filterWords(node);
  return kindWords(node).toLowerCase();
}

/** A block with what would go with it. */
export function wholeWords(node: TreeNode): string {
  const isEmpty = SLOTS.every((slot) => slotOf(node, slot).every(({ node_type }) => node_type === 'empty'));
  return isEmpty ? blockWords(node) : `${blockWords(node)} and everything in it`;
}

function blockCount(children: readonly (BlockNode | ConditionItem)[]): string {
  const blocks = children.filter(({ node_type }) => node_type !== 'empty');
  const [only] = blocks;
  return blocks.length === 1 && only?.node_type === 'asset' ? only.ticker : plural(blocks.length, 'block');
}

/** The one line that stands for a collapsed block: `IF RSI(SPY, 10) > 79 THEN 3 blocks ELSE TLT`. */
export function summaryWords(node: TreeNode): string {
  switch (node.node_type) {
    case 'if-then-else': {
      const joint = node.condition_type === 'allOf' ? ' AND ' : ' OR ';
      const conditions = node.conditions.map(conditionWords).join(joint) || '…';
      return `IF ${conditions} THEN ${blockCount(node.then_children)} ELSE ${blockCount(node.else_children)}`;
    }
    case 'filter':
      return `${filterWords(node)} of ${blockCount(node.children)}`;
    case 'condition':
    case 'condition-group':
      return conditionWords(node);
    case 'asset':
      return node.ticker;
    default: {
      const children = slotOf(node, 'children');
      return children.length === 0 ? kindWords(node) : `${kindWords(node)}: ${blockCount(children)}`;
    }
  }
}
