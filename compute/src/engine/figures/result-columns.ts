import { FLOAT_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import type { CombinationSpace } from '@quantloom/domain/strategy/combinations';

/** The numbers of a block of rows in one shared buffer, so that several threads fill one block without copying. */
export interface ResultColumns {
  readonly from: number;
  readonly count: number;
  readonly buffer: SharedArrayBuffer;
}

const DAY_COLUMNS = 2;

/** Bytes that `count` rows take. */
export function bytesOfRows(count: number): number {
  const floats = FLOAT_COLUMNS.length * count * Float64Array.BYTES_PER_ELEMENT;
  return floats + DAY_COLUMNS * count * Int32Array.BYTES_PER_ELEMENT;
}

/** Room for `count` rows, all empty; in the given memory of `bytesOfRows(count)` bytes, or in new memory. */
export function allocateColumns(
  from: number,
  count: number,
  buffer = new SharedArrayBuffer(bytesOfRows(count)),
): ResultColumns {
  const columns = { from, count, buffer };
  floatColumns(columns).fill(Number.NaN);
  dayColumns(columns).fill(NO_DAY);
  return columns;
}

/** All float columns, one behind the other in the order of `FLOAT_COLUMNS`. */
export function floatColumns({ count, buffer }: ResultColumns): Float64Array {
  return new Float64Array(buffer, 0, FLOAT_COLUMNS.length * count);
}

/** The column of first days, then that of last days. */
export function dayColumns({ count, buffer }: ResultColumns): Int32Array {
  const offset = FLOAT_COLUMNS.length * count * Float64Array.BYTES_PER_ELEMENT;
  return new Int32Array(buffer, offset, DAY_COLUMNS * count);
}

/** The same memory seen as a block of result rows; the variables' columns are filled in from the combination numbers. */
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

/** The columns of a block by name. */
export function columnViews(columns: ResultColumns): Pick<ResultBlock, 'startDay' | 'endDay' | 'floats'> {
  const { count } = columns;
  const floats = floatColumns(columns);
  const days = dayColumns(columns);
  return {
    startDay: days.subarray(0, count),
    endDay: days.subarray(count, 2 * count),
    floats: Object.fromEntries(
      FLOAT_COLUMNS.map((name, i) => [name, floats.subarray(i * count, (i + 1) * count)]),
    ),
  };
}
