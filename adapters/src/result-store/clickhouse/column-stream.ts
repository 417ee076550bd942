import type { SharedColumn } from '@quantloom/domain/ports/result-store';

const NUMBER_BYTES = 8;

/**
 * Takes rows of numbers apart that come as bytes in pieces of any size: the n-th number of each row goes to
 * the n-th column, whose rows beyond its end are only counted.
 *
 * @returns how many rows there were
 * Rejects where the bytes end in the middle of a row.
 */
export async function fillColumns(
  pieces: AsyncIterable<Uint8Array>,
  columns: readonly SharedColumn[],
): Promise<number> {
  const width = NUMBER_BYTES * columns.length;
  let rest: Uint8Array = new Uint8Array(0);
  let rows = 0;
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const count = Math.floor(bytes.length / width);
    // A copy: where a piece begins in memory is no place for numbers.
    const numbers = new Float64Array(count * columns.length);
    new Uint8Array(numbers.buffer).set(bytes.subarray(0, count * width));
    for (const [place, column] of columns.entries())
      for (let row = 0, at = place; row < count; row += 1, at += columns.length)
        column[rows + row] = numbers[at] as number;
    rows += count;
    rest = bytes.subarray(count * width);
  }
  if (rest.length > 0) throw new Error('The columns ended in the middle of a row');
  return rows;
}
