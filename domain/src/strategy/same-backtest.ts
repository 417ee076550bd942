import type { Algorithm } from './tree.ts';

/** What a backtest never looks at. */
const UNSEEN = new Set([
  'name',
  'description',
  'source',
  // Worked out from the rest when it is saved.
  'version',
  'is_collapsed',
  'is_conditions_collapsed',
  'is_then_collapsed',
  'is_else_collapsed',
]);

/** Nor at these, by which its answer names blocks. */
const NAMES_OF_BLOCKS = new Set([...UNSEEN, 'id']);

/**
 * Whether two states of a strategy give the same answer: renaming and collapsing change nothing. Parts that
 * both share are not walked.
 */
export function isSameBacktest(a: Algorithm, b: Algorithm): boolean {
  return isSame(a, b, UNSEEN);
}

/** Whether two states of a strategy come to the same values, whatever their blocks are called. */
export function isSameComputation(a: Algorithm, b: Algorithm): boolean {
  return isSame(a, b, NAMES_OF_BLOCKS);
}

function isSame(a: unknown, b: unknown, unseen: ReadonlySet<string>): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, index) => isSame(one, b[index], unseen))
    );
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].every(
    (key) => unseen.has(key) || isSame(left[key], right[key], unseen),
  );
}
