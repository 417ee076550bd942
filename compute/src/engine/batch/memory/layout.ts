import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { statisticsBlockOf } from '../../figures/statistics.ts';
import type { Calendar } from '../../model/calendar.ts';

/** Days of the two trailing returns, as in `engine.md` section 5. */
export const MONTH = 21;
export const QUARTER = 63;

/**
 * A part of a run whose metrics are wanted: returns of the segments [begin, end), and where its trailing
 * returns begin.
 */
export interface Part {
  /** Number of returns. */
  readonly n: number;
  readonly begin: number;
  readonly end: number;
  /** First segment of the last 21 and 63 returns; -1 where there are fewer. */
  readonly month: number;
  readonly quarter: number;
  /** Whether the costs of the first day belong to it. */
  readonly hasEntry: boolean;
}

/**
 * How the days of a run are cut: at the borders of the statistics blocks, before the trailing months, and at
 * the out-of-sample date. Segment i has the returns of the days [cuts[i], cuts[i+1]).
 */
export interface Layout {
  readonly from: number;
  readonly to: number;
  readonly cuts: Int32Array;
  /** Statistics block of each segment. */
  readonly blocks: Int32Array;
  readonly blockCounts: Float64Array;
  readonly whole: Part;
  /** Null where the batch names no out-of-sample date, or the part has no return. */
  readonly before: Part | null;
  readonly after: Part | null;
  /** What the benchmark did on the days of its returns; null where there is none. */
  readonly benchmark: BenchmarkPart | null;
}

/**
 * The benchmark's daily returns of a run's days: their mean, the sum of their squared distances from it, and
 * their growth as one of a year.
 */
export interface BenchmarkPart {
  readonly mean: number;
  readonly m2: number;
  /** 0 where it is rounding. */
  readonly deviation: number;
  readonly annualized: number;
}

/**
 * @param from,to first and last simulated day as indexes into the calendar
 * @param startDay,endDay the batch's date range
 * @param outOfSampleDay null where the batch names none
 * @param benchmark of the same days
 */
export function layoutOf(
  calendar: Calendar,
  from: number,
  to: number,
  startDay: number,
  endDay: number,
  outOfSampleDay: number | null,
  benchmark: BenchmarkPart | null,
): Layout {
  const end = to + 1;
  const borders = new Set([from + 1, end]);
  const cut = (t: number) => {
    if (t > from && t < end) borders.add(t);
  };
  const blockAt = (t: number) => statisticsBlockOf(calendar[t] as number, startDay, endDay);
  const blockCounts = new Float64Array(STATISTICS_BLOCKS);
  for (let begin = from + 1; begin < end; ) {
    const block = blockAt(begin);
    const next = firstWhere(begin + 1, end, (t) => blockAt(t) > block);
    blockCounts[block] = next - begin;
    cut(next);
    begin = next;
  }
  cut(end - MONTH);
  cut(end - QUARTER);
  let split = end;
  if (outOfSampleDay !== null) {
    split = firstWhere(from, end, (t) => (calendar[t] as number) >= outOfSampleDay);
    cut(split);
    cut(split - MONTH);
    cut(split - QUARTER);
  }
  const cuts = Int32Array.from(borders).sort();
  const segmentAt = (t: number) => cuts.indexOf(t);
  const part = (first: number, last: number, hasEntry: boolean): Part | null => {
    const n = last - first;
    if (n < 1) return null;
    const trailing = (days: number) => (n < days ? -1 : segmentAt(last - days));
    return {
      n,
      begin: segmentAt(first),
      end: segmentAt(last),
      month: trailing(MONTH),
      quarter: trailing(QUARTER),
      hasEntry,
    };
  };
  const hasSplit = outOfSampleDay !== null;
  return {
    from,
    to,
    cuts,
    blocks: cuts.subarray(0, -1).map(blockAt),
    blockCounts,
    whole: part(from + 1, end, true) as Part,
    before: hasSplit ? part(from + 1, Math.min(split, end), true) : null,
    after: hasSplit ? part(Math.max(split, from + 1), end, split <= from) : null,
    benchmark,
  };
}

/**
 * The first of the numbers [from, end) for which something holds that holds for all later ones; `end` where
 * there is none.
 */
function firstWhere(from: number, end: number, holds: (t: number) => boolean): number {
  let low = from;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
