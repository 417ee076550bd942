import { BLOCKS } from './block-table.ts';
import { INDICATORS } from './indicator.ts';
import type { ConditionGroupNode, ConditionItem, ConditionNode, FunctionParams, TreeNode } from './tree.ts';
import type { PlacedNode, Slot } from './tree-walk.ts';

/** How sentences for people name a block: short, without ids. */
export function blockName(node: TreeNode): string {
  const { name } = BLOCKS[node.node_type];
  switch (node.node_type) {
    case 'group':
      return node.name.trim() === '' ? name : `${name} "${node.name}"`;
    case 'asset':
      return node.ticker.trim() === '' ? name : node.ticker;
    case 'condition-group':
      return node.condition_type === 'anyOf' ? 'group of any' : 'group of all';
    default:
      return name;
  }
}

const SLOT_NAMES: Readonly<Record<Slot, string>> = {
  children: '',
  conditions: 'the conditions of ',
  then_children: 'Then of ',
  else_children: 'Else of ',
};

/**
 * "Then of If RSI(10) of SPY > 70", "Group "Risk on"": the list that a node stands in. An if says which by
 * its first condition.
 */
export function slotName(parent: TreeNode, slot: Slot): string {
  const isBranch = slot === 'then_children' || slot === 'else_children';
  const conditions = isBranch && parent.node_type === 'if-then-else' ? parent.conditions : [];
  const said = conditionsInShort(conditions);
  return `${SLOT_NAMES[slot]}${blockName(parent)}${said === '' ? '' : ` ${said}`}`;
}

/** Characters of a condition within the name of a place. */
const LONGEST = 60;

/** The beginning of the first condition, and a mark where there are more; nothing where there are none. */
export function conditionsInShort(conditions: readonly ConditionItem[]): string {
  const [first] = conditions;
  if (!first) return '';
  const text = beginningOf(first, LONGEST);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `${short}${conditions.length > 1 ? ' …' : ''}`;
}

/**
 * `conditionText`, or more than so many characters of it: a group may hold thousands of conditions, and each
 * change below it names it.
 */
function beginningOf(item: ConditionItem, most: number): string {
  if (item.node_type !== 'condition-group') return conditionText(item);
  let text = groupWords(item);
  for (const [index, inner] of item.conditions.entries()) {
    if (text.length > most) return text;
    text += `${index > 0 ? ', ' : ''}${beginningOf(inner, most - text.length)}`;
  }
  return `${text})`;
}

/** "condition 2 of If" for a condition or a group of them, otherwise the block's name with the list it stands in. */
export function placedName({ node, parent, slot, index }: PlacedNode): string {
  if (!parent || !slot) return blockName(node);
  if (node.node_type === 'condition' || node.node_type === 'condition-group')
    return `condition ${index + 1} of ${blockName(parent)}`;
  return `${blockName(node)} in ${slotName(parent, slot)}`;
}

export const COMPARATOR_SIGNS = { gt: '>', lt: '<', eq: '=', gte: '≥', lte: '≤' } as const;

/** "RSI(10) of SPY > 70", "any of (RSI(10) of SPY > 70, …)"; `?` where the condition is not complete. */
export function conditionText(item: ConditionItem): string {
  if (item.node_type === 'condition-group') {
    return `${groupWords(item)}${item.conditions.map(conditionText).join(', ')})`;
  }
  const { comparator, rhs_fixed_val, rhs_val } = item;
  const right = rhs_fixed_val ? String(rhs_val ?? '?') : rightText(item);
  const text = `${sideText(item, 'lhs')} ${comparator ? COMPARATOR_SIGNS[comparator] : '?'} ${right}`;
  return isOther(item.for_days, 1) ? `${text} for ${daysText(item.for_days)}` : text;
}

const groupWords = (group: ConditionGroupNode): string =>
  `${group.condition_type === 'anyOf' ? 'any' : 'all'} of (`;

function rightText(condition: ConditionNode): string {
  const { rhs_scale, rhs_offset } = condition;
  const scale = isOther(rhs_scale, 1) ? `${rhs_scale} × ` : '';
  const isMinus = Number(rhs_offset) < 0;
  const offset = isOther(rhs_offset, 0) ? ` ${isMinus ? `− ${-Number(rhs_offset)}` : `+ ${rhs_offset}`}` : '';
  return `${scale}${sideText(condition, 'rhs')}${offset}`;
}

function isOther(value: number | string | null | undefined, preset: number): boolean {
  return value !== undefined && value !== null && Number(value) !== preset;
}

/** "1 day", "3 days", "$N days". */
const daysText = (days: number | string | null | undefined): string =>
  Number(days) === 1 ? '1 day' : `${days} days`;

function sideText(condition: ConditionNode, side: 'lhs' | 'rhs'): string {
  const fn = condition[`${side}_fn`];
  const value = String(condition[`${side}_val`] ?? '?');
  if (!fn) return value;
  const params = condition[`${side}_fn_params`];
  const days = condition[`${side}_days_ago`];
  const second = INDICATORS[fn].isPair ? ` with ${params.with ?? '?'}` : '';
  const ago = isOther(days, 0) ? ` ${daysText(days)} ago` : '';
  return `${INDICATORS[fn].shortLabel}${parameterText(fn, params)} of ${value}${second}${ago}`;
}

/** "(10)", "(12, 26, 9)" with the defaults filled in, or nothing for a function without numbers. */
export function parameterText(fn: keyof typeof INDICATORS, params: FunctionParams): string {
  const numbers = INDICATORS[fn].parameters.map(({ name, default: preset }) => params[name] ?? preset ?? '?');
  return numbers.length === 0 ? '' : `(${numbers.join(', ')})`;
}
