/** Fewer bars than this tell no period. */
const LEAST_BARS = 8;

/**
 * What bars of ascending days are, where they are clearly none of single days; null for daily ones, with
 * whatever gaps.
 */
export function longerPeriod(days: Int32Array): 'weekly' | 'monthly' | 'quarterly' | null {
  if (days.length < LEAST_BARS) return null;
  // Nearly every series is daily, and need not be sorted to see that.
  let near = 0;
  for (let i = 1; i < days.length; i++) if ((days[i] as number) - (days[i - 1] as number) < 5) near++;
  if (near * 2 >= days.length) return null;
  const median = usualDistance(days);
  return median < 20 ? 'weekly' : median < 60 ? 'monthly' : 'quarterly';
}

/** The median number of days from one day to the next; of ascending days, at least two. */
export function usualDistance(days: Int32Array): number {
  const distances = Int32Array.from(days.subarray(1), (day, i) => day - (days[i] as number)).sort();
  return distances[distances.length >>> 1] as number;
}
