/** Short to write, and what nobody traded is 0 instead of what was lost to rounding. */
export const BILLIONTH = 1e9;
/** Short to write: for reading. */
export const MILLIONTH = 1e6;

/** The numbers to so many parts of 1. */
export function rounded(values: Float64Array, parts: number): Float64Array {
  const column = new Float64Array(values.length);
  for (let t = 0; t < column.length; t++) column[t] = Math.round((values[t] as number) * parts) / parts;
  return column;
}
