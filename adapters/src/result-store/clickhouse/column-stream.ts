import type { SharedColumn } from '@quantloom/domain/ports/result-store';

const NUMBER_BYTES = 8;

/** About as much as comes from a socket at a time. */
const HELD_BYTES = 64 * 1024;

/**
 * Takes rows of numbers apart that come as bytes in pieces of any size: the n-th number of each row goes to
 * the n-th column, whose rows beyond its end are only counted. All rows pass through the same memory:
 * with new memory for every piece, V8 collects its whole heap about twice as often.
 *
 * @returns how many rows there were
 * Rejects where the bytes end in the middle of a row.
 */
export async function fillColumns(
  pieces: AsyncIterable<Uint8Array>,
  columns: readonly SharedColumn[],
): Promise<number> {
  const width = NUMBER_BYTES * columns.length;
  const numbers = new Float64Array(columns.length * Math.max(1, Math.floor(HELD_BYTES / width)));
  const bytes = new Uint8Array(numbers.buffer);
  let filled = 0;
  let rows = 0;
  const take = () => {
    const count = filled / width;
    for (const [place, column] of columns.entries())
      for (let row = 0, at = place; row < count; row += 1, at += columns.length)
        column[rows + row] = numbers[at] as number;
    rows += count;
    filled = 0;
  };
  for await (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const size = Math.min(piece.length - at, bytes.length - filled);
      bytes.set(piece.subarray(at, at + size), filled);
      filled += size;
      at += size;
      if (filled === bytes.length) take();
    }
  if (filled % width > 0) throw new Error('The columns ended in the middle of a row');
  take();
  return rows;
}
