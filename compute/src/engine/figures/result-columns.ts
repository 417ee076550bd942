import {
  METRIC_COLUMNS,
  MORE_COLUMNS,
  NO_DAY,
  OTHER_FILL_COLUMNS,
  type ResultBlock,
  SPLIT_COLUMNS,
  STATISTICS_COLUMNS,
} from '@quantloom/domain/contracts/result-block';
import type { CombinationSpace } from '@quantloom/domain/strategy/combinations';

/** Which figures the rows of a batch can have beside those of every row. */
export interface RowForm {
  /** Metrics before and from an out-of-sample date. */
  readonly hasParts: boolean;
  /** Metrics with the other fill. */
  readonly hasOtherFill: boolean;
}

/** Room for whatever a row may have. */
export const FULL_ROWS: RowForm = { hasParts: true, hasOtherFill: true };

/**
 * The form of a batch's rows: memory that stays empty costs as much time to clear and to walk through as
 * memory that is filled.
 */
export function rowFormOf(plan: {
  readonly outOfSampleDay: number | null;
  readonly hasBothFills: boolean;
}): RowForm {
  return { hasParts: plan.outOfSampleDay !== null, hasOtherFill: plan.hasBothFills };
}

/** The numbers of a block of rows in one shared buffer, so that several threads fill one block without copying. */
export interface ResultColumns {
  readonly from: number;
  readonly count: number;
  readonly form: RowForm;
  readonly buffer: SharedArrayBuffer;
}

const DAY_COLUMNS = 2;

/**
 * Names of float columns in the order in which they lie in memory. What all rows have comes first, so a
 * column's place does not hang on the form.
 */
const EVERY_ROW: readonly string[] = [...METRIC_COLUMNS, ...STATISTICS_COLUMNS, ...MORE_COLUMNS];
const WITH_PARTS: readonly string[] = [...EVERY_ROW, ...SPLIT_COLUMNS];
const WITH_OTHER_FILL: readonly string[] = [...EVERY_ROW, ...OTHER_FILL_COLUMNS];
const WITH_BOTH: readonly string[] = [...WITH_PARTS, ...OTHER_FILL_COLUMNS];

function namesOf({ hasParts, hasOtherFill }: RowForm): readonly string[] {
  if (hasParts) return hasOtherFill ? WITH_BOTH : WITH_PARTS;
  return hasOtherFill ? WITH_OTHER_FILL : EVERY_ROW;
}

/** Place of a column that all rows have, or of one of the parts where the form has them. */
export function placeOfColumn(name: string): number {
  const place = WITH_PARTS.indexOf(name);
  if (place < 0) throw new Error(`No place for the column ${name}`);
  return place;
}

/** Bytes that `count` rows take. */
export function bytesOfRows(count: number, form: RowForm): number {
  const floats = namesOf(form).length * count * Float64Array.BYTES_PER_ELEMENT;
  return floats + DAY_COLUMNS * count * Int32Array.BYTES_PER_ELEMENT;
}

/**
 * Room for `count` rows, all empty; in the given memory of `bytesOfRows(count, form)` bytes, or in new
 * memory. A batch with figures that the form has no room for must not be run into it.
 */
export function allocateColumns(
  from: number,
  count: number,
  form: RowForm = FULL_ROWS,
  buffer = new SharedArrayBuffer(bytesOfRows(count, form)),
): ResultColumns {
  const columns = { from, count, form, buffer };
  floatColumns(columns).fill(Number.NaN);
  dayColumns(columns).fill(NO_DAY);
  return columns;
}

/** All float columns of the form, one behind the other; `placeOfColumn` tells where. */
export function floatColumns({ count, form, buffer }: ResultColumns): Float64Array {
  return new Float64Array(buffer, 0, namesOf(form).length * count);
}

/** The column of first days, then that of last days. */
export function dayColumns({ count, form, buffer }: ResultColumns): Int32Array {
  const offset = namesOf(form).length * count * Float64Array.BYTES_PER_ELEMENT;
  return new Int32Array(buffer, offset, DAY_COLUMNS * count);
}

/**
 * The same memory seen as a block of result rows; the variables' columns are filled in from the combination
 * numbers.
 */
export function blockView(
  columns: ResultColumns,
  batchId: string,
  space: CombinationSpace,
  failures: ResultBlock['failures'],
): ResultBlock {
  const { from, count } = columns;
  const variables = space.radices.map((_, i) => digitsOf(space, i, columns));
  return { batchId, from, count, ...columnViews(columns), variables, failures };
}

/** The digit of one variable in every combination of a block; counted up, since there are millions of rows. */
function digitsOf(
  { radices }: CombinationSpace,
  variable: number,
  { from, count }: ResultColumns,
): Int32Array {
  const radix = radices[variable] ?? 1;
  const stride = radices.slice(variable + 1).reduce((product, each) => product * each, 1);
  const digits = new Int32Array(count);
  let digit = Math.floor(from / stride) % radix;
  let left = stride - (from % stride);
  for (let row = 0; row < count; row++) {
    digits[row] = digit;
    left -= 1;
    if (left > 0) continue;
    left = stride;
    digit = digit + 1 === radix ? 0 : digit + 1;
  }
  return digits;
}

/** The columns of a block by name: those that its form has. */
export function columnViews(columns: ResultColumns): Pick<ResultBlock, 'startDay' | 'endDay' | 'floats'> {
  const { count } = columns;
  const floats = floatColumns(columns);
  const days = dayColumns(columns);
  return {
    startDay: days.subarray(0, count),
    endDay: days.subarray(count, 2 * count),
    floats: Object.fromEntries(
      namesOf(columns.form).map((name, i) => [name, floats.subarray(i * count, (i + 1) * count)]),
    ),
  };
}
