import { INDICATORS } from './indicator.ts';
import type { ConditionNode, TreeNode } from './tree.ts';
import type { PlacedNode, Slot } from './tree-walk.ts';

/** How sentences for people name a block: short, without ids. */
export function blockName(node: TreeNode): string {
  switch (node.node_type) {
    case 'root':
      return 'the strategy';
    case 'group':
      return node.name.trim() === '' ? 'Group' : `Group "${node.name}"`;
    case 'wt-cash-equal':
      return 'Equal Weight';
    case 'wt-cash-specified':
      return 'Specified Weight';
    case 'wt-inverse-volatility':
      return 'Inverse Volatility';
    case 'asset':
      return node.ticker.trim() === '' ? 'asset' : node.ticker;
    case 'if-then-else':
      return 'If';
    case 'filter':
      return 'Filter';
    case 'condition':
      return 'condition';
    case 'empty':
      return 'empty block';
    case 'pasted':
      return 'pasted block';
  }
}

const SLOT_NAMES: Readonly<Record<Slot, string>> = {
  children: '',
  conditions: 'the conditions of ',
  then_children: 'Then of ',
  else_children: 'Else of ',
};

/** "Then of If", "Group "Risk on"": the list that a node stands in. */
export function slotName(parent: TreeNode, slot: Slot): string {
  return `${SLOT_NAMES[slot]}${blockName(parent)}`;
}

/** "condition 2 of If" for a condition, otherwise the block's name with the list it stands in. */
export function placedName({ node, parent, slot, index }: PlacedNode): string {
  if (!parent || !slot) return blockName(node);
  if (node.node_type === 'condition') return `condition ${index + 1} of ${blockName(parent)}`;
  return `${blockName(node)} in ${slotName(parent, slot)}`;
}

const COMPARATOR_NAMES = { gt: '>', lt: '<', eq: '=' } as const;

/** "RSI(10) of SPY > 70"; `?` where the condition is not complete. */
export function conditionText(condition: ConditionNode): string {
  const { comparator, rhs_fixed_val, rhs_val } = condition;
  const right = rhs_fixed_val ? String(rhs_val ?? '?') : sideText(condition, 'rhs');
  return `${sideText(condition, 'lhs')} ${comparator ? COMPARATOR_NAMES[comparator] : '?'} ${right}`;
}

function sideText(condition: ConditionNode, side: 'lhs' | 'rhs'): string {
  const fn = condition[`${side}_fn`];
  const value = String(condition[`${side}_val`] ?? '?');
  if (!fn) return value;
  const { usesWindow, shortLabel } = INDICATORS[fn];
  const window = condition[`${side}_fn_params`].window;
  return `${shortLabel}${usesWindow ? `(${window ?? '?'})` : ''} of ${value}`;
}
