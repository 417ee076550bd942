import type { SharedColumn } from '@quantloom/domain/ports/result-store';

/** Throws where a column of `rows` numbers does not fit exactly. */
export function checkRoom(into: SharedColumn, rows: number): void {
  if (into.length !== rows)
    throw new RangeError(`There are ${rows} rows, but room for ${into.length} numbers`);
  if (!(into.buffer instanceof SharedArrayBuffer))
    throw new TypeError('A column can only be read into shared memory');
}
