/** ` LIMIT … OFFSET …`, or nothing. Throws on what cannot be a number of rows. */
export function pageSql({ limit, offset }: { readonly limit?: number; readonly offset?: number }): string {
  const first = limit === undefined ? '' : ` LIMIT ${wholeNumber(limit)}`;
  return offset === undefined ? first : `${first} OFFSET ${wholeNumber(offset)}`;
}

function wholeNumber(value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new Error(`${value} is not a number of rows`);
  return value;
}
