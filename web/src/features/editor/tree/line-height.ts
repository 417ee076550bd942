import type { Row } from '../model/rows.ts';

/** Fingers do not hover: what a line offers is always there for them, and lines are as high as a finger needs. */
export const IS_TOUCHED = window.matchMedia('(pointer: coarse)').matches;

/**
 * Whether a row only shows itself between two lines, on hover and focus. Where nothing stands yet, the offer
 * is a line of its own.
 */
export function isBetweenLines(row: Row): boolean {
  if (IS_TOUCHED || row.kind !== 'add') return false;
  return !(row.slot === 'conditions' && 'conditions' in row.parent && row.parent.conditions.length === 0);
}

/** Pixels that a line takes. */
export function heightOf(row: Row): number {
  if (isBetweenLines(row)) return 0;
  return IS_TOUCHED ? 36 : 28;
}
