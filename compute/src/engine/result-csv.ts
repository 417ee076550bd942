import { METRIC_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { LRUCache } from 'lru-cache';
import type { BatchPlan } from './batch-plan.ts';
import { dateOf } from './days.ts';

/** Rows share few days, and writing a date costs as much as a number. */
const dates = new LRUCache<number, string>({ max: 20_000 });

function dateCell(day: number): string | null {
  if (day === NO_DAY) return null;
  let date = dates.get(day);
  if (date === undefined) {
    date = dateOf(day);
    dates.set(day, date);
  }
  return date;
}

/** The visible row of a combination: numbers are numbers, null is an empty cell. */
export function resultRow(
  plan: Pick<BatchPlan, 'variables'>,
  block: ResultBlock,
  row: number,
): (string | number | null)[] {
  return [
    dateCell(block.startDay[row] as number),
    dateCell(block.endDay[row] as number),
    ...plan.variables.map(({ values }, i) => values[block.variables[i]?.[row] as number] ?? null),
    ...METRIC_COLUMNS.map((name) => {
      const value = block.floats[name]?.[row] as number;
      return Number.isNaN(value) ? null : value;
    }),
  ];
}

/** A line of the result file; a cell with a comma, a quote or a line break is quoted. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  let line = '';
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i] as string | number | null;
    if (i > 0) line += ',';
    if (typeof cell === 'number') line += cell;
    else if (cell !== null) line += /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  }
  return line;
}
