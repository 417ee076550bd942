/** Daily returns by the day that they were earned on. */
export interface DailyReturns {
  /** Increasing; any unit that is the same for all that are compared. */
  readonly days: Float64Array;
  readonly returns: Float64Array;
}

/**
 * Daily returns of a value; days without two values are left out.
 *
 * @param value by day, one more than there are days: that of the day before the first comes first
 * @param days in any unit, increasing
 * @param returns where they are written, one for each day; default: memory of their own
 */
export function dailyReturns(
  value: ArrayLike<number | null>,
  days: Float64Array,
  returns: Float64Array = new Float64Array(days.length),
): DailyReturns {
  let finite = 0;
  for (let t = 0; t < days.length; t += 1) {
    const daily = (value[t + 1] ?? Number.NaN) / (value[t] ?? Number.NaN) - 1;
    returns[t] = daily;
    if (Number.isFinite(daily)) finite += 1;
  }
  if (finite === days.length) return { days, returns };
  const isThere = (_any: number, t: number) => Number.isFinite(returns[t]);
  return { days: days.filter(isThere), returns: returns.filter(isThere) };
}

/** The days of the first list that the second has too. Both increasing; where that is all of them, the first itself. */
export function sharedDays(days: Float64Array, other: Float64Array): Float64Array {
  if (days === other) return days;
  const shared = new Float64Array(days.length);
  let count = 0;
  for (let i = 0, j = 0; i < days.length && j < other.length; ) {
    const day = days[i] as number;
    const its = other[j] as number;
    if (day === its) {
      shared[count] = day;
      count += 1;
    }
    if (day <= its) i += 1;
    if (its <= day) j += 1;
  }
  return count === days.length ? days : shared.slice(0, count);
}

/** The returns on some days, increasing; null where one of them is missing or is no number. */
export function returnsOn(days: Float64Array, series: DailyReturns): Float64Array | null {
  const found = new Float64Array(days.length);
  for (let i = 0, j = 0; i < days.length; i += 1, j += 1) {
    while ((series.days[j] as number) < (days[i] as number)) j += 1;
    const value = series.days[j] === days[i] ? (series.returns[j] as number) : Number.NaN;
    if (!Number.isFinite(value)) return null;
    found[i] = value;
  }
  return found;
}
