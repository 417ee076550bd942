import { blockEntry } from './block-table.ts';
import { INDICATORS, isIndicatorName } from './indicator.ts';
import { MAX_DEPTH } from './validation.ts';
import { MAX_CONDITION_GROUPS } from './validation-conditions.ts';
import { field, isRecord, listOf } from './values.ts';

/**
 * Tells every value of a tree that stands where a ticker, a ratio or a variable for one is meant, in reading
 * order. Places the engine ignores (the right side of a fixed value, the second series of a function that has
 * none) are left out. Total: takes any JSON value.
 */
export function forEachTickerPlace(algorithm: unknown, tell: (value: string) => void): void {
  visit(algorithm, (value) => void (typeof value === 'string' && value !== '' && tell(value)), 0);
}

/**
 * Of these places the ones whose prices decide something: both sides of conditions, and assets that a filter
 * ranks or inverse volatility weighs. What is only held is left out.
 */
export function forEachDecisionPlace(algorithm: unknown, tell: (value: string) => void): void {
  visitDecisions(algorithm, (value) => void (typeof value === 'string' && value !== '' && tell(value)), 0);
}

function visitDecisions(node: unknown, tell: Tell, depth: number): void {
  if (!isRecord(node) || depth > MAX_DEPTH) return;
  visitConditions(node, tell, 0);
  const decides = blockEntry(field(node, 'node_type'))?.ranksChildren;
  for (const name of ['children', 'then_children', 'else_children'])
    for (const child of listOf(node, name) ?? []) {
      if (decides && isRecord(child) && field(child, 'node_type') === 'asset') tell(field(child, 'ticker'));
      visitDecisions(child, tell, depth + 1);
    }
}

type Tell = (value: unknown) => void;

function visit(node: unknown, tell: Tell, depth: number): void {
  if (!isRecord(node) || depth > MAX_DEPTH) return;
  if (field(node, 'node_type') === 'asset') tell(field(node, 'ticker'));
  visitConditions(node, tell, 0);
  for (const name of ['children', 'then_children', 'else_children'])
    for (const child of listOf(node, name) ?? []) visit(child, tell, depth + 1);
}

function visitConditions(owner: Record<string, unknown>, tell: Tell, groups: number): void {
  for (const item of listOf(owner, 'conditions') ?? []) {
    if (!isRecord(item)) continue;
    if (field(item, 'node_type') === 'condition-group') {
      if (groups < MAX_CONDITION_GROUPS) visitConditions(item, tell, groups + 1);
      continue;
    }
    visitSide(item, 'lhs', tell);
    if (field(item, 'rhs_fixed_val') !== true) visitSide(item, 'rhs', tell);
  }
}

function visitSide(condition: Record<string, unknown>, side: 'lhs' | 'rhs', tell: Tell): void {
  tell(field(condition, `${side}_val`));
  const fn = field(condition, `${side}_fn`);
  const params = field(condition, `${side}_fn_params`);
  if (isIndicatorName(fn) && INDICATORS[fn].isPair && isRecord(params)) tell(field(params, 'with'));
}
