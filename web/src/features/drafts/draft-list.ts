import type { ListPage } from '../../lib/paged-list.ts';
import { type DraftRow, fetchDrafts, IDS_AT_ONCE, type ListQuestion } from '../../lib/resources.ts';

/** The most rows that the server answers at once. */
export const WHOLE_ROWS = 1_000;

/** What the table sorts by that not every strategy has, by the name that the address gives it. */
const FIGURES: Readonly<Record<string, string>> = {
  return: 'annualized_return',
  drawdown: 'max_drawdown',
  sharpe: 'sharpe',
};

/**
 * The rows in the order of a figure of their last run; those without one come last either way, in the order
 * of their ids.
 */
function sortByFigure(rows: DraftRow[], metric: string, sign: number): void {
  rows.sort((a, b) => {
    const [left = null, right = null] = [a, b].map(({ lastRun }) => lastRun?.metrics[metric]);
    if (left === right) return a.id < b.id ? -1 : 1;
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

const FIELDS: Readonly<Record<string, (row: DraftRow) => string>> = {
  name: (row) => row.name.toLowerCase(),
  type: (row) => row.type,
  visibility: (row) => (row.is_public ? 'public' : 'private'),
  created: (row) => row.created_at,
  updated: (row) => row.updated_at,
};

/**
 * All strategies with these ids that match. More ids than one address takes are asked for in parts, and put
 * into the order that the server would give them.
 */
export async function fetchDraftsOf(
  ids: readonly string[],
  question: Omit<ListQuestion, 'ids'>,
  signal?: AbortSignal,
): Promise<ListPage<DraftRow>> {
  const rows: DraftRow[] = [];
  let isCatchingUp = false;
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE).join();
    const part = await fetchDrafts({ ...question, ids: some, limit: WHOLE_ROWS }, signal);
    rows.push(...part.rows);
    isCatchingUp ||= part.isCatchingUp;
  }
  const [by = '', direction] = (question.sort ?? '').split(':');
  const field = FIELDS[by];
  const metric = FIGURES[by];
  const sign = direction === 'desc' ? -1 : 1;
  if (ids.length > IDS_AT_ONCE && metric) sortByFigure(rows, metric, sign);
  if (ids.length > IDS_AT_ONCE && field) {
    rows.sort((a, b) => {
      const [left, right] = [field(a), field(b)];
      if (left === right) return a.id < b.id ? -1 : 1;
      return left < right ? -sign : sign;
    });
  }
  return { rows, total: rows.length, isCatchingUp };
}

/** All strategies that match, in as many parts as the server answers at once. */
export async function fetchAllDrafts(question: Omit<ListQuestion, 'ids'>): Promise<readonly DraftRow[]> {
  // One that is made or deleted meanwhile moves the others to another part.
  const found = new Map<string, DraftRow>();
  for (let skip = 0; ; skip += WHOLE_ROWS) {
    const { rows, total } = await fetchDrafts({ ...question, limit: WHOLE_ROWS, skip });
    for (const row of rows) found.set(row.id, row);
    if (rows.length === 0 || skip + rows.length >= total) return [...found.values()];
  }
}

/** The rows of a list from one to another, both with it; none where one of them, or any between, is not there. */
export function rowsBetween(
  rowAt: (index: number) => DraftRow | undefined,
  total: number,
  from: string | null,
  to: string,
): readonly DraftRow[] {
  const ends: number[] = [];
  for (let index = 0; index < total && ends.length < 2; index += 1) {
    const id = rowAt(index)?.id;
    if (id !== undefined && (id === from || id === to)) ends.push(index);
  }
  const [first, last] = ends;
  if (first === undefined || last === undefined) return [];
  const rows = Array.from({ length: last - first + 1 }, (_, offset) => rowAt(first + offset));
  return rows.every((row) => row !== undefined) ? rows : [];
}
