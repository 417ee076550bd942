import type { PeriodReturn, RollingYear, SeriesReport } from '@quantloom/domain/contracts/backtest-report';
import type { Calendar } from '../../model/calendar.ts';
import { dateOf } from '../../model/days.ts';
import type { DayRange } from '../../reference/decisions.ts';
import { dailyReturns } from '../metrics.ts';
import { drawdownsOf } from './drawdowns.ts';
import { periodReturns } from './periods.ts';
import { extremeOf, ratioOfYear, shapeOf, shareAboveZero, sortinoOf, tailOf, YEAR } from './returns.ts';

/** What is said of one series of values, the strategy's or the benchmark's (`docs/engine.md` section 16). */
export function seriesReport(value: Float64Array, calendar: Calendar, range: DayRange): SeriesReport {
  const days = calendar.subarray(range.from, range.to + 1);
  const returns = dailyReturns(value);
  const byDay = Array.from(returns, (r, i) => ({ date: dateOf(days[i + 1] as number), return: r }));
  const months = periodReturns(value, calendar, range, 'month');
  const years = periodReturns(value, calendar, range, 'year');
  const shares = (list: readonly PeriodReturn[]) => shareAboveZero(list.map((item) => item.return));
  return {
    sortino: sortinoOf(returns),
    ...shapeOf(returns),
    ...tailOf(returns),
    ...drawdownsOf(value, days),
    best_day: extremeOf(byDay, 1),
    worst_day: extremeOf(byDay, -1),
    positive_days: shareAboveZero(returns),
    monthly_returns: months,
    best_month: periodOnly(extremeOf(months, 1)),
    worst_month: periodOnly(extremeOf(months, -1)),
    positive_months: shares(months),
    yearly_returns: years,
    best_year: periodOnly(extremeOf(years, 1)),
    worst_year: periodOnly(extremeOf(years, -1)),
    positive_years: shares(years),
    rolling_12_months: rollingYears(value, returns, days),
  };
}

function periodOnly(item: PeriodReturn | null): PeriodReturn | null {
  return item === null ? null : { period: item.period, return: item.return };
}

function rollingYears(value: Float64Array, returns: Float64Array, days: Int32Array): RollingYear[] {
  const years: RollingYear[] = [];
  for (let t = YEAR; t < value.length; t++)
    years.push({
      date: dateOf(days[t] as number),
      return: (value[t] as number) / (value[t - YEAR] as number) - 1,
      sharpe: ratioOfYear(returns.subarray(t - YEAR, t)),
    });
  return years;
}
