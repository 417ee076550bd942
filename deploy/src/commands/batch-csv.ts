import type { BatchPlan } from '@quantloom/compute/engine/batch/compile/batch-plan';
import { dateOf } from '@quantloom/compute/engine/model/days';
import { csvCell } from '@quantloom/domain/contracts/csv-cell';
import { type MoreColumn, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';

/** The result file of a batch, byte for byte as the HTTP interface of an embedded installation gives it. */
export class BatchCsv {
  readonly header: string;
  private readonly columns: readonly string[];
  /** By variable and index: the value with the comma before it. */
  private readonly values: readonly (readonly string[])[];
  private readonly dates = new Map<number, string>();

  /** @param more columns after the visible ones */
  constructor(plan: Pick<BatchPlan, 'variables' | 'csvColumns'>, more: readonly MoreColumn[] = []) {
    this.header = `${[...plan.csvColumns, ...more].map(csvCell).join()}\n`;
    this.columns = [...plan.csvColumns.slice(2 + plan.variables.length), ...more];
    this.values = plan.variables.map(({ values }) => values.map((value) => `,${csvCell(value)}`));
  }

  /** The lines of a block. */
  lines({ count, startDay, endDay, variables, floats }: ResultBlock): string {
    const columns = this.columns.map((name) => floats[name] as Float64Array);
    let text = '';
    for (let row = 0; row < count; row++) {
      let line = `${this.date(startDay[row] as number)},${this.date(endDay[row] as number)}`;
      for (let i = 0; i < variables.length; i++)
        line += this.values[i]?.[variables[i]?.[row] as number] as string;
      for (const column of columns) line += `,${numberCell(column[row] as number)}`;
      text += `${line}\n`;
    }
    return text;
  }

  /** Rows share few days, and writing a date costs as much as a number. */
  private date(day: number): string {
    if (day === NO_DAY) return '';
    let date = this.dates.get(day);
    if (date === undefined) {
      date = dateOf(day);
      this.dates.set(day, date);
    }
    return date;
  }
}

/** The shortest digits that mean the number, never without a point or an exponent; nothing for NaN. */
export function numberCell(value: number): string {
  if (Number.isNaN(value)) return '';
  const size = Math.abs(value);
  if ((size >= 1e-4 && size < 1e16) || size === 0) {
    if (!Number.isInteger(value)) return `${value}`;
    return Object.is(value, -0) ? '-0.0' : `${value}.0`;
  }
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
