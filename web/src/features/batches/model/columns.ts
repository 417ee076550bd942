import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';

const PERCENT = [
  'cumulative_return',
  'annualized_return',
  'max_drawdown',
  'trailing_1_month',
  'trailing_3_month',
];

/** Whether a column's fractions are shown in percent. */
export function isPercentColumn(column: string): boolean {
  return PERCENT.some((name) => column.includes(name));
}

/** The table's columns in the order of a result row. */
export function resultColumns(variables: readonly string[]): readonly string[] {
  return ['start_date', 'end_date', ...variables, ...METRIC_COLUMNS];
}

/** Metrics from the out-of-sample date on, beside those before it. */
export const OUT_OF_SAMPLE_COLUMNS: readonly string[] = METRIC_COLUMNS.map((name) => `out_${name}`);

/** A column's name in the table: with an out-of-sample date a metric is that of the days before it, and says so. */
export function columnHeader(column: string, hasOutOfSample: boolean): string {
  return hasOutOfSample && (METRIC_COLUMNS as readonly string[]).includes(column) ? `in_${column}` : column;
}

/** Pixels that a column needs. */
export function columnWidth(column: string): number {
  if (column.startsWith('$')) return Math.max(88, column.length * 8 + 40);
  return column.endsWith('_date') ? 108 : Math.max(112, column.length * 7.5 + 56);
}
