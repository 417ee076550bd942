/** A strategy in words: what a block says on its one line, and how a condition reads. */
import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { BlockNode, ConditionNode, FilterNode, TreeNode } from '@quantloom/domain/strategy/tree';
import { SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';
import { plural } from '../../../lib/format.ts';

export const COMPARATOR_SIGNS = { gt: '>', lt: '<', eq: '=' } as const;

/** `SPY`, `$A`, or `Ratio of SPY to $A`; whatever is no variable in upper case. */
export function tickerWords(value: string): string {
  const upper = (side: string) => (side.startsWith('$') ? side : side.toUpperCase());
  const [left = '', right] = value.split('/');
  return right === undefined ? upper(left) : `Ratio of ${upper(left)} to ${upper(right)}`;
}

/** `RSI(SPY, 10)`; `Current Price(SPY)` where the window plays no part. */
export function indicatorWords(
  fn: ConditionNode['lhs_fn'],
  value: string | number | null,
  window: number | string | undefined,
): string {
  if (!fn || value === null || value === '') return '…';
  const { shortLabel, usesWindow } = INDICATORS[fn];
  const ticker = String(value).includes('/') ? String(value).toUpperCase() : tickerWords(String(value));
  return usesWindow ? `${shortLabel}(${ticker}, ${window ?? 10})` : `${shortLabel}(${ticker})`;
}

/** `RSI(SPY, 10) > 79`. */
export function conditionWords(condition: ConditionNode): string {
  const left = indicatorWords(condition.lhs_fn, condition.lhs_val, condition.lhs_fn_params.window);
  const right = condition.rhs_fixed_val
    ? (condition.rhs_val ?? '…')
    : indicatorWords(condition.rhs_fn, condition.rhs_val, condition.rhs_fn_params.window);
  return `${left} ${condition.comparator ? COMPARATOR_SIGNS[condition.comparator] : '?'} ${right}`;
}

/** `Top 1 by RSI(10)`. */
export function filterWords({ sort, select }: Pick<FilterNode, 'sort' | 'select'>): string {
  return `${select.fn === 'top' ? 'Top' : 'Bottom'} ${select.num} by ${INDICATORS[sort.fn].shortLabel}(${sort.params.window})`;
}

/** What kind of block it is, as the page calls it. */
export function kindWords(node: TreeNode): string {
  switch (node.node_type) {
    case 'root':
      return 'Strategy';
    case 'group':
      return 'Group';
    case 'wt-cash-equal':
      return 'Weight equally';
    case 'wt-cash-specified':
      return 'Weight by percentages';
    case 'wt-inverse-volatility':
      return `Weight by inverse volatility over ${node.params.window} days`;
    case 'if-then-else':
      return 'If / Then / Else';
    case 'filter':
      return 'Filter';
    case 'condition':
      return 'Condition';
    case 'asset':
      return 'Asset';
    case 'empty':
    case 'pasted':
      return 'Empty block';
  }
}

/** A block in a few words, for undo labels, drag previews and the list of problems. */
export function blockWords(node: TreeNode): string {
  if (node.node_type === 'asset') return node.ticker;
  if (node.node_type === 'group') return node.name.trim() === '' ? 'group' : `“${node.name}”`;
  if (node.node_type === 'condition') return conditionWords(node);
  if (node.node_type === 'filter') return filterWords(node);
  return kindWords(node).toLowerCase();
}

/** A block with what would go with it. */
export function wholeWords(node: TreeNode): string {
  const isEmpty = SLOTS.every((slot) => slotOf(node, slot).every(({ node_type }) => node_type === 'empty'));
  return isEmpty ? blockWords(node) : `${blockWords(node)} and everything in it`;
}

function blockCount(children: readonly (BlockNode | ConditionNode)[]): string {
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
      return conditionWords(node);
    case 'asset':
      return node.ticker;
    default: {
      const children = slotOf(node, 'children');
      return children.length === 0 ? kindWords(node) : `${kindWords(node)}: ${blockCount(children)}`;
    }
  }
}
