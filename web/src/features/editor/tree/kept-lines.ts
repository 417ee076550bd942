import { useRef } from 'react';
import type { Row } from '../model/rows.ts';

/** About as many lines as a window shows. */
const KEPT = 48;

/** Lines in the order of their elements, and which of them are in sight. */
interface Drawn {
  readonly lines: readonly Row[];
  readonly inSight: ReadonlySet<string>;
}

/**
 * What is drawn next: the lines in sight, and hidden between them those that an edit has just taken out of
 * sight. Whoever collapses and opens again, or undoes and redoes, brings back the same twenty lines, and
 * showing them costs a tenth of drawing them. Each hidden line stays behind the one that it stood behind,
 * since an element that moves costs as much as a new one.
 *
 * @param isEdited false while one only scrolls, which keeps no further lines
 */
export function withKept(before: Drawn, now: readonly Row[], isEdited: boolean): Drawn {
  const inSight = new Set(now.map(({ key }) => key));
  const gone = before.lines.filter(({ key }) => !inSight.has(key));
  const wereInSight = isEdited ? gone.filter(({ key }) => before.inSight.has(key)) : [];
  const wereHidden = gone.filter(({ key }) => !before.inSight.has(key));
  const kept = new Set([...wereInSight, ...wereHidden].slice(0, KEPT));
  if (kept.size === 0) return { lines: now, inSight };
  const behind = new Map<string | null, Row[]>();
  let anchor: string | null = null;
  for (const row of before.lines) {
    if (inSight.has(row.key)) anchor = row.key;
    else if (kept.has(row)) behind.set(anchor, [...(behind.get(anchor) ?? []), row]);
  }
  const lines = [...(behind.get(null) ?? []), ...now.flatMap((row) => [row, ...(behind.get(row.key) ?? [])])];
  return { lines, inSight };
}

/** `withKept` over the renderings of a tree; `rows` is the same list as long as nothing is edited. */
export function useKeptLines(rows: readonly Row[], now: readonly Row[]): Drawn {
  const last = useRef<{ readonly rows: readonly Row[]; readonly drawn: Drawn }>({
    rows,
    drawn: { lines: [], inSight: new Set() },
  });
  const drawn = withKept(last.current.drawn, now, last.current.rows !== rows);
  last.current = { rows, drawn };
  return drawn;
}
