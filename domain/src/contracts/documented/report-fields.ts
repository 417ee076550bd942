import { listOf, number, orNull, ref, type Schema, whole } from './schema.ts';

const figure = (description: string) => orNull(number(description));

/** Figures of a series of values, of the strategy as of the benchmark. */
export const SERIES_FIGURES: Readonly<Record<string, Schema>> = {
  sortino: figure('Like the Sharpe ratio, with only falls as risk'),
  skewness: figure('Of the daily returns'),
  excess_kurtosis: figure('Of the daily returns; 0 for a normal distribution'),
  value_at_risk_95: figure('Loss that one day in twenty exceeds'),
  expected_shortfall_95: figure('Mean loss of those days'),
  ulcer_index: figure('Root of the mean squared drawdown'),
  average_drawdown: figure('Mean depth of the drawdowns'),
  longest_drawdown_days: orNull(whole('Calendar days; null where there was none')),
  drawdowns: listOf(ref('Drawdown'), 'The ten deepest, the deepest first'),
  best_day: orNull(ref('DayReturn')),
  worst_day: orNull(ref('DayReturn')),
  positive_days: figure('Share of the days that rose'),
  monthly_returns: listOf(ref('ListedPeriod'), 'All months'),
  yearly_returns: listOf(ref('ListedPeriod'), 'All years'),
  best_month: orNull(ref('PeriodReturn')),
  worst_month: orNull(ref('PeriodReturn')),
  positive_months: figure('Share of the whole months that rose'),
  best_year: orNull(ref('PeriodReturn')),
  worst_year: orNull(ref('PeriodReturn')),
  positive_years: figure('Share of the whole years that rose'),
  rolling_12_months: listOf(ref('RollingYear'), 'One a day from the 252nd return on'),
};

export const COMPUTED_HOLDING: Readonly<Record<string, Schema>> = {
  average_weight: number('Mean share over all days'),
  days_held: whole('Days on which it was held'),
  contribution: number('What it earned, in units of the starting balance'),
};
