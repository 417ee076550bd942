import type { Weight } from '@quantloom/domain/strategy/tree';
import { isVariable } from '@quantloom/domain/strategy/values';

/** A share in percent; NaN where a variable stands for it. */
export const weightPercent = ({ num, den }: Weight): number => (100 * Number(num)) / Number(den);

/** A share in percent as one types it: `60`, `33.333333`, `$W`. */
export function weightEntryText(weight: Weight): string {
  return isVariable(weight.num) ? weight.num : String(Number(weightPercent(weight).toFixed(6)));
}
