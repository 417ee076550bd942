import type { ListedPeriod } from '@quantloom/domain/contracts/backtest-report';
import type { Calendar } from '../../model/calendar.ts';
import { dateOf } from '../../model/days.ts';
import type { DayRange } from '../../reference/decisions.ts';
import { isFirstOf, isLastOf, periodOf } from '../../reference/rebalancing.ts';

/**
 * The return of every month or year of a run: from the last value before it, or the first of all, to the last
 * value in it.
 * @param value by day of the range
 * @param calendar the whole of it, so that it is known where a period begins and ends
 */
export function periodReturns(
  value: Float64Array,
  calendar: Calendar,
  { from, to }: DayRange,
  period: 'month' | 'year',
): ListedPeriod[] {
  const listed: ListedPeriod[] = [];
  const numberOf = (index: number) => periodOf(calendar[index] as number, period);
  let base = value[0] as number;
  let begin = from;
  for (let day = from; day <= to; day++) {
    if (day < to && numberOf(day + 1) === numberOf(day)) continue;
    const end = value[day - from] as number;
    const startsLate = begin === from && !isFirstOf(calendar, from, period);
    const endsEarly = day === to && !isLastOf(calendar, to, period);
    listed.push({
      period: dateOf(calendar[day] as number).slice(0, period === 'month' ? 7 : 4),
      return: end / base - 1,
      is_partial: startsLate || endsEarly,
    });
    base = end;
    begin = day + 1;
  }
  return listed;
}
