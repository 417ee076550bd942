import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import { combinationsOf } from '../dictionary.ts';
import { gatherRows, RowFinder, type RowPlaces } from './gather-rows.ts';
import type { SegmentContent } from './segment-bytes.ts';
import { type Segment, SegmentReader } from './segment-file.ts';

/** Segments below this many rows are worth merging. */
const SMALL = 4_096;
/** So many small ones are merged while a batch still grows. */
const MANY = 16;

/** The segments to make one of: all small ones of a batch that is complete, or many of one that grows; else none. */
export function worthMerging(segments: readonly Segment[], isComplete: boolean): Segment[] {
  const small = segments.filter(({ header }) => header.rows < SMALL);
  return small.length >= (isComplete ? 2 : MANY) ? small : [];
}

/** All rows of some segments of one batch, as the content of the segment that replaces them. */
export function mergedContent(
  segments: readonly Segment[],
  variables: readonly ResultVariable[],
): SegmentContent {
  const combinations = Int32Array.from(
    segments.flatMap(({ header }) => header.ranges).flatMap(([from, to]) => sequence(from, to)),
  ).sort();
  const places = new RowFinder(segments).places(combinations);
  return {
    combinations,
    ...gatherRows(segments, places),
    ranks: ranksOf(segments, places, variables.length),
    failures: segments.flatMap(failuresOf).sort((a, b) => a.combination - b.combination),
    replaces: segments.map(({ name }) => name),
    total: combinationsOf(variables),
  };
}

function ranksOf(segments: readonly Segment[], places: RowPlaces, variables: number): Int32Array[] {
  const readers = segments.map((segment) => new SegmentReader(segment));
  try {
    return Array.from({ length: variables }, (_, i) => {
      const columns = readers.map((reader) => reader.integers(`v${i}`));
      return places.rows.map((row, at) => columns[places.segments[at] as number]?.[row] as number);
    });
  } finally {
    for (const reader of readers) reader.close();
  }
}

export function failuresOf(segment: Segment) {
  if (!segment.header.failures) return [];
  const reader = new SegmentReader(segment);
  try {
    return reader.failures();
  } finally {
    reader.close();
  }
}

const sequence = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
