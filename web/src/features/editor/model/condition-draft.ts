import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { ParameterName } from '@quantloom/domain/strategy/indicator-table';
import type {
  Comparator,
  ConditionItem,
  ConditionNode,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { MAX_DAYS_AGO, MAX_FOR_DAYS } from '@quantloom/domain/strategy/validation-conditions';
import { entryFault, readNumberOrVariable } from '../../../lib/number-entry.ts';
import {
  type ParameterTexts,
  parameterFaults,
  parameterTexts,
  storedParameters,
} from './parameter-entries.ts';
import { conditionWords } from './words.ts';

/** A condition while it is edited. Both kinds of right side are kept, so that the toggle can swap between them. */
export interface ConditionDraft {
  readonly lhsFn: IndicatorName | null;
  readonly lhsParams: ParameterTexts;
  readonly lhsValue: string;
  readonly comparator: Comparator | null;
  readonly isFixed: boolean;
  readonly rhsFn: IndicatorName | null;
  readonly rhsParams: ParameterTexts;
  /** The stored asset value of the right side. */
  readonly rhsValue: string;
  /** The stored fixed value. */
  readonly fixedValue: string;
  /** Empty where nothing is stored: the default. So are the other four. */
  readonly lhsDaysAgo: string;
  readonly rhsDaysAgo: string;
  readonly rhsScale: string;
  readonly rhsOffset: string;
  readonly forDays: string;
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/**
 * What else can be said of a condition: where it is stored, how the field is called, its bounds and what
 * counts when it is left empty.
 */
export const FURTHER_FIELDS = [
  {
    name: 'lhsDaysAgo',
    stored: 'lhs_days_ago',
    label: 'Left: days ago',
    limits: { isWhole: true, min: 0, max: MAX_DAYS_AGO },
    preset: 0,
    isRight: false,
  },
  {
    name: 'rhsDaysAgo',
    stored: 'rhs_days_ago',
    label: 'Right: days ago',
    limits: { isWhole: true, min: 0, max: MAX_DAYS_AGO },
    preset: 0,
    isRight: true,
  },
  { name: 'rhsScale', stored: 'rhs_scale', label: 'Right: times', limits: {}, preset: 1, isRight: true },
  { name: 'rhsOffset', stored: 'rhs_offset', label: 'Right: plus', limits: {}, preset: 0, isRight: true },
  {
    name: 'forDays',
    stored: 'for_days',
    label: 'Days in a row',
    limits: { isWhole: true, min: 1, max: MAX_FOR_DAYS },
    preset: 1,
    isRight: false,
  },
] as const;
type FurtherField = (typeof FURTHER_FIELDS)[number]['name'];

/** The draft of a stored condition. */
export function draftOf(condition: ConditionNode): ConditionDraft {
  const right = text(condition.rhs_val);
  return {
    lhsFn: condition.lhs_fn,
    lhsParams: parameterTexts(condition.lhs_fn, condition.lhs_fn_params),
    lhsValue: text(condition.lhs_val),
    comparator: condition.comparator,
    isFixed: condition.rhs_fixed_val,
    rhsFn: condition.rhs_fn,
    rhsParams: parameterTexts(condition.rhs_fn, condition.rhs_fn_params),
    rhsValue: condition.rhs_fixed_val ? '' : right,
    fixedValue: condition.rhs_fixed_val ? right : '',
    lhsDaysAgo: text(condition.lhs_days_ago),
    rhsDaysAgo: text(condition.rhs_days_ago),
    rhsScale: text(condition.rhs_scale),
    rhsOffset: text(condition.rhs_offset),
    forDays: text(condition.for_days),
  };
}

const isSideComplete = (fn: IndicatorName | null, value: string, params: ParameterTexts): boolean =>
  fn !== null && value !== '' && (!INDICATORS[fn].isPair || Boolean(params.with));

/**
 * Complete only when left function and value, the comparator, and the right side (function and value, or a
 * fixed value) are set.
 */
export function isValidDraft(draft: ConditionDraft): boolean {
  const left = isSideComplete(draft.lhsFn, draft.lhsValue, draft.lhsParams);
  const right = draft.isFixed
    ? draft.fixedValue !== ''
    : isSideComplete(draft.rhsFn, draft.rhsValue, draft.rhsParams);
  return left && draft.comparator !== null && right;
}

/** Whether nothing has been set yet: the editor then says 'Set condition' instead of 'Invalid condition'. */
export function isUntouched(condition: ConditionNode): boolean {
  return !condition.lhs_fn && !condition.lhs_val && !condition.rhs_fn && condition.rhs_val === null;
}

/** A stored condition on its line: in words, or what keeps it from having any. */
export function storedConditionWords(condition: ConditionNode): string {
  if (isUntouched(condition)) return 'Set condition';
  return isValidDraft(draftOf(condition)) ? conditionWords(condition) : 'Invalid condition';
}

/**
 * What was typed into a draft and is no number or variable that may stand there, by field; the sentences
 * stand below the fields.
 */
export interface DraftFaults {
  readonly lhsParams: Partial<Record<ParameterName, string>>;
  readonly rhsParams: Partial<Record<ParameterName, string>>;
  readonly fields: Partial<Record<FurtherField | 'fixedValue', string>>;
}

export function draftFaults(draft: ConditionDraft): DraftFaults {
  const fields: Partial<Record<FurtherField | 'fixedValue', string>> = {};
  const check = (name: FurtherField | 'fixedValue', limits = {}) => {
    const fault = draft[name].trim() === '' ? null : entryFault(readNumberOrVariable(draft[name], limits));
    if (fault) fields[name] = fault;
  };
  for (const { name, limits, isRight } of FURTHER_FIELDS)
    if (!(isRight && draft.isFixed)) check(name, limits);
  if (draft.isFixed) check('fixedValue');
  return {
    lhsParams: parameterFaults(draft.lhsFn, draft.lhsParams),
    rhsParams: draft.isFixed ? {} : parameterFaults(draft.rhsFn, draft.rhsParams),
    fields,
  };
}

/** The first sentence of what is wrong; undefined where nothing is. */
export function firstFault({ lhsParams, rhsParams, fields }: DraftFaults): string | undefined {
  return [lhsParams, rhsParams, fields].flatMap((part) => Object.values(part))[0];
}

/** A number as it is stored; what was refused leaves what stood there before. */
function storedEntry(entered: string, before: number | string): number | string {
  const entry = readNumberOrVariable(entered);
  return entry.isRead ? entry.value : before;
}

/**
 * The condition that a valid draft stands for; id, weight and collapse state come from the one that was
 * opened. Defaults are not stored.
 */
export function conditionOf(draft: ConditionDraft, opened: ConditionNode): ConditionNode {
  const { lhs_days_ago, rhs_days_ago, rhs_scale, rhs_offset, for_days, ...kept } = opened;
  const further: Record<string, number | string> = {};
  for (const { name, stored, preset, isRight } of FURTHER_FIELDS) {
    if (draft[name].trim() === '' || (isRight && draft.isFixed)) continue;
    const value = storedEntry(draft[name], opened[stored] ?? preset);
    if (value !== preset) further[stored] = value;
  }
  return {
    ...kept,
    lhs_fn: draft.lhsFn,
    lhs_fn_params: storedParameters(draft.lhsFn, draft.lhsParams),
    lhs_val: draft.lhsValue,
    comparator: draft.comparator,
    rhs_fn: draft.isFixed ? null : draft.rhsFn,
    rhs_fn_params: draft.isFixed ? {} : storedParameters(draft.rhsFn, draft.rhsParams),
    rhs_val: draft.isFixed ? storedEntry(draft.fixedValue, opened.rhs_val ?? 10) : draft.rhsValue,
    rhs_fixed_val: draft.isFixed,
    ...further,
  };
}

/** Whether a condition, or one of a group, names a variable anywhere. */
export function usesVariables(condition: ConditionItem): boolean {
  if (condition.node_type === 'condition-group') return condition.conditions.some(usesVariables);
  const { rhs_fixed_val: isFixed } = condition;
  const values = [
    condition.lhs_val,
    ...Object.values(condition.lhs_fn_params),
    condition.lhs_days_ago,
    condition.for_days,
    condition.rhs_val,
    ...(isFixed ? [] : Object.values(condition.rhs_fn_params)),
    ...(isFixed ? [] : [condition.rhs_days_ago, condition.rhs_scale, condition.rhs_offset]),
  ];
  return values.some((value) => typeof value === 'string' && value.includes('$'));
}
