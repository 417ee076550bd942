import type { BatchVariable } from '../batch/variable-values.ts';
import { quantile, sortedNumbers } from './describe.ts';

/**
 * The grid of a batch's combinations as a neighbourhood: one step is the next smaller or larger number of a
 * numeric variable, or any other value of a ticker variable (tickers have no order).
 */
export interface Grid {
  readonly count: number;
  readonly steps: readonly VariableSteps[];
}

interface VariableSteps {
  readonly name: string;
  readonly isNumeric: boolean;
  readonly radix: number;
  /** Difference in combination number between two neighbouring indexes. */
  readonly stride: number;
  /** Index → indexes one step away. */
  readonly neighbours: readonly Int32Array[];
  /** Numeric: index → place among the values in ascending order. */
  readonly places: Int32Array;
}

/** Ticker variables with more values than this are represented by so many others, evenly spread. */
const MAX_OTHERS = 24;

/** The grid over a batch's variables in their order. */
export function gridOf(variables: readonly BatchVariable[]): Grid {
  const count = variables.reduce((product, { values }) => product * values.length, 1);
  let stride = count;
  const steps = variables.map(({ name, values }): VariableSteps => {
    const radix = values.length;
    stride /= radix;
    const isNumeric = values.every((value) => typeof value === 'number');
    const places = new Int32Array(radix);
    const order = [...values.keys()];
    if (isNumeric) order.sort((a, b) => (values[a] as number) - (values[b] as number));
    for (const [place, index] of order.entries()) places[index] = place;
    const neighbours = [...values.keys()].map((index) => {
      if (isNumeric) {
        const place = places[index] as number;
        return Int32Array.from([order[place - 1], order[place + 1]].filter((other) => other !== undefined));
      }
      const others = [...values.keys()].filter((other) => other !== index);
      if (others.length <= MAX_OTHERS) return Int32Array.from(others);
      return Int32Array.from(
        { length: MAX_OTHERS },
        (_, i) => others[Math.floor((i * others.length) / MAX_OTHERS)] as number,
      );
    });
    return { name, isNumeric, radix, stride, neighbours, places };
  });
  return { count, steps };
}

/** Calls `visit` with every combination one step away from `k`. */
export function forEachNeighbour(grid: Grid, k: number, visit: (neighbour: number) => void): void {
  for (const { stride, radix, neighbours } of grid.steps) {
    const index = Math.floor(k / stride) % radix;
    const others = neighbours[index] as Int32Array;
    for (let i = 0; i < others.length; i += 1) visit(k + ((others[i] as number) - index) * stride);
  }
}

export interface Stability {
  /** Combinations one step away. */
  readonly neighbours: number;
  /** Share of them that stay above the median of the whole batch; NaN without neighbours. */
  readonly aboveMedian: number;
  readonly neighbourMedian: number;
}

/**
 * How the surroundings of a combination do: a peak that stands alone is luck. A neighbour that failed is not
 * above the median.
 */
export function stabilityOf(grid: Grid, values: Float64Array, k: number, median: number): Stability {
  let neighbours = 0;
  let above = 0;
  const seen: number[] = [];
  forEachNeighbour(grid, k, (other) => {
    const value = values[other] as number;
    neighbours += 1;
    if (value > median) above += 1;
    if (!Number.isNaN(value)) seen.push(value);
  });
  return {
    neighbours,
    aboveMedian: neighbours > 0 ? above / neighbours : Number.NaN,
    neighbourMedian: quantile(sortedNumbers(Float64Array.from(seen)), 0.5),
  };
}

/**
 * Median of each combination and its neighbours: an order that prefers plateaus to peaks. NaN where the
 * combination itself failed. Yields the share that is done.
 */
export function* neighbourhoodMedians(grid: Grid, values: Float64Array): Generator<number, Float64Array> {
  const out = new Float64Array(values.length).fill(Number.NaN);
  const most = grid.steps.reduce(
    (sum, { neighbours }) => sum + Math.max(0, ...neighbours.map(({ length }) => length)),
    1,
  );
  const buffer = new Float64Array(most);
  for (let k = 0; k < values.length; k += 1) {
    if ((k & 0xfff) === 0xfff) yield k / values.length;
    const own = values[k] as number;
    if (Number.isNaN(own)) continue;
    buffer[0] = own;
    let count = 1;
    for (const { stride, radix, neighbours } of grid.steps) {
      const index = Math.floor(k / stride) % radix;
      const others = neighbours[index] as Int32Array;
      for (let i = 0; i < others.length; i += 1) {
        const value = values[k + ((others[i] as number) - index) * stride] as number;
        if (Number.isNaN(value)) continue;
        buffer[count] = value;
        count += 1;
      }
    }
    out[k] = quantile(buffer.subarray(0, count).sort(), 0.5);
  }
  return out;
}

export interface Peak {
  readonly combination: number;
  readonly value: number;
  /** Combinations connected to it by single steps that are nearly as good; a plateau when there are many. */
  readonly plateau: number;
  readonly neighbourMedian: number;
}

const MAX_PLATEAU = 10_000;

/**
 * Combinations that are better than all their neighbours, the best first, with the size of the plateau they
 * stand on: what can be reached by single steps without losing more than a tenth of the way from the batch's
 * median up to the peak.
 */
export function localMaxima(grid: Grid, values: Float64Array, median: number, limit: number): Peak[] {
  const peaks: number[] = [];
  for (let k = 0; k < values.length; k += 1) {
    const own = values[k] as number;
    if (Number.isNaN(own) || own <= median) continue;
    let isPeak = true;
    for (const { stride, radix, neighbours } of grid.steps) {
      const index = Math.floor(k / stride) % radix;
      const others = neighbours[index] as Int32Array;
      for (let i = 0; i < others.length && isPeak; i += 1) {
        const other = k + ((others[i] as number) - index) * stride;
        const value = values[other] as number;
        // Of equal neighbours the first one stands for all.
        if (value > own || (value === own && other < k)) isPeak = false;
      }
      if (!isPeak) break;
    }
    if (isPeak) peaks.push(k);
  }
  peaks.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  return peaks.slice(0, limit).map((combination) => {
    const value = values[combination] as number;
    return {
      combination,
      value,
      plateau: plateauSize(grid, values, combination, value - 0.1 * (value - median)),
      neighbourMedian: stabilityOf(grid, values, combination, median).neighbourMedian,
    };
  });
}

function plateauSize(grid: Grid, values: Float64Array, from: number, level: number): number {
  const seen = new Set([from]);
  const open = [from];
  for (let k = open.pop(); k !== undefined && seen.size < MAX_PLATEAU; k = open.pop())
    forEachNeighbour(grid, k, (other) => {
      if (seen.has(other) || !((values[other] as number) >= level)) return;
      seen.add(other);
      open.push(other);
    });
  return seen.size;
}

/** A numeric variable whose best value is the smallest or largest that was tried. */
export interface SearchEdge {
  readonly name: string;
  readonly side: 'lowest' | 'highest';
  readonly value: number;
}

/**
 * Where the best combination lies at the edge of what was searched: a better one may lie beyond. Variables
 * with fewer than 3 values have no inside.
 */
export function searchEdges(grid: Grid, variables: readonly BatchVariable[], best: number): SearchEdge[] {
  return grid.steps.flatMap(({ name, isNumeric, radix, stride, places }, v): SearchEdge[] => {
    if (!isNumeric || radix < 3) return [];
    const index = Math.floor(best / stride) % radix;
    const place = places[index] as number;
    if (place !== 0 && place !== radix - 1) return [];
    const value = variables[v]?.values[index] as number;
    return [{ name, side: place === 0 ? 'lowest' : 'highest', value }];
  });
}
