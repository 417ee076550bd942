import { OTHER_FILL_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { expect, it } from 'vitest';
import { HASH_LAYOUT, hashOfLeaves, leafHash, ROW_BYTES, RowBlockHash, RowStreamHash } from './row-hash.ts';
import { sampleBlock } from './sample-block.ts';

const ROWS = 9;
const all = sampleBlock('', { from: 0, count: ROWS }, [ROWS], 4);
/** As rows of most batches are: nothing in the columns that have to be asked for. */
const common = {
  ...all,
  floats: Object.fromEntries(
    Object.entries(all.floats).filter(([name]) => !(OTHER_FILL_COLUMNS as readonly string[]).includes(name)),
  ),
};
const hashOf = (rows: typeof all) => hashOfLeaves(ROWS, [leafHash(rows, 0, ROWS)]);

it('hashes rows of batches that ask for nothing more as it did before they could', () => {
  expect(HASH_LAYOUT).toBe('95a8f571');
  expect(leafHash(common, 0, ROWS)).toBe('7a742e6a604234aba03a9800033958471bd0f3ae0938b72d234d1d4b1aa0c3b9');
  expect(hashOf(common)).toBe('bb14dd09ff9ac5569fa56ff739447d5d96cf5944d3e22f81e56d300a6589c5d7');
  const empty = Object.fromEntries(
    OTHER_FILL_COLUMNS.map((name) => [name, new Float64Array(ROWS).fill(Number.NaN)]),
  );
  expect(hashOf({ ...all, floats: { ...common.floats, ...empty } })).toBe(hashOf(common));
});

it('tells every value of the other fill, and the columns that have the same ones', () => {
  const values = Float64Array.from({ length: ROWS }, (_, row) => row / 8);
  const others = values.with(3, 1);
  const hashes = [
    hashOf(common),
    hashOf(all),
    ...OTHER_FILL_COLUMNS.flatMap((name) =>
      [values, others].map((column) => hashOf({ ...all, floats: { ...common.floats, [name]: column } })),
    ),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

it('is the same of rows in a block and of rows in a stream', () => {
  for (const rows of [common, all]) {
    const block = new RowBlockHash();
    block.update(rows);
    expect(block.digest()).toBe(hashOf(rows));
    const stream = new RowStreamHash();
    const bytes = new Uint8Array(ROWS * ROW_BYTES);
    const view = new DataView(bytes.buffer);
    for (let row = 0; row < ROWS; row += 1) {
      view.setInt32(row * ROW_BYTES, rows.startDay[row] as number, true);
      view.setInt32(row * ROW_BYTES + 4, rows.endDay[row] as number, true);
      for (const [i, name] of Object.keys(all.floats).entries())
        view.setFloat64(row * ROW_BYTES + 8 * (i + 1), rows.floats[name]?.[row] ?? Number.NaN, true);
    }
    stream.update(bytes);
    expect(stream.digest()).toEqual({ rows: ROWS, hash: hashOf(rows) });
  }
});
