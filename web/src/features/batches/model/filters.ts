import { numberOf } from '@quantloom/domain/strategy/values';
import { isPercentColumn } from './columns.ts';

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

/** The filter as the server reads it: `column:op:value`. */
export function filterQuery({ column, op, text }: ColumnFilter): string {
  if (op === 'isNull') return `${column}:isNull`;
  const words = text
    .split(/[,;|\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== '');
  if (op === 'in') return `${column}:in:${words.join('|')}`;
  const word = (words[0] ?? '').replace(/%$/, '');
  if (!isPercentColumn(column)) return `${column}:${op}:${word}`;
  // The table shows two decimals, so what is typed is a shown value.
  return `${column}:${op}:${Number(word) / 100}`;
}

/** `sharpe_ratio at least 1`. */
export function filterText({ column, op, text }: ColumnFilter): string {
  const words = FILTER_OPS.find(({ value }) => value === op)?.label ?? op;
  if (op === 'isNull') return `${column} ${words}`;
  return `${column} ${words} ${text.trim()}${isPercentColumn(column) && !text.trim().endsWith('%') ? '%' : ''}`;
}

/** A filter for the same column and operator takes the place of the one before. */
export function withFilter(filters: readonly ColumnFilter[], added: ColumnFilter): readonly ColumnFilter[] {
  return [...filters.filter(({ column, op }) => column !== added.column || op !== added.op), added];
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
