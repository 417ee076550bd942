import { CASH_DEVIATION, MIX_DEVIATION } from './skill.ts';

/** What rows are recognised by, by combination; NaN where a row has none. */
export interface RecognisedBy {
  /** Deviation a year on the days that rows are ranked on. */
  readonly deviations: ArrayLike<number>;
  /** Deviation a year and correlation with the benchmark, both over the whole period. */
  readonly whole: ArrayLike<number>;
  readonly correlations: ArrayLike<number>;
}

/** One mark for each row: 1 for cash, the benchmark and mixes of both. */
export type RowMarks = Uint8Array;

/**
 * Marks the rows that are no strategy, by the borders that `rowAlpha` draws on daily returns. Bills have the
 * highest Sharpe ratio of all and keep it in every part of a period: left among strategies they win every
 * half of a cross-validation, and their spread is not that of trials.
 *
 * @param marks filled, one for each row
 */
export function markNoStrategies({ deviations, whole, correlations }: RecognisedBy, marks: RowMarks): void {
  for (let row = 0; row < marks.length; row += 1) {
    const correlation = correlations[row] as number;
    // What the benchmark leaves of the deviation; NaN, which is below nothing, where either is unknown.
    const beyond = (whole[row] as number) * Math.sqrt(1 - correlation * correlation);
    marks[row] = Number((deviations[row] as number) < CASH_DEVIATION || beyond < MIX_DEVIATION);
  }
}

/** The values of strategies, NaN for marked rows; the very same values where no row is marked. */
export function ofStrategies(values: Float64Array, marks: RowMarks): Float64Array {
  let row = marks.indexOf(1);
  if (row < 0) return values;
  const kept = values.slice();
  for (; row >= 0; row = marks.indexOf(1, row + 1)) kept[row] = Number.NaN;
  return kept;
}
