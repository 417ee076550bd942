import { HASH_LAYOUT, hashOfLeaves, LEAF_ROWS, leafHash } from '../row-hash.ts';
import { gatherRows, RowFinder } from './gather-rows.ts';
import type { Segment } from './segment-file.ts';

/** Leaves that are read at once where segments do not bring them. */
const LEAVES_AT_ONCE = 64;

/**
 * Hex SHA-256 of the rows 0 to `rows` - 1, which the segments hold. Most leaves were hashed when their
 * segment was written; those that lie in several segments, or in segments of an earlier version, are read.
 */
export async function hashOfSegments(segments: readonly Segment[], rows: number): Promise<string> {
  const leaves: (string | undefined)[] = Array.from({ length: Math.ceil(rows / LEAF_ROWS) }, () => undefined);
  for (const { header } of segments)
    if (header.leaves?.layout === HASH_LAYOUT)
      for (const [leaf, hash] of header.leaves.hashes) leaves[leaf] = hash;
  const open = leaves.flatMap((hash, leaf) => (hash === undefined ? [leaf] : []));
  for (let from = 0; from < open.length; from += LEAVES_AT_ONCE) {
    const wanted = open.slice(from, from + LEAVES_AT_ONCE);
    for (const [leaf, hash] of read(segments, wanted, rows)) leaves[leaf] = hash;
    // Others get their turn on this thread.
    await new Promise(setImmediate);
  }
  return hashOfLeaves(
    rows,
    leaves.map((hash) => hash as string),
  );
}

function read(segments: readonly Segment[], wanted: readonly number[], rows: number): [number, string][] {
  const sizeOf = (leaf: number) => Math.min(LEAF_ROWS, rows - leaf * LEAF_ROWS);
  const combinations = Int32Array.from(
    wanted.flatMap((leaf) => Array.from({ length: sizeOf(leaf) }, (_, i) => leaf * LEAF_ROWS + i)),
  );
  const found = gatherRows(segments, new RowFinder(segments).places(combinations));
  let first = 0;
  return wanted.map((leaf) => {
    const hash = leafHash(found, first, sizeOf(leaf));
    first += sizeOf(leaf);
    return [leaf, hash];
  });
}
