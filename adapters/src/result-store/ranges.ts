export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Merges overlapping and touching ranges into ascending, separate ones. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) merged.push({ from, to });
  }
  return merged;
}

/** The parts of `wanted` that none of the merged ranges covers. */
export function missingFrom(merged: readonly Range[], wanted: Range): Range[] {
  const missing: Range[] = [];
  let from = wanted.from;
  for (const range of merged) {
    if (range.to <= from) continue;
    if (range.from >= wanted.to) break;
    if (range.from > from) missing.push({ from, to: range.from });
    from = range.to;
  }
  if (from < wanted.to) missing.push({ from, to: wanted.to });
  return missing;
}

/** Runs of consecutive numbers in an ascending list. */
export function runsOf(numbers: Int32Array): Range[] {
  const runs: { from: number; to: number }[] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.to === n) last.to = n + 1;
    else runs.push({ from: n, to: n + 1 });
  }
  return runs;
}

/** Is `n` in one of the merged ranges? */
export function covers(merged: readonly Range[], n: number): boolean {
  let low = 0;
  let high = merged.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((merged[middle]?.to ?? 0) <= n) low = middle + 1;
    else high = middle;
  }
  return (merged[low]?.from ?? Number.POSITIVE_INFINITY) <= n;
}
