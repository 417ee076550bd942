import type { Comparator } from '@quantloom/domain/strategy/tree';

/**
 * Values this close, relative to the larger one, count as equal, so that a decision never depends on how a
 * sum was rounded.
 */
export const TIE_TOLERANCE = 1e-12;

/** Whether two values count as equal in comparisons and rankings. */
export function isEqual(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= TIE_TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/** Whether `a` is larger than `b` by more than a tie. */
export function isGreater(a: number, b: number): boolean {
  return a > b && !isEqual(a, b);
}

/** A condition's comparison. */
export function holds(comparator: Comparator, left: number, right: number): boolean {
  switch (comparator) {
    case 'gt':
      return isGreater(left, right);
    case 'lt':
      return isGreater(right, left);
    case 'eq':
      return isEqual(left, right);
    case 'gte':
      return left > right || isEqual(left, right);
    case 'lte':
      return left < right || isEqual(left, right);
  }
}

/**
 * Rounding of a return, in percent: values of a filter's sort function that differ by less are the same
 * number reached by different sums (two blocks that held the same asset all along, for example), however
 * small they are.
 */
export const RANK_RESOLUTION = 1e-12;

/** Whether a sort value ranks above another by more than a tie. */
export function ranksAbove(a: number, b: number): boolean {
  return isGreater(a, b) && a - b > RANK_RESOLUTION;
}
