import { FLOAT_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { SegmentContent } from './segment-bytes.ts';
import { type Segment, SegmentReader } from './segment-file.ts';

/** Where each wanted row is: segment by its index, and row in it. */
export interface RowPlaces {
  readonly segments: Int32Array;
  readonly rows: Int32Array;
}

/** Finds rows by their combination in segments that share none. */
export class RowFinder {
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #segment: Int32Array;
  readonly #row: Int32Array;

  constructor(segments: readonly Segment[]) {
    const pieces = segments.flatMap(({ header }, segment) => {
      let row = 0;
      return header.ranges.map(([from, to]) => {
        const piece = { from, to, segment, row };
        row += to - from;
        return piece;
      });
    });
    pieces.sort((a, b) => a.from - b.from);
    this.#from = Float64Array.from(pieces, ({ from }) => from);
    this.#to = Float64Array.from(pieces, ({ to }) => to);
    this.#segment = Int32Array.from(pieces, ({ segment }) => segment);
    this.#row = Int32Array.from(pieces, ({ row }) => row);
  }

  /** Throws where a combination is not stored. */
  places(combinations: Int32Array): RowPlaces {
    const segments = new Int32Array(combinations.length);
    const rows = new Int32Array(combinations.length);
    let piece = 0;
    for (let i = 0; i < combinations.length; i += 1) {
      const combination = combinations[i] as number;
      // Most rows follow each other.
      if (!this.#holds(piece, combination)) piece = this.#find(combination);
      segments[i] = this.#segment[piece] as number;
      rows[i] = (this.#row[piece] as number) + combination - (this.#from[piece] as number);
    }
    return { segments, rows };
  }

  #holds(piece: number, combination: number): boolean {
    return combination >= (this.#from[piece] as number) && combination < (this.#to[piece] as number);
  }

  #find(combination: number): number {
    let low = 0;
    let high = this.#to.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#to[middle] as number) <= combination) low = middle + 1;
      else high = middle;
    }
    if (!this.#holds(low, combination)) throw new Error(`Combination ${combination} is not stored`);
    return low;
  }
}

/** Rows of several segments as the content of another one, without combinations, ranks and failures. */
export function gatherRows(
  segments: readonly Segment[],
  places: RowPlaces,
): Pick<SegmentContent, 'startDay' | 'endDay' | 'floats'> {
  const count = places.rows.length;
  const bySegment = Map.groupBy(places.segments.keys(), (i) => places.segments[i] as number);
  const startDay = new Int32Array(count);
  const endDay = new Int32Array(count);
  const floats = Object.fromEntries(FLOAT_COLUMNS.map((name) => [name, new Float64Array(count)]));
  for (const [index, wanted] of bySegment) {
    const reader = new SegmentReader(segments[index] as Segment);
    const pick = (into: Int32Array | Float64Array, from: Int32Array | Float64Array) => {
      for (const i of wanted) into[i] = from[places.rows[i] as number] as number;
    };
    try {
      pick(startDay, reader.integers('start_date'));
      pick(endDay, reader.integers('end_date'));
      for (const name of FLOAT_COLUMNS) pick(floats[name] as Float64Array, reader.floats(name));
    } finally {
      reader.close();
    }
  }
  return { startDay, endDay, floats };
}
