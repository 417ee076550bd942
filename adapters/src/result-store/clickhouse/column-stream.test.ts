import { expect, it } from 'vitest';
import { fillColumns } from './column-stream.ts';

const ROWS = 40;
const values = Float64Array.from({ length: 3 * ROWS }, (_, i) => (i === 7 ? Number.NaN : i / 2));
const bytes = new Uint8Array(values.buffer);

async function* cutInto(size: number, length = bytes.length) {
  for (let from = 0; from < length; from += size) yield bytes.subarray(from, Math.min(from + size, length));
}

const room = (rows = ROWS) =>
  [
    new Float64Array(new SharedArrayBuffer(8 * rows)),
    new Float32Array(new SharedArrayBuffer(4 * rows)),
    new Uint16Array(new SharedArrayBuffer(2 * rows)),
  ] as const;

it('fills columns of any kind from pieces of any size', async () => {
  for (const size of [1, 7, 24, 100, bytes.length]) {
    const columns = room();
    expect(await fillColumns(cutInto(size), columns)).toBe(ROWS);
    for (const [place, column] of columns.entries()) {
      const expected = column.slice().fill(0);
      for (let row = 0; row < ROWS; row += 1) expected[row] = values[3 * row + place] as number;
      expect(column).toEqual(expected);
    }
  }
});

it('counts rows for which there is no room, and rejects half a row', async () => {
  expect(await fillColumns(cutInto(64), room(2))).toBe(ROWS);
  await expect(fillColumns(cutInto(64, bytes.length - 8), room())).rejects.toThrow('middle of a row');
});
