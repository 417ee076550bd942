import { INDICATORS, isWindowIndicator, MAX_WINDOW } from '@quantloom/domain/strategy/indicator';
import type {
  Comparator,
  ConditionNode,
  FunctionParams,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { entryFault, readNumberOrVariable } from '../../../lib/number-entry.ts';
import { conditionWords } from './words.ts';

/** A condition while it is edited. Both kinds of right side are kept, so that the toggle can swap between them. */
export interface ConditionDraft {
  readonly lhsFn: IndicatorName | null;
  readonly lhsWindow: string;
  readonly lhsValue: string;
  readonly comparator: Comparator | null;
  readonly isFixed: boolean;
  readonly rhsFn: IndicatorName | null;
  readonly rhsWindow: string;
  /** The stored asset value of the right side. */
  readonly rhsValue: string;
  /** The stored fixed value. */
  readonly fixedValue: string;
}

const DEFAULT_WINDOW = '10';

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The draft of a stored condition. */
export function draftOf(condition: ConditionNode): ConditionDraft {
  const right = text(condition.rhs_val);
  return {
    lhsFn: condition.lhs_fn,
    lhsWindow: text(condition.lhs_fn_params.window) || DEFAULT_WINDOW,
    lhsValue: text(condition.lhs_val),
    comparator: condition.comparator,
    isFixed: condition.rhs_fixed_val,
    rhsFn: condition.rhs_fn,
    rhsWindow: text(condition.rhs_fn_params.window) || DEFAULT_WINDOW,
    rhsValue: condition.rhs_fixed_val ? '' : right,
    fixedValue: condition.rhs_fixed_val ? right : '',
  };
}

/** Complete only when left function and value, the comparator, and the right side (function and value, or a fixed value) are set. */
export function isValidDraft(draft: ConditionDraft): boolean {
  const left = draft.lhsFn !== null && draft.lhsValue !== '';
  const right = draft.isFixed ? draft.fixedValue !== '' : draft.rhsFn !== null && draft.rhsValue !== '';
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

/** What a window may be, by the function that it belongs to. */
export const windowLimits = (fn: IndicatorName | null) => ({
  isWhole: true,
  min: fn ? INDICATORS[fn].minWindow : 1,
  max: MAX_WINDOW,
});

/** What was typed into a draft and is no number or variable that may stand there, by field; the sentences stand below the fields. */
export type DraftFaults = Partial<Record<'lhsWindow' | 'rhsWindow' | 'fixedValue', string>>;

/** Whether a window is asked for. */
export const showsWindow = (fn: IndicatorName | null): boolean => !fn || INDICATORS[fn].usesWindow;

export function draftFaults(draft: ConditionDraft): DraftFaults {
  const windowFault = (fn: IndicatorName | null, entered: string) =>
    showsWindow(fn) ? entryFault(readNumberOrVariable(entered, windowLimits(fn))) : null;
  const found = {
    lhsWindow: windowFault(draft.lhsFn, draft.lhsWindow),
    rhsWindow: draft.isFixed ? null : windowFault(draft.rhsFn, draft.rhsWindow),
    fixedValue:
      draft.isFixed && draft.fixedValue !== '' ? entryFault(readNumberOrVariable(draft.fixedValue)) : null,
  };
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== null)) as DraftFaults;
}

/** A window or a fixed value as it is stored; what was refused leaves what stood there before. */
export function storedEntry(entered: string, before: number | string): number | string {
  const entry = readNumberOrVariable(entered);
  return entry.isRead ? entry.value : before;
}

/** The condition that a valid draft stands for; id, weight and collapse state come from the one that was opened. */
export function conditionOf(draft: ConditionDraft, opened: ConditionNode): ConditionNode {
  return {
    ...opened,
    lhs_fn: draft.lhsFn,
    lhs_fn_params: paramsOf(draft.lhsFn, draft.lhsWindow, opened.lhs_fn_params),
    lhs_val: draft.lhsValue,
    comparator: draft.comparator,
    rhs_fn: draft.isFixed ? null : draft.rhsFn,
    rhs_fn_params: draft.isFixed ? {} : paramsOf(draft.rhsFn, draft.rhsWindow, opened.rhs_fn_params),
    rhs_val: draft.isFixed ? storedEntry(draft.fixedValue, opened.rhs_val ?? 10) : draft.rhsValue,
    rhs_fixed_val: draft.isFixed,
  };
}

/** What a function is given: its window, and what was stored of parameters that are not edited here. */
function paramsOf(fn: IndicatorName | null, window: string, stored: FunctionParams): FunctionParams {
  const hasWindow = showsWindow(fn) || isWindowIndicator(fn);
  return hasWindow ? { ...stored, window: storedEntry(window, stored.window ?? 10) } : stored;
}

/** Whether a condition names a variable anywhere. */
export function usesVariables(condition: ConditionNode): boolean {
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

/** The functions that may be chosen; Z-Score only with its feature (or where it stands already). */
export function functionOptions(canUseZScore: boolean, current: IndicatorName | null) {
  return (Object.keys(INDICATORS) as IndicatorName[])
    .filter((name) => isWindowIndicator(name) || current === name)
    .filter((name) => name !== 'z-score' || canUseZScore || current === 'z-score')
    .map((name) => ({ value: name, label: INDICATORS[name].label }));
}
