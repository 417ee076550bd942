import { INDICATORS, isIndicatorName } from './indicator.ts';
import type { Faults, Node, NumberBounds } from './validation-faults.ts';
import { field, isRecord, listOf, numberOf, quote, sidesOf } from './values.ts';

/** A condition stands in at most so many groups. */
export const MAX_CONDITION_GROUPS = 8;
export const MAX_DAYS_AGO = 2000;
export const MAX_FOR_DAYS = 252;

export const COMPARATORS = ['gt', 'lt', 'eq', 'gte', 'lte'] as const;

export const DAYS_AGO: NumberBounds = { isWhole: true, min: 0, max: MAX_DAYS_AGO };
export const FOR_DAYS: NumberBounds = { isWhole: true, min: 1, max: MAX_FOR_DAYS };
const ANY_NUMBER: NumberBounds = { isWhole: false, min: null, max: null };

/**
 * Checks the conditions of an if or of a condition group, and how they are joined.
 * @param groups how many groups are around them, the owner counted
 */
export function checkConditions(faults: Faults, owner: Node, groups: number, codeOfNone: string): void {
  const conditions = listOf(owner, 'conditions');
  const type = field(owner, 'condition_type');
  if (conditions === null) {
    const given = quote(field(owner, 'conditions'));
    faults.add(owner, 'invalid_list', `has ${given} as conditions, expected a list`);
  } else if (conditions.length === 0) faults.add(owner, codeOfNone, 'has no conditions');
  else if (type !== 'allOf' && type !== 'anyOf')
    faults.add(
      owner,
      'invalid_condition_type',
      `joins its conditions by ${quote(type)}, expected allOf or anyOf`,
    );
  for (const item of conditions ?? []) {
    if (faults.isFull) return;
    if (!isRecord(item))
      faults.add(owner, 'incomplete_condition', `has ${quote(item)} where a condition is expected`);
    else if (field(item, 'node_type') === 'condition-group') checkGroup(faults, item, groups + 1);
    else checkCondition(faults, item);
  }
}

function checkGroup(faults: Faults, group: Node, groups: number): void {
  faults.id(group);
  if (groups > MAX_CONDITION_GROUPS) {
    const fault = `is nested too deep: a condition stands in at most ${MAX_CONDITION_GROUPS} condition groups`;
    faults.add(group, 'too_deep', fault);
    return;
  }
  checkConditions(faults, group, groups, 'group_without_conditions');
}

function checkCondition(faults: Faults, node: Node): void {
  const type = field(node, 'node_type');
  if (type !== undefined && type !== 'condition') {
    faults.add(node, 'unknown_node_type', `has the type ${quote(type)} where a condition is expected`);
    return;
  }
  faults.id(node);
  checkSide(faults, node, 'lhs', 'left');
  const comparator = field(node, 'comparator');
  if (comparator === undefined || comparator === null || comparator === '')
    faults.add(node, 'incomplete_condition', 'is incomplete: it has no comparator');
  else if (!(COMPARATORS as readonly unknown[]).includes(comparator))
    faults.add(node, 'incomplete_condition', `has the unknown comparator ${quote(comparator)}`);
  faults.optional(node, 'lhs_days_ago', DAYS_AGO, 'left days ago');
  faults.optional(node, 'for_days', FOR_DAYS, 'number of days to hold');
  const isFixed = field(node, 'rhs_fixed_val');
  if (isFixed === true) {
    checkFixedValue(faults, node);
    return;
  }
  // 1 or "true" would be a fixed value to some readers and none to others.
  if (isFixed)
    faults.add(
      node,
      'incomplete_condition',
      `has ${quote(isFixed)} as rhs_fixed_val, expected true or false`,
    );
  checkSide(faults, node, 'rhs', 'right');
  faults.optional(node, 'rhs_days_ago', DAYS_AGO, 'right days ago');
  faults.optional(node, 'rhs_scale', ANY_NUMBER, 'right scale');
  faults.optional(node, 'rhs_offset', ANY_NUMBER, 'right offset');
}

function checkSide(faults: Faults, node: Node, side: 'lhs' | 'rhs', label: string): void {
  const fn = field(node, `${side}_fn`);
  if (fn === undefined || fn === null || fn === '') {
    faults.add(node, 'incomplete_condition', `is incomplete: its ${label} side has no function`);
  } else if (!isIndicatorName(fn)) {
    faults.add(node, 'unknown_function', `has the unknown function ${quote(fn)} on its ${label} side`);
  } else {
    const params = field(node, `${side}_fn_params`);
    faults.parameters(node, fn, params, `${label} `);
    if (INDICATORS[fn].isPair)
      checkSeries(faults, node, isRecord(params) ? field(params, 'with') : undefined, {
        missing: `is incomplete: its ${label} side has no second ticker to compare with`,
        where: `as the second series of its ${label} side`,
      });
  }
  checkSeries(faults, node, field(node, `${side}_val`), {
    missing: `is incomplete: its ${label} side has no ticker`,
    where: `on its ${label} side`,
  });
}

function checkSeries(
  faults: Faults,
  node: Node,
  value: unknown,
  { missing, where }: { readonly missing: string; readonly where: string },
): void {
  if (typeof value !== 'string' || value.trim() === '') {
    faults.add(node, 'incomplete_condition', missing);
    return;
  }
  const sides = sidesOf(value);
  if (sides.length > 2 || sides.some((ticker) => ticker.trim() === '')) {
    const fault = `has ${quote(value)} ${where}, expected a ticker or a ratio A/B`;
    faults.add(node, 'incomplete_condition', fault);
    return;
  }
  for (const ticker of sides) faults.ticker(node, ticker);
}

function checkFixedValue(faults: Faults, node: Node): void {
  const value = field(node, 'rhs_val');
  if (typeof value === 'string' && value.startsWith('$')) faults.variable(node, value);
  else if (value === undefined || value === null || value === '')
    faults.add(node, 'incomplete_condition', 'is incomplete: it has no value to compare with');
  else if (numberOf(value) === null)
    faults.add(node, 'incomplete_condition', `compares with ${quote(value)}, expected a number`);
}
