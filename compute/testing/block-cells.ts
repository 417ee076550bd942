import { METRIC_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { BatchPlan } from '../src/engine/batch/compile/batch-plan.ts';
import { dateOf } from '../src/engine/model/days.ts';

/** The visible cells of a row, as golden batches have them: numbers are numbers, null is an empty cell. */
export function cellsOf(
  plan: Pick<BatchPlan, 'variables'>,
  block: ResultBlock,
  row: number,
): (string | number | null)[] {
  const date = (day = NO_DAY) => (day === NO_DAY ? null : dateOf(day));
  return [
    date(block.startDay[row]),
    date(block.endDay[row]),
    ...plan.variables.map(({ values }, i) => values[block.variables[i]?.[row] as number] ?? null),
    ...METRIC_COLUMNS.map((name) => {
      const value = block.floats[name]?.[row] as number;
      return Number.isNaN(value) ? null : value;
    }),
  ];
}
