import type { BatchVariable, VariableValue } from '@quantloom/domain/batch/variable-values';

/** One side of a heat map. */
export interface HeatMapSide {
  readonly name: string;
  /** As the user gave them (numbers ascending), or tickers by the mean of their rows, the best first. */
  readonly order: 'given' | 'mean';
  /** Part of the ordered values, half open; default all. */
  readonly from?: number;
  readonly to?: number;
}

export interface HeatMapRequest {
  readonly variables: readonly BatchVariable[];
  /** The metric in combination order; NaN where a row has failed or does not count. */
  readonly values: Float64Array;
  readonly isLowerBetter: boolean;
  readonly x: HeatMapSide;
  readonly y: HeatMapSide;
  /** Most cells in a direction: of more values, neighbours share one. */
  readonly mostCells: number;
}

export interface HeatMapAxis {
  readonly name: string;
  readonly values: VariableValue[];
  /** Values that share a cell; the last cell may hold fewer. */
  readonly step: number;
  /**
   * Where `values` begin among those with a row, how many these are, and how many values have none and take
   * no room.
   */
  readonly from: number;
  readonly total: number;
  readonly empty: number;
}

export interface HeatMapCells {
  readonly x: HeatMapAxis;
  readonly y: HeatMapAxis;
  /** Rows of y, in each the cells along x; NaN (count 0) where no combination has a result. */
  readonly count: Int32Array[];
  readonly best: Float64Array[];
  readonly mean: Float64Array[];
  readonly worst: Float64Array[];
}

/**
 * A metric over two variables: best, mean and worst over all others, in one pass over the rows. Throws where
 * a variable is not there.
 */
export function heatMapOf(request: HeatMapRequest): HeatMapCells {
  const { values, isLowerBetter } = request;
  const across = axisOf(request, request.x);
  const down = axisOf(request, request.y);
  const { cells: width } = across;
  const rows = Array.from({ length: down.cells }, () => ({
    count: new Int32Array(width),
    best: new Float64Array(width).fill(Number.NaN),
    sum: new Float64Array(width),
    worst: new Float64Array(width).fill(Number.NaN),
  }));
  for (let k = 0; k < values.length; k += 1) {
    const value = values[k] as number;
    if (Number.isNaN(value)) continue;
    const row = rows[down.cellOf(k)];
    const i = across.cellOf(k);
    if (row === undefined || i < 0) continue;
    const isFirst = row.count[i] === 0;
    const [best, worst] = [row.best[i] as number, row.worst[i] as number];
    if (isFirst || (isLowerBetter ? value < best : value > best)) row.best[i] = value;
    if (isFirst || (isLowerBetter ? value > worst : value < worst)) row.worst[i] = value;
    row.sum[i] = (row.sum[i] as number) + value;
    row.count[i] = (row.count[i] as number) + 1;
  }
  return {
    x: across.axis,
    y: down.axis,
    count: rows.map(({ count }) => count),
    best: rows.map(({ best }) => best),
    mean: rows.map(({ sum, count }) => sum.map((total, i) => total / (count[i] as number))),
    worst: rows.map(({ worst }) => worst),
  };
}

function axisOf({ variables, values, isLowerBetter, mostCells }: HeatMapRequest, side: HeatMapSide) {
  const at = variables.findIndex(({ name }) => name === side.name);
  const own = variables[at]?.values;
  if (own === undefined) throw new Error(`The batch has no variable ${side.name}`);
  const stride = variables.slice(at + 1).reduce((product, other) => product * other.values.length, 1);
  const indexOf = (k: number) => Math.floor(k / stride) % own.length;
  const isNumeric = own.every((value) => typeof value === 'number');
  const counts = new Int32Array(own.length);
  const sums = new Float64Array(own.length);
  for (let k = 0; k < values.length; k += 1) {
    const value = values[k] as number;
    if (Number.isNaN(value)) continue;
    const index = indexOf(k);
    counts[index] = (counts[index] as number) + 1;
    sums[index] = (sums[index] as number) + value;
  }
  const order = [...own.keys()].filter((index) => (counts[index] as number) > 0);
  const mean = (index: number) => (sums[index] as number) / (counts[index] as number);
  if (isNumeric) order.sort((a, b) => Number(own[a]) - Number(own[b]));
  else if (side.order === 'mean') order.sort((a, b) => (isLowerBetter ? 1 : -1) * (mean(a) - mean(b)));
  const shown = order.slice(side.from ?? 0, side.to);
  const step = Math.max(1, Math.ceil(shown.length / mostCells));
  const cellOfIndex = new Int32Array(own.length).fill(-1);
  for (const [place, index] of shown.entries()) cellOfIndex[index] = Math.floor(place / step);
  return {
    axis: {
      name: side.name,
      values: shown.map((index) => own[index] as VariableValue),
      step,
      from: Math.min(side.from ?? 0, order.length),
      total: order.length,
      empty: own.length - order.length,
    },
    cells: Math.ceil(shown.length / step),
    /** -1: not shown. */
    cellOf: (k: number) => cellOfIndex[indexOf(k)] as number,
  };
}
