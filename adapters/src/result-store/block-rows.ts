import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { Range } from './ranges.ts';

/** Rows of a block in columns, ascending by combination but not without gaps. */
export interface BlockRows extends Pick<ResultBlock, 'startDay' | 'endDay' | 'variables' | 'floats'> {
  readonly count: number;
  readonly combinations: Int32Array;
}

/**
 * The rows of some ranges of a block: views where they are one range, copies where they are many, so that
 * those are written at once too.
 */
export function rowsOfRanges(block: ResultBlock, ranges: readonly Range[]): BlockRows {
  const count = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const combinations = new Int32Array(count);
  let row = 0;
  for (const { from, to } of ranges)
    for (let combination = from; combination < to; combination += 1) {
      combinations[row] = combination;
      row += 1;
    }
  const first = combinations[0] ?? block.from;
  const pick = <Column extends Int32Array | Float64Array>(column: Column): Column => {
    if (ranges.length === 1) return column.subarray(first - block.from, first - block.from + count) as Column;
    const picked = column.slice(0, count) as Column;
    for (let i = 0; i < count; i += 1) picked[i] = column[(combinations[i] as number) - block.from] as number;
    return picked;
  };
  return {
    count,
    combinations,
    startDay: pick(block.startDay),
    endDay: pick(block.endDay),
    variables: block.variables.map(pick),
    floats: Object.fromEntries(Object.entries(block.floats).map(([name, column]) => [name, pick(column)])),
  };
}
