/** Series derived from one backtest answer. All inputs are values by day; NaN where there is none. */

/** An axis of days for charts: pointed at, it names the day, however many years are in sight. */
export const DAY_AXIS = { type: 'date', hoverformat: '%B %-d, %Y' } as const;

/** Change against the first value that is there, in percent. */
export function percentReturns(values: readonly number[]): number[] {
  const first = values.find((value) => Number.isFinite(value)) ?? Number.NaN;
  return values.map((value) => (value / first - 1) * 100);
}

/** Distance to the highest value so far, in percent, 0 or negative. */
export function drawdowns(values: readonly number[]): number[] {
  let peak = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    // A day without a value is no peak.
    if (value > peak) peak = value;
    return (value / peak - 1) * 100;
  });
}

/** Day-to-day changes as fractions; one shorter than the input. */
export function dailyReturns(values: readonly number[]): number[] {
  return values.slice(1).map((value, index) => value / (values[index] as number) - 1);
}
