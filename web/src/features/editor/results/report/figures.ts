/** The figures of the report: what they are called, what they mean, how they are shown. */
import type {
  BacktestReport,
  DayReturn,
  PeriodReturn,
  SeriesReport,
} from '@quantloom/domain/contracts/backtest-report';
import type { MetricConcept } from '@quantloom/domain/contracts/metric-concepts';
import { formatCount, formatDate, formatPercent, formatRatio, MISSING } from '../../../../lib/format.ts';

export interface ReportFigure<Source> {
  /** What the guide explains it as. */
  readonly concept: MetricConcept;
  readonly label: string;
  readonly definition: string;
  readonly text: (report: Source) => string;
  /** As it stands in a file. */
  readonly value: (report: Source) => number | null;
}

type Numeric<Source> = {
  [Key in keyof Source]: Source[Key] extends number | null ? Key : never;
}[keyof Source];

function figure<Source>(
  key: Numeric<Source> & MetricConcept,
  label: string,
  unit: 'percent' | 'ratio' | 'days' | 'count',
  definition: string,
): ReportFigure<Source> {
  const value = (report: Source) => report[key] as number | null;
  const show = { percent: formatPercent, ratio: formatRatio, days: formatCount, count: formatCount }[unit];
  return { concept: key, label, definition, value, text: (report) => show(value(report)) };
}

/** `March 2025` for `2025-03`; a year stands as it is. */
const formatPeriod = (period: string): string =>
  period.includes('-') ? formatDate(`${period}-01`).replace(' 1,', '') : period;

function extreme(
  key: 'best_day' | 'worst_day' | 'best_month' | 'worst_month' | 'best_year' | 'worst_year',
  label: string,
  definition: string,
): ReportFigure<SeriesReport> {
  const found = (report: SeriesReport): DayReturn | PeriodReturn | null => report[key];
  return {
    concept: key,
    label,
    definition,
    value: (report) => found(report)?.return ?? null,
    text: (report) => {
      const one = found(report);
      if (!one) return MISSING;
      return `${formatPercent(one.return)}, ${'date' in one ? formatDate(one.date) : formatPeriod(one.period)}`;
    },
  };
}

const series = figure<SeriesReport>;

/** Of strategy and benchmark alike, in the order in which they are read. */
export const SERIES_FIGURES: readonly ReportFigure<SeriesReport>[] = [
  series(
    'sortino',
    'Sortino ratio',
    'ratio',
    'Mean daily return over the downside deviation, annualized: only days below zero count as risk.',
  ),
  series(
    'ulcer_index',
    'Ulcer index',
    'percent',
    'Root of the mean squared drawdown: how deep and how long it was under water.',
  ),
  series('average_drawdown', 'Average drawdown', 'percent', 'Mean drawdown of the days that had one.'),
  series(
    'longest_drawdown_days',
    'Longest drawdown, days',
    'days',
    'Most calendar days from a peak until it was reached again, or to the last day.',
  ),
  series('value_at_risk_95', 'Value at risk, 95%', 'percent', 'One day in twenty lost this much or more.'),
  series(
    'expected_shortfall_95',
    'Expected shortfall, 95%',
    'percent',
    'Mean loss of the worst twentieth of the days.',
  ),
  series('skewness', 'Skewness', 'ratio', 'Below zero: bad days reach further than good ones.'),
  series(
    'excess_kurtosis',
    'Excess kurtosis',
    'ratio',
    'Above zero: extreme days are more frequent than a normal distribution has them.',
  ),
  extreme('best_day', 'Best day', 'The highest daily return.'),
  extreme('worst_day', 'Worst day', 'The lowest daily return.'),
  series('positive_days', 'Days up', 'percent', 'Share of days with a return above zero.'),
  extreme('best_month', 'Best month', 'The highest monthly return.'),
  extreme('worst_month', 'Worst month', 'The lowest monthly return.'),
  series('positive_months', 'Months up', 'percent', 'Share of months with a return above zero.'),
  extreme('best_year', 'Best year', 'The highest yearly return.'),
  extreme('worst_year', 'Worst year', 'The lowest yearly return.'),
  series('positive_years', 'Years up', 'percent', 'Share of years with a return above zero.'),
];

const own = figure<BacktestReport>;

/** What relates the strategy to its benchmark. */
export const RELATIVE_FIGURES: readonly ReportFigure<BacktestReport>[] = [
  own(
    'correlation',
    'Correlation',
    'ratio',
    'How closely the daily returns move with the benchmark’s: 1 the same way.',
  ),
  own('beta', 'Beta', 'ratio', 'How much it moves when the benchmark moves by 1%.'),
  own('alpha', 'Alpha per year', 'percent', 'Return beyond what beta times the benchmark gave, annualized.'),
  own(
    'tracking_error',
    'Tracking error',
    'percent',
    'Deviation of the daily differences to the benchmark, annualized.',
  ),
  own(
    'information_ratio',
    'Information ratio',
    'ratio',
    'Mean difference to the benchmark over its deviation, annualized.',
  ),
  own(
    'up_capture',
    'Up capture',
    'percent',
    'Of the benchmark’s gain in the months in which it rose, so much was earned.',
  ),
  own(
    'down_capture',
    'Down capture',
    'percent',
    'Of the benchmark’s loss in the months in which it fell, so much was lost.',
  ),
];

/** What trading it took; costs are told apart, in money. */
export const TRADING_FIGURES: readonly ReportFigure<BacktestReport>[] = [
  own(
    'turnover_per_year',
    'Turnover per year',
    'percent',
    'Half of all that is bought and sold, drifted weights brought back to their targets included: ' +
      '100% sells everything and buys something else once.',
  ),
  own('trades', 'Days with a trade', 'count', 'Days after the first on which anything was bought or sold.'),
  own('exposure', 'Mean exposure', 'percent', 'Mean share of the portfolio that is not in cash.'),
];
