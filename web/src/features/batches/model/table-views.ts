import { METRIC_COLUMNS, OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { FURTHER_COLUMNS, OUT_OF_SAMPLE_COLUMNS } from './columns.ts';
import { COMBINATION } from './results.ts';

/** Columns under a name that only this browser knew, when views were kept in browsers. */
interface ViewOfBefore {
  readonly name: string;
  readonly columns: readonly string[];
}

interface Kept {
  /** What tables show that no view or link says anything about, in this order. */
  readonly columns: readonly string[];
  readonly saved: readonly ViewOfBefore[];
}

/**
 * All columns that can be chosen or not, in the order that tables begin with. Variables are always shown:
 * rows are told apart by them.
 */
export const CHOICES: readonly string[] = [
  'start_date',
  'end_date',
  ...METRIC_COLUMNS,
  ...OTHER_FILL_COLUMNS,
  ...OUT_OF_SAMPLE_COLUMNS,
  ...FURTHER_COLUMNS,
];
export const DEFAULT_COLUMNS: readonly string[] = CHOICES.filter((name) => !FURTHER_COLUMNS.includes(name));
const KEY = 'result-table-views';
const EMPTY: Kept = { columns: DEFAULT_COLUMNS, saved: [] };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isColumn = (name: unknown): name is string =>
  typeof name === 'string' && (CHOICES.includes(name) || name.startsWith('$'));
const chosenOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? [...new Set(value.filter(isColumn))] : null;

/**
 * Columns that the kept selection did not know of: shown until somebody says otherwise, since only batches
 * that ask for them have them.
 */
const newOnes = ({ hasOtherFill }: Readonly<Record<string, unknown>>): readonly string[] =>
  hasOtherFill === true ? [] : OTHER_FILL_COLUMNS;

/** What was kept, as far as it can be read; else the columns that every table begins with. */
export function readKept(text: string | null): Kept {
  let kept: unknown = null;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    return EMPTY;
  }
  if (!isRecord(kept)) return EMPTY;
  const saved = (Array.isArray(kept.saved) ? kept.saved : []).flatMap((one: unknown): ViewOfBefore[] => {
    const columns = isRecord(one) ? chosenOf(one.columns) : null;
    return isRecord(one) && typeof one.name === 'string' && columns ? [{ name: one.name, columns }] : [];
  });
  const columns = Array.isArray(kept.columns) ? chosenOf([...kept.columns, ...newOnes(kept)]) : null;
  return { columns: columns ?? DEFAULT_COLUMNS, saved };
}

/** The text that is kept. */
export function keptText(kept: Kept): string {
  return JSON.stringify({ ...kept, hasOtherFill: true });
}

/** `list` with `column` behind the nearest of those that come before it in `order`; in front where there is none. */
function inserted(list: readonly string[], column: string, order: readonly string[]): readonly string[] {
  const before = order.slice(0, order.indexOf(column)).findLast((name) => list.includes(name));
  return list.toSpliced(before === undefined ? 0 : list.indexOf(before) + 1, 0, column);
}

/**
 * The columns of a table that has `available`, as `columns` wants them. What nobody can choose comes behind
 * the dates where it is not named.
 */
export function shownColumns(columns: readonly string[], available: readonly string[]): readonly string[] {
  const there = available.filter((name) => name !== COMBINATION);
  const wanted = columns.filter((name) => there.includes(name));
  const always = there.filter((name) => !CHOICES.includes(name) && !wanted.includes(name));
  const dates = wanted.findIndex((name) => !name.endsWith('_date'));
  return wanted.toSpliced(dates === -1 ? wanted.length : dates, 0, ...always);
}

/** The shown columns with the one that the rows are sorted by, which is always seen. */
export function withSorted(
  shown: readonly string[],
  sorted: string,
  available: readonly string[],
): readonly string[] {
  return shown.includes(sorted) || !available.includes(sorted) ? shown : inserted(shown, sorted, available);
}

/** All columns that a table has, the shown ones in their order and the others where they would come. */
export function listedColumns(columns: readonly string[], available: readonly string[]): readonly string[] {
  return available
    .filter((name) => name !== COMBINATION)
    .reduce<readonly string[]>(
      (list, name) => (list.includes(name) ? list : inserted(list, name, available)),
      shownColumns(columns, available),
    );
}

/** The choice with a column more or less; `listing` says where it comes. */
export function toggled(
  columns: readonly string[],
  column: string,
  listing: readonly string[],
): readonly string[] {
  return columns.includes(column)
    ? columns.filter((name) => name !== column)
    : inserted(columns, column, listing);
}

/**
 * The choice with a shown column one place further left (-1) or right (1). Columns that this table does not
 * have stay behind those that they stood behind.
 */
export function moved(
  columns: readonly string[],
  column: string,
  by: -1 | 1,
  available: readonly string[],
): readonly string[] {
  const shown = shownColumns(columns, available);
  const at = shown.indexOf(column);
  const to = at + by;
  if (at === -1 || to < 0 || to >= shown.length) return columns;
  const next = columns.reduce<readonly string[]>(
    (list, name) => (list.includes(name) ? list : inserted(list, name, columns)),
    shown.toSpliced(at, 1).toSpliced(to, 0, column),
  );
  return withoutIdleVariables(next, available);
}

/**
 * The choice without the table’s own variables where they would stand in the same places unnamed: so it fits
 * batches with others.
 */
export function withoutIdleVariables(
  columns: readonly string[],
  available: readonly string[],
): readonly string[] {
  const plain = columns.filter((name) => !name.startsWith('$') || !available.includes(name));
  const same = shownColumns(plain, available).join() === shownColumns(columns, available).join();
  return same ? plain : columns;
}

/** What was read last, and of which text: another tab may have written since. */
let current: { readonly text: string | null; readonly kept: Kept } = { text: null, kept: EMPTY };
/** What the storage did not take: remembered for as long as the page lives. */
let refused: Kept | null = null;

function stored(): Kept {
  if (refused) return refused;
  try {
    const text = localStorage.getItem(KEY);
    if (text !== current.text) current = { text, kept: readKept(text) };
  } catch {
    // Storage that may not be read counts as empty.
  }
  return current.kept;
}

function keep(next: Kept): void {
  try {
    localStorage.setItem(KEY, keptText(next));
    refused = null;
  } catch {
    refused = next;
  }
}

/** The columns that tables of this browser show where nothing else says which. */
export const rememberedColumns = (): readonly string[] => stored().columns;

export const rememberColumns = (columns: readonly string[]): void => keep({ ...stored(), columns });

/** Views that this browser alone knew. */
export const viewsOfBefore = (): readonly ViewOfBefore[] => stored().saved;

/** The account has it now. */
export const forgetViewOfBefore = (name: string): void =>
  keep({ ...stored(), saved: stored().saved.filter((view) => view.name !== name) });
