import { TRADED } from '@quantloom/domain/statistics/rounding';

/**
 * The first day, and those on which something was traded. That shares have drifted apart since the day before is no change of anybody's making.
 *
 * @param turnover share of the portfolio that was traded, by day
 */
export function daysWithTrade(turnover: readonly number[]): readonly number[] {
  return turnover.flatMap((traded, day) => (day === 0 || traded > TRADED ? [day] : []));
}
