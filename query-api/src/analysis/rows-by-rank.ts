import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { ofStrategies, type RowMarks } from '@quantloom/domain/statistics/row-marks';
import { argmax, numbersIn, topOf } from './largest.ts';

/** Rows by what they are ranked by; NaN where a row has no result. */
export interface BestRequest {
  readonly values: Float64Array;
  readonly marks: RowMarks;
  readonly limit: number;
}

export interface BestStrategies {
  /** Combinations of strategies, the best first; of all rows where there are no strategies. */
  readonly best: readonly number[];
  /** Marked rows that were left out; 0 where there are no strategies. */
  readonly leftOut: number;
}

export function bestStrategies({ values, marks, limit }: BestRequest): BestStrategies {
  const strategies = topOf(ofStrategies(values, marks), limit);
  return strategies.length > 0
    ? { best: [...strategies], leftOut: marks.reduce((count, mark) => count + mark, 0) }
    : { best: [...topOf(values, limit)], leftOut: 0 };
}

/** Which rows a verdict runs again. */
export interface RowsToTestRequest {
  readonly values: Float64Array;
  /** What people see rows ranked by: the one on top is looked at as well where it is marked. */
  readonly shown: Float64Array;
  /** Of rows that can neither win nor be drawn, where not all are run again. */
  readonly marks: RowMarks;
  readonly seed: string;
  /** All rows, where there are no more than that many. */
  readonly all: number;
  readonly best: number;
  readonly random: number;
}

/**
 * Combinations with a result: strategies by value, the best first, behind the row that is shown on top where
 * that is none; in a random order; how many have a result, and how many of these can win.
 */
export interface RowsToTest {
  readonly best: number[];
  readonly drawn: number[];
  readonly count: number;
  readonly strategies: number;
}

export function rowsToTest({
  values: allValues,
  shown,
  marks,
  seed,
  all,
  best,
  random,
}: RowsToTestRequest): RowsToTest {
  const count = numbersIn(allValues);
  const isSmall = count <= all;
  const strategies = ofStrategies(allValues, marks);
  // Few rows are run again one and all: what they are is then seen in their daily returns.
  const values = isSmall ? allValues : strategies;
  const ran: number[] = [];
  for (let k = 0; k < values.length; k += 1) if (!Number.isNaN(values[k] as number)) ran.push(k);
  const draws = new Random(seed);
  const drawn: number[] = [];
  const wanted = Math.min(ran.length, isSmall ? ran.length : random);
  // Fisher and Yates's shuffle, as far as it is needed.
  for (let i = 0; i < wanted; i += 1) {
    const j = i + draws.below(ran.length - i);
    [ran[i], ran[j]] = [ran[j] as number, ran[i] as number];
    drawn.push(ran[i] as number);
  }
  const first = argmax(shown);
  const isNone = first >= 0 && marks[first] === 1;
  const top = [...topOf(values, isSmall ? ran.length : best)];
  return {
    best: isNone ? [first, ...top.filter((one) => one !== first)] : top,
    drawn,
    count,
    strategies: isSmall ? count : ran.length,
  };
}
