import { numberOf } from '@quantloom/domain/strategy/values';
import { columnWords, isPercentColumn } from './columns.ts';

/** A condition on a column of the results. */
export interface ColumnFilter {
  readonly column: string;
  readonly op: FilterOp;
  /** As typed: percent columns in percent, several values separated by commas. */
  readonly text: string;
}

export const FILTER_OPS = [
  { value: 'gte', label: 'at least' },
  { value: 'lte', label: 'at most' },
  { value: 'eq', label: 'is' },
  { value: 'ne', label: 'is not' },
  { value: 'in', label: 'is one of' },
  { value: 'isNull', label: 'is missing' },
] as const;
export type FilterOp = (typeof FILTER_OPS)[number]['value'];

/** Text columns know no order, so they are only compared for being the same. */
export function opsOf(column: string, areValuesText: boolean): readonly FilterOp[] {
  if (column.startsWith('$') && areValuesText) return ['in', 'ne'];
  return column.startsWith('$') ? ['gte', 'lte', 'in', 'ne'] : ['gte', 'lte', 'isNull'];
}

/** What is wrong with a filter before it is sent; null: nothing. */
export function filterProblem({ column, op, text }: ColumnFilter): string | null {
  if (op === 'isNull') return null;
  if (text.trim() === '') return 'A value is needed';
  const isDate = column.endsWith('_date');
  if (isDate) return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? null : 'A date such as 2020-01-31 is needed';
  if (column.startsWith('$') && (op === 'in' || op === 'ne')) return null;
  return numberOf(text.trim().replace(/%$/, '')) === null ? 'A number is needed' : null;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[,;|\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Filters as the server reads them, `column:op:value`: one for each value that a column is not. */
export function filterQueries(filters: readonly ColumnFilter[]): string[] {
  return filters.flatMap((filter) =>
    filter.op === 'ne'
      ? wordsOf(filter.text).map((text) => filterQuery({ ...filter, text }))
      : [filterQuery(filter)],
  );
}

function filterQuery({ column, op, text }: ColumnFilter): string {
  if (op === 'isNull') return `${column}:isNull`;
  const words = wordsOf(text);
  if (op === 'in') return `${column}:in:${words.join('|')}`;
  const word = (words[0] ?? '').replace(/%$/, '');
  if (!isPercentColumn(column)) return `${column}:${op}:${word}`;
  // The table shows two decimals, so what is typed is a shown value.
  return `${column}:${op}:${Number(word) / 100}`;
}

/** Values that a filter is named with; of more, the first ones and how many follow. */
const MOST_NAMED = 5;

/** `Sharpe Ratio at least 1`. */
export function filterText({ column, op, text }: ColumnFilter): string {
  if (column === 'combination' && op === 'in')
    return wordsOf(text).length === 1 ? 'chosen row' : 'chosen rows';
  const { label } = columnWords(column);
  const words = FILTER_OPS.find(({ value }) => value === op)?.label ?? op;
  if (op === 'isNull') return `${label} ${words}`;
  const values = wordsOf(text);
  if (op === 'in' && values.length > MOST_NAMED)
    return `${label} ${words} ${values.slice(0, MOST_NAMED - 1).join(', ')} and ${values.length - MOST_NAMED + 1} more`;
  return `${label} ${words} ${text.trim()}${isPercentColumn(column) && !text.trim().endsWith('%') ? '%' : ''}`;
}

/**
 * A filter for the same column and operator takes the place of the one before; only what a column is not can
 * be several filters.
 */
export function withFilter(filters: readonly ColumnFilter[], added: ColumnFilter): readonly ColumnFilter[] {
  const isReplaced = ({ column, op, text }: ColumnFilter) =>
    column === added.column && op === added.op && (op !== 'ne' || text.trim() === added.text.trim());
  return [...filters.filter((one) => !isReplaced(one)), added];
}

/** The filters that a box drawn over two metrics stands for; the box is in the chart's units. */
export function brushFilters(
  x: { readonly column: string; readonly from: number; readonly to: number },
  y: { readonly column: string; readonly from: number; readonly to: number },
): readonly ColumnFilter[] {
  return [x, y].flatMap(({ column, from, to }) => [
    { column, op: 'gte' as const, text: Math.min(from, to).toFixed(4) },
    { column, op: 'lte' as const, text: Math.max(from, to).toFixed(4) },
  ]);
}

/**
 * The filters with those on some columns replaced: what one picture says of its own columns, beside what the
 * others say of theirs.
 */
export function replaceOn(
  filters: readonly ColumnFilter[],
  columns: readonly string[],
  by: readonly ColumnFilter[],
): readonly ColumnFilter[] {
  return [...filters.filter(({ column }) => !columns.includes(column)), ...by];
}

/** Whether a variable's value meets a filter on it, as the server decides it. */
export function meetsFilter({ op, text }: ColumnFilter, value: string | number): boolean {
  const words = wordsOf(text);
  const isOne = words.some((word) =>
    typeof value === 'number' ? numberOf(word) === value : word.toUpperCase() === value.toUpperCase(),
  );
  if (op === 'in' || op === 'eq') return isOne;
  if (op === 'ne') return !isOne;
  const bound = numberOf(words[0] ?? '');
  if (op === 'isNull' || bound === null || typeof value !== 'number') return false;
  return op === 'gte' ? value >= bound : value <= bound;
}

/** From where to where filters leave a metric, in shown units; null where they do not say both. */
export function filterBounds(
  filters: readonly ColumnFilter[],
  column: string,
): readonly [number, number] | null {
  const bound = (op: FilterOp) => filters.find((one) => one.column === column && one.op === op)?.text;
  const [low, high] = [bound('gte'), bound('lte')];
  if (low === undefined || high === undefined) return null;
  return [Number(low.replace(/%$/, '')), Number(high.replace(/%$/, ''))];
}
