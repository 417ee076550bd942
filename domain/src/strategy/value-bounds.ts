import { INDICATORS } from './indicator.ts';
import { MAX_WINDOW } from './indicator-table.ts';
import { MAX_CORRIDOR } from './rebalancing.ts';
import { DAYS_AGO, FOR_DAYS } from './validation-conditions.ts';
import type { NumberBounds } from './validation-faults.ts';
import type { ValuePlace } from './value-place.ts';

const ANY: NumberBounds = { isWhole: false, min: null, max: null };

/** What a strategy takes for a number in a place of its kind. */
export function boundsOf({ kind, fn, field }: Pick<ValuePlace, 'kind' | 'fn' | 'field'>): NumberBounds {
  switch (kind) {
    case 'window':
      return { isWhole: true, min: fn === null ? 1 : INDICATORS[fn].minWindow, max: MAX_WINDOW };
    case 'parameter':
      return (fn !== null && INDICATORS[fn].parameters.find(({ name }) => name === field)) || ANY;
    case 'days':
      return field === 'for_days' ? FOR_DAYS : DAYS_AGO;
    case 'count':
      return { isWhole: true, min: 1, max: null };
    case 'weight':
      return { isWhole: false, min: 0, max: 100 };
    case 'corridor':
      return { isWhole: false, min: 0, max: MAX_CORRIDOR };
    default:
      return ANY;
  }
}
