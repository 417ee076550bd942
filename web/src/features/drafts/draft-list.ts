import type { ListPage } from '../../lib/paged-list.ts';
import type { LastBacktest } from '../../lib/personal.ts';
import { type DraftRow, fetchDrafts, IDS_AT_ONCE, type ListQuestion } from '../../lib/resources.ts';

/** The most rows that the server answers at once. A list up to this length can be sorted by what only the browser knows. */
export const WHOLE_ROWS = 1_000;

/** Figures of the last backtest that the table shows, by the name that the address gives them. */
const FIGURES: ReadonlyMap<string, string> = new Map([
  ['return', 'annualized_return'],
  ['drawdown', 'max_drawdown'],
  ['sharpe', 'sharpe'],
]);

/** Name of the metric that `return:desc` sorts by; null where the server sorts. */
export const figureOf = (sort: string): string | null => FIGURES.get(sort.split(':')[0] ?? '') ?? null;

/** The rows in the order of a figure of their last backtest; those without one come last either way, in the order that they had. */
export function sortedByFigure(
  rows: readonly DraftRow[],
  sort: string,
  backtests: Readonly<Record<string, LastBacktest>>,
): readonly DraftRow[] {
  const key = figureOf(sort);
  if (key === null) return rows;
  const sign = sort.endsWith(':desc') ? -1 : 1;
  const value = ({ id }: DraftRow) => {
    const known = backtests[id]?.metrics[key];
    return typeof known === 'number' && Number.isFinite(known) ? known : null;
  };
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
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
 * All strategies with these ids that match. More ids than one address takes are asked for in parts, and put into the order that the server would
 * give them.
 */
export async function fetchDraftsOf(
  ids: readonly string[],
  question: Omit<ListQuestion, 'ids'>,
  signal: AbortSignal,
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
  if (ids.length > IDS_AT_ONCE && field) {
    const sign = direction === 'desc' ? -1 : 1;
    rows.sort((a, b) => {
      const [left, right] = [field(a), field(b)];
      if (left === right) return a.id < b.id ? -1 : 1;
      return left < right ? -sign : sign;
    });
  }
  return { rows, total: rows.length, isCatchingUp };
}
