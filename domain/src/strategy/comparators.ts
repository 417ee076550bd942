import type { Comparator } from './tree.ts';

/** Comparators by the signs that texts and files write. */
export const COMPARATOR_OF_SIGN: Readonly<Record<string, Comparator>> = {
  '>': 'gt',
  '<': 'lt',
  '>=': 'gte',
  '<=': 'lte',
  '=': 'eq',
};

/** What a comparison is where it does not hold; an equality has no opposite. */
export const OPPOSITE_COMPARATOR: Readonly<Record<Comparator, Comparator | null>> = {
  gt: 'lte',
  lt: 'gte',
  gte: 'lt',
  lte: 'gt',
  eq: null,
};
