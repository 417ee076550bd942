import type { MetricColumn } from '@quantloom/domain/contracts/result-block';
import { fixed, formatPercent, MISSING } from '../../../lib/format.ts';

/** What the columns are called in charts. */
export const METRIC_LABELS: Readonly<Record<MetricColumn, string>> = {
  cumulative_return: 'Cumulative Return',
  annualized_return: 'Annualized Return',
  standard_deviation: 'Standard Deviation',
  max_drawdown: 'Max Drawdown',
  calmer_ratio: 'Calmar Ratio',
  sharpe_ratio: 'Sharpe Ratio',
  trailing_1_month: 'Trailing 1 Month',
  trailing_3_month: 'Trailing 3 Month',
};
export const METRIC_OPTIONS = Object.entries(METRIC_LABELS).map(([value, label]) => ({
  value: value as MetricColumn,
  label,
}));

/** Ratios stay plain numbers; everything else is a fraction shown in percent. */
export function isRatio(metric: MetricColumn): boolean {
  return metric === 'calmer_ratio' || metric === 'sharpe_ratio';
}

/** A value of a metric in its unit. */
export function formatMetricValue(metric: MetricColumn, value: number | null): string {
  if (value === null) return MISSING;
  return isRatio(metric) ? fixed(value, 2) : formatPercent(value);
}

/** The numbers that a chart draws: percent for fractions. */
export function chartValue(metric: MetricColumn, value: number | null): number | null {
  return value === null || isRatio(metric) ? value : 100 * value;
}
