import { METRIC_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { BatchPlan } from './batch-plan.ts';
import { dateOf } from './days.ts';

/** The visible row of a combination: numbers are numbers, null is an empty cell. */
export function resultRow(
  plan: Pick<BatchPlan, 'variables'>,
  block: ResultBlock,
  row: number,
): (string | number | null)[] {
  const day = (value: number) => (value === NO_DAY ? null : dateOf(value));
  return [
    day(block.startDay[row] as number),
    day(block.endDay[row] as number),
    ...plan.variables.map(({ values }, i) => values[block.variables[i]?.[row] as number] ?? null),
    ...METRIC_COLUMNS.map((name) => {
      const value = block.floats[name]?.[row] as number;
      return Number.isNaN(value) ? null : value;
    }),
  ];
}

/** A line of the result file; a cell with a comma, a quote or a line break is quoted. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells
    .map((cell) => {
      const text = cell === null ? '' : String(cell);
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
}
