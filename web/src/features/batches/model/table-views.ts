import { METRIC_COLUMNS, OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { useSyncExternalStore } from 'react';
import { FURTHER_COLUMNS, OUT_OF_SAMPLE_COLUMNS } from './columns.ts';

/** Columns that can be shown or not; variables always are. A selection that this browser remembers under a name. */
interface TableView {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface TableViews {
  /** What the tables of all batches show beside the variables. */
  readonly columns: readonly string[];
  readonly saved: readonly TableView[];
}

/** All columns that can be chosen, in the order of the table. */
export const CHOICES: readonly string[] = [
  'start_date',
  'end_date',
  ...METRIC_COLUMNS,
  ...OTHER_FILL_COLUMNS,
  ...OUT_OF_SAMPLE_COLUMNS,
  ...FURTHER_COLUMNS,
];
export const DEFAULT_COLUMNS: readonly string[] = CHOICES.filter((name) => !FURTHER_COLUMNS.includes(name));
export const MAX_VIEWS = 20;
export const MAX_VIEW_NAME = 40;
const KEY = 'result-table-views';
const EMPTY: TableViews = { columns: DEFAULT_COLUMNS, saved: [] };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const chosenOf = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? CHOICES.filter((name) => value.includes(name)) : null;

/** Columns that the kept selection did not know of: shown until somebody says otherwise, since only batches that ask for them have them. */
const newOnes = ({ hasOtherFill }: Readonly<Record<string, unknown>>): readonly string[] =>
  hasOtherFill === true ? [] : OTHER_FILL_COLUMNS;

/** What was kept, as far as it can be read; else the columns that every table begins with. */
export function readViews(text: string | null): TableViews {
  let kept: unknown = null;
  try {
    kept = JSON.parse(text ?? 'null');
  } catch {
    return EMPTY;
  }
  if (!isRecord(kept)) return EMPTY;
  const saved = (Array.isArray(kept.saved) ? kept.saved : []).flatMap((one: unknown): TableView[] => {
    const columns = isRecord(one) ? chosenOf(one.columns) : null;
    return isRecord(one) && typeof one.name === 'string' && columns ? [{ name: one.name, columns }] : [];
  });
  const chosen = Array.isArray(kept.columns) ? chosenOf([...kept.columns, ...newOnes(kept)]) : null;
  return { columns: chosen ?? DEFAULT_COLUMNS, saved: saved.slice(0, MAX_VIEWS) };
}

/** The text that is kept. */
export function writeViews(views: TableViews): string {
  return JSON.stringify({ ...views, hasOtherFill: true });
}

/** The views with one more; a name that is there already means this selection from now on. */
export function withView({ columns, saved }: TableViews, name: string): TableViews {
  const others = saved.filter((one) => one.name !== name);
  return { columns, saved: [...others, { name, columns }].slice(-MAX_VIEWS) };
}

export function toggled(views: TableViews, column: string): TableViews {
  const isShown = views.columns.includes(column);
  return {
    ...views,
    columns: CHOICES.filter((name) => (name === column ? !isShown : views.columns.includes(name))),
  };
}

let current: TableViews | null = null;
const listeners = new Set<() => void>();

function stored(): TableViews {
  if (current) return current;
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // Refused storage counts as empty.
  }
  current = readViews(text);
  return current;
}

export function keepViews(next: TableViews): void {
  current = next;
  try {
    localStorage.setItem(KEY, writeViews(next));
  } catch {
    // Full or refused storage: remembered for as long as the page lives.
  }
  for (const listener of listeners) listener();
}

/** The columns shown and the views kept, the same in every table of this browser. */
export function useTableViews(): TableViews {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, stored);
}
