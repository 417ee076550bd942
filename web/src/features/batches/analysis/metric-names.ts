import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { fixed, formatPercent, METRICS, type MetricSpec, MISSING } from '../../../lib/format.ts';

/** What a column is called, what it means and which direction is the better one. */
export function metricSpec(metric: MetricColumn): MetricSpec {
  const key = metric.replace(/_ratio$/, '');
  const spec = METRICS.find((one) => one.key === key);
  if (!spec) throw new Error(`There is no metric ${metric}`);
  return spec;
}

/** What the columns are called in charts. */
export const METRIC_LABELS = Object.fromEntries(
  METRIC_COLUMNS.map((metric) => [metric, metricSpec(metric).label]),
) as Readonly<Record<MetricColumn, string>>;
export const METRIC_OPTIONS = METRIC_COLUMNS.map((value) => ({ value, label: METRIC_LABELS[value] }));

/** Ratios stay plain numbers; everything else is a fraction shown in percent. */
export function isRatio(metric: MetricColumn): boolean {
  return metricSpec(metric).unit === 'ratio';
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

/** `10 / SPY / TLT`: the values of a combination in the order of its variables. */
export function combinationLabel(values: Readonly<Record<string, string | number>>): string {
  return Object.values(values).join(' / ');
}
