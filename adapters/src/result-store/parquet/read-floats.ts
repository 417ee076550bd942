import type { Range } from '../ranges.ts';
import { type Segment, SegmentReader } from './segment-file.ts';

/** Where a column goes to. */
export interface ColumnTarget {
  readonly name: string;
  readonly into: Float64Array | Float32Array | Uint16Array;
}

/** Reads whole columns in combination order, one number per stored row, NaN for null (0 in whole numbers). */
export async function readFloats(
  segments: readonly Segment[],
  stored: readonly Range[],
  wanted: readonly ColumnTarget[],
): Promise<void> {
  for (const segment of segments) {
    const runs = runsIn(segment, stored);
    const reader = new SegmentReader(segment);
    try {
      for (const { name, into } of wanted) {
        const values = reader.floats(name);
        for (const { row, place, count } of runs)
          into.set(runs.length === 1 ? values : values.subarray(row, row + count), place);
      }
    } finally {
      reader.close();
    }
    // Others get their turn on this thread.
    await new Promise(setImmediate);
  }
}

/** The ranges of a segment: rows, and the places in the order of all that is stored. */
function runsIn({ header }: Segment, stored: readonly Range[]) {
  let range = 0;
  let before = 0;
  let row = 0;
  return header.ranges.map(([from, to]) => {
    for (let each = stored[range]; each && each.to <= from; each = stored[range]) {
      before += each.to - each.from;
      range += 1;
    }
    const run = { row, place: before + from - (stored[range]?.from ?? 0), count: to - from };
    row += to - from;
    return run;
  });
}
