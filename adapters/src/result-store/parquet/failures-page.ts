import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { failuresOf } from './merge-segments.ts';
import type { Segment } from './segment-file.ts';

/**
 * Failures ascending by combination. Segments that a page does not touch are not read, unless they lie across
 * each other.
 */
export function failuresPage(
  segments: readonly Segment[],
  { limit = Number.POSITIVE_INFINITY, offset = 0 }: { readonly limit?: number; readonly offset?: number },
): ResultBlock['failures'] {
  const failing = segments.filter(({ header }) => header.failures !== null);
  const isApart = failing.every(({ past }, i) => past <= (failing[i + 1]?.first ?? Number.POSITIVE_INFINITY));
  if (!isApart)
    return failing
      .flatMap(failuresOf)
      .sort((a, b) => a.combination - b.combination)
      .slice(offset, offset + limit);
  const found: ResultBlock['failures'][number][] = [];
  let before = 0;
  for (const segment of failing) {
    const count = segment.header.failures?.count ?? 0;
    if (found.length < limit && before + count > offset)
      for (const failure of failuresOf(segment).slice(Math.max(0, offset - before))) {
        if (found.length < limit) found.push(failure);
      }
    before += count;
  }
  return found;
}
