import { combinationsOf, type Dictionary, ranksOfCombination } from '../dictionary.ts';
import { covers, type Range } from '../ranges.ts';
import { gatherRows, RowFinder } from './gather-rows.ts';
import { failuresOf } from './merge-segments.ts';
import type { SegmentContent } from './segment-bytes.ts';
import type { Segment } from './segment-file.ts';

/** Rows per segment that copies are written to. */
const ROWS_AT_ONCE = 65_536;

/** Which rows to copy: `sources[i]` becomes `targets[i]`, ascending by target. */
export interface Copies {
  readonly targets: Int32Array;
  readonly sources: Int32Array;
}

/** The pairs whose source is stored and whose target is not, once each. */
export function copiesOf(change: {
  readonly source: { readonly stored: readonly Range[] };
  readonly target: { readonly stored: readonly Range[] };
  readonly targets: Int32Array;
  readonly map: Int32Array;
}): Copies {
  const { source, target, targets, map } = change;
  if (targets.length !== map.length) throw new Error('copyRows needs one source per target');
  const pairs = new BigInt64Array(targets.length);
  let count = 0;
  for (let i = 0; i < targets.length; i += 1) {
    const [to, from] = [targets[i] as number, map[i] as number];
    if (covers(target.stored, to) || !covers(source.stored, from)) continue;
    pairs[count] = (BigInt(to) << 32n) | BigInt(from);
    count += 1;
  }
  const sorted = pairs.subarray(0, count).sort();
  // Little endian wherever Node runs: the source first.
  const halves = new Int32Array(sorted.buffer, 0, count * 2);
  const found = { targets: new Int32Array(count), sources: new Int32Array(count) };
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const to = halves[2 * i + 1] as number;
    if (kept > 0 && found.targets[kept - 1] === to) continue;
    found.targets[kept] = to;
    found.sources[kept] = halves[2 * i] as number;
    kept += 1;
  }
  return { targets: found.targets.subarray(0, kept), sources: found.sources.subarray(0, kept) };
}

/** The copies as the contents of segments; the variables are the target's own. */
export function* copiedContents(
  { targets, sources }: Copies,
  from: readonly Segment[],
  dictionaries: readonly Dictionary[],
): Generator<SegmentContent> {
  const finder = new RowFinder(from);
  const reasons = new Map(from.flatMap(failuresOf).map(({ combination, reason }) => [combination, reason]));
  const digits = new Int32Array(dictionaries.length);
  for (let first = 0; first < targets.length; first += ROWS_AT_ONCE) {
    const combinations = targets.slice(first, first + ROWS_AT_ONCE);
    const wanted = sources.subarray(first, first + ROWS_AT_ONCE);
    const ranks = dictionaries.map(() => new Int32Array(combinations.length));
    for (const [row, combination] of combinations.entries()) {
      ranksOfCombination(combination, dictionaries, digits);
      for (const [i, column] of ranks.entries()) column[row] = digits[i] as number;
    }
    yield {
      combinations,
      total: combinationsOf(dictionaries),
      ...gatherRows(from, finder.places(wanted)),
      ranks,
      failures: [...combinations].flatMap((combination, row) => {
        const reason = reasons.get(wanted[row] as number);
        return reason === undefined ? [] : [{ combination, reason }];
      }),
    };
  }
}
