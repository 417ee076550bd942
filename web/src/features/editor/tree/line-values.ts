import type { Weight } from '@quantloom/domain/strategy/tree';
import { isVariable } from '@quantloom/domain/strategy/values';

/** Whether all or any of an if's conditions must hold, as lines and popovers say it. */
export const CONDITION_TYPES = [
  { value: 'allOf', label: 'All', description: 'all of the below conditions apply' },
  { value: 'anyOf', label: 'Any', description: 'any of the below conditions apply' },
] as const;

/** A share in percent; NaN where a variable stands for it. */
export const weightPercent = ({ num, den }: Weight): number => (100 * Number(num)) / Number(den);

/** A share in percent as one types it: `60`, `33.333333`, `$W`. */
export function weightEntryText(weight: Weight): string {
  return isVariable(weight.num) ? weight.num : String(Number(weightPercent(weight).toFixed(6)));
}
