/** Throws on what cannot be a number of rows; the value becomes part of SQL. */
export function wholeNumber(value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new Error(`${value} is not a number of rows`);
  return value;
}
