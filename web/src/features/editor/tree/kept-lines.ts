import { useRef } from 'react';
import type { Row } from '../model/rows.ts';

/** About as many lines as a window shows. */
const KEPT = 48;

const NONE: readonly Row[] = [];

/**
 * Lines that an edit has just taken out of sight, to be kept hidden: whoever collapses and opens again, or undoes and redoes, brings back the same
 * twenty lines, and showing them costs a tenth of drawing them. Scrolling keeps none.
 *
 * @param rows all lines of the tree; the same list as long as nothing is edited
 * @param inSight those that are drawn
 */
export function useKeptLines(rows: readonly Row[], inSight: readonly Row[]): readonly Row[] {
  const last = useRef({ rows, inSight, kept: NONE });
  const drawn = new Set(inSight.map(({ key }) => key));
  const isEdited = last.current.rows !== rows;
  const candidates = isEdited ? [...last.current.inSight, ...last.current.kept] : last.current.kept;
  const kept: Row[] = [];
  for (const row of candidates) {
    if (drawn.has(row.key) || kept.length === KEPT) continue;
    drawn.add(row.key);
    kept.push(row);
  }
  last.current = { rows, inSight, kept };
  return kept;
}
