import type { ConditionNode, FilterNode, FilterWeighting, RootNode } from '../../strategy/tree.ts';
import { field, isRecord } from '../../strategy/values.ts';
import { sourceNumber } from '../numbers.ts';
import { EXTRAS, type Fields } from './fields.ts';

/*
 * What an export carries beside the fields of that tool, in a member `quantloom` of the node: what it cannot express. It makes an import
 * of the export the same strategy again; that tool does not know it, and the report of the export says so.
 */

const CONDITION_EXTRAS = ['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'] as const;

/** The fields of a condition that have no place in that tool, where they are not the default. */
export function extrasOfCondition(node: ConditionNode): Partial<ConditionNode> {
  const extras: Record<string, unknown> = {};
  for (const name of CONDITION_EXTRAS) {
    const value = node[name];
    const preset = name === 'rhs_scale' || name === 'for_days' ? 1 : 0;
    if (value !== undefined && value !== null && sourceNumber(value) !== preset) extras[name] = value;
  }
  return extras;
}

function extrasOf(fields: Fields): Readonly<Record<string, unknown>> {
  const extras = fields.get(EXTRAS);
  return isRecord(extras) ? extras : {};
}

/** The same read back; what each holds is checked with the tree. */
export function conditionExtras(fields: Fields): Partial<ConditionNode> {
  const extras = extrasOf(fields);
  const known = CONDITION_EXTRAS.filter((name) => isNumberLike(field(extras, name)));
  return Object.fromEntries(known.map((name) => [name, field(extras, name)]));
}

export function filterExtras(fields: Fields): Pick<FilterNode, 'weighting'> {
  const weighting = field(extrasOf(fields), 'weighting');
  return isRecord(weighting) ? { weighting: weighting as FilterWeighting } : {};
}

export function rootExtras(fields: Fields): Partial<Pick<RootNode, 'rebalance_on' | 'corridor'>> {
  const extras = extrasOf(fields);
  const on = field(extras, 'rebalance_on');
  const corridor = field(extras, 'corridor');
  return {
    ...((on === 'first' || on === null) && { rebalance_on: on }),
    ...(isNumberLike(corridor) && { corridor }),
  };
}

function isNumberLike(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}
