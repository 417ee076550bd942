import type { Comparator, ConditionItem, ConditionNode } from '@quantloom/domain/strategy/tree';
import { type Indicator, parseIndicator, readNumber } from './indicator-calls.ts';

export interface Condition {
  readonly kind: 'condition';
  readonly id: string;
  readonly comparator: Comparator;
  readonly left: Indicator;
  readonly right: Indicator | number;
  /** Days of the calendar that the sides look back. */
  readonly leftDaysAgo: number;
  readonly rightDaysAgo: number;
  /** An indicator on the right counts as `value * scale + offset`. */
  readonly scale: number;
  readonly offset: number;
  /** Days up to and including today on all of which the comparison must be true. */
  readonly forDays: number;
}

/** Conditions and further groups, joined by all or any. */
export interface ConditionGroup {
  readonly kind: 'group';
  readonly needsAll: boolean;
  readonly items: readonly AnyCondition[];
}

export type AnyCondition = Condition | ConditionGroup;

/** Reads a validated condition or group. */
export function parseCondition(node: ConditionItem): AnyCondition {
  if (node.node_type === 'condition-group')
    return {
      kind: 'group',
      needsAll: node.condition_type === 'allOf',
      items: node.conditions.map(parseCondition),
    };
  return parseOne(node);
}

function parseOne(node: ConditionNode): Condition {
  if (node.comparator === null) throw new Error(`Condition ${node.id} without comparator passed validation`);
  const isFixed = node.rhs_fixed_val;
  return {
    kind: 'condition',
    id: node.id,
    comparator: node.comparator,
    left: parseIndicator(node.lhs_fn, node.lhs_val, node.lhs_fn_params),
    right: isFixed ? readNumber(node.rhs_val) : parseIndicator(node.rhs_fn, node.rhs_val, node.rhs_fn_params),
    leftDaysAgo: readNumber(node.lhs_days_ago ?? 0),
    rightDaysAgo: isFixed ? 0 : readNumber(node.rhs_days_ago ?? 0),
    scale: isFixed ? 1 : readNumber(node.rhs_scale ?? 1),
    offset: isFixed ? 0 : readNumber(node.rhs_offset ?? 0),
    forDays: readNumber(node.for_days ?? 1),
  };
}

/** The conditions of a list, those in its groups included, in reading order. */
export function* conditionsIn(items: readonly AnyCondition[]): Generator<Condition> {
  for (const item of items) {
    if (item.kind === 'group') yield* conditionsIn(item.items);
    else yield item;
  }
}

/** The sides of a condition that are indicators, each with the days that it looks back. */
export function sidesOf({
  left,
  right,
  leftDaysAgo,
  rightDaysAgo,
}: Condition): readonly { readonly indicator: Indicator; readonly daysAgo: number }[] {
  const first = { indicator: left, daysAgo: leftDaysAgo };
  return typeof right === 'number' ? [first] : [first, { indicator: right, daysAgo: rightDaysAgo }];
}

/** What a list of conditions computes, without ids. */
export function signatureOfConditions(items: readonly AnyCondition[]): string {
  return items.map(signatureOf).join(';');
}

function signatureOf(item: AnyCondition): string {
  if (item.kind === 'group') return `${item.needsAll ? '&' : '|'}(${signatureOfConditions(item.items)})`;
  const { comparator, left, right, leftDaysAgo, rightDaysAgo, scale, offset, forDays } = item;
  const side = (value: Indicator | number) =>
    typeof value === 'number'
      ? String(value)
      : JSON.stringify([value.series, value.second, value.fn, value.params]);
  const further = [leftDaysAgo, rightDaysAgo, scale, offset, forDays].join('|');
  return `${side(left)}${comparator}${side(right)}@${further}`;
}
