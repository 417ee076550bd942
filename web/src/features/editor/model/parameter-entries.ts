/** The numbers and the second series that a function takes, while they are typed. */
import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { ParameterName } from '@quantloom/domain/strategy/indicator-table';
import type { FunctionParams, IndicatorName } from '@quantloom/domain/strategy/tree';
import { entryFault, type NumberLimits, readNumberOrVariable } from '../../../lib/number-entry.ts';

/** What stands in the fields: texts as they were typed. */
export type ParameterTexts = Readonly<Partial<Record<ParameterName | 'with', string>>>;

const DEFAULT_WINDOW = 10;

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/**
 * The texts of stored parameters, defaults filled in; what another function would take stays for when that is
 * chosen.
 */
export function parameterTexts(fn: IndicatorName | null, stored: FunctionParams): ParameterTexts {
  const texts: Partial<Record<ParameterName | 'with', string>> = { window: String(DEFAULT_WINDOW) };
  for (const [name, value] of Object.entries(stored))
    if (text(value) !== '') texts[name as ParameterName | 'with'] = text(value);
  for (const { name, default: preset } of fn ? INDICATORS[fn].parameters : [])
    texts[name] ??= text(preset ?? DEFAULT_WINDOW);
  return texts;
}

/** As `parameterTexts`, when another function is chosen: what it takes as well stays as it was typed. */
export function textsFor(fn: IndicatorName, texts: ParameterTexts): ParameterTexts {
  return parameterTexts(fn, texts);
}

const limitsOf = ({
  isWhole,
  min,
  max,
}: {
  isWhole: boolean;
  min: number;
  max: number | null;
}): NumberLimits => ({ isWhole, min, ...(max !== null && { max }) });

/** Why a text cannot stand in its field, by field; empty where all can. */
export function parameterFaults(
  fn: IndicatorName | null,
  texts: ParameterTexts,
): Partial<Record<ParameterName, string>> {
  const faults: Partial<Record<ParameterName, string>> = {};
  const numbers: Partial<Record<ParameterName, number>> = {};
  for (const parameter of fn ? INDICATORS[fn].parameters : []) {
    const entry = readNumberOrVariable(texts[parameter.name] ?? '', limitsOf(parameter));
    const fault = entryFault(entry);
    if (fault) faults[parameter.name] = fault;
    else if (entry.isRead && typeof entry.value === 'number') numbers[parameter.name] = entry.value;
  }
  const { fast, slow } = numbers;
  if (fast !== undefined && slow !== undefined && fast >= slow)
    faults.fast = `The fast window must be shorter than the slow one, ${slow}`;
  return faults;
}

/** The parameters that are stored: those of the function, as numbers or variables. What cannot be read is left out. */
export function storedParameters(fn: IndicatorName | null, texts: ParameterTexts): FunctionParams {
  if (!fn) return {};
  const { parameters, isPair } = INDICATORS[fn];
  const params: Partial<Record<ParameterName | 'with', number | string>> = {};
  for (const { name } of parameters) {
    const entry = readNumberOrVariable(texts[name] ?? '');
    if (entry.isRead) params[name] = entry.value;
  }
  if (isPair && texts.with) params.with = texts.with;
  // A window that plays no part was always stored beside a price.
  if (fn === 'current-price') {
    const entry = readNumberOrVariable(texts.window ?? '');
    if (entry.isRead) params.window = entry.value;
  }
  return params as FunctionParams;
}
