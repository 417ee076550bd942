import { visibleColumns } from '@quantloom/domain/batch/results-query';
import { METRIC_COLUMNS, MORE_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { METRICS } from '../../../lib/format.ts';

const PERCENT = [
  'cumulative_return',
  'annualized_return',
  'max_drawdown',
  'trailing_1_month',
  'trailing_3_month',
  'turnover_per_year',
  'excess_return',
  'alpha',
  'expected_shortfall_95',
  'exposure',
];

/** Whether a column's fractions are shown in percent; never those of a variable, whatever it is called. */
export function isPercentColumn(column: string): boolean {
  return !column.startsWith('$') && PERCENT.some((name) => column.includes(name));
}

/** The table's columns in the order of a result row; behind them those of the other fill, where the batch has both. */
export function resultColumns(variables: readonly string[], hasBothFills = false): readonly string[] {
  const named = variables.map((name) => ({ name }));
  return visibleColumns(named, hasBothFills);
}

/** Metrics from the out-of-sample date on, beside those before it. */
export const OUT_OF_SAMPLE_COLUMNS: readonly string[] = METRIC_COLUMNS.map((name) => `out_${name}`);

/** Columns beside the visible ones; all are of the whole period. */
export const FURTHER_COLUMNS: readonly string[] = [...MORE_COLUMNS, 'n', 'skewness', 'kurtosis'];

const FURTHER: Readonly<Record<string, { readonly label: string; readonly definition: string }>> = {
  start_date: { label: 'First Day', definition: 'First day that was simulated.' },
  end_date: { label: 'Last Day', definition: 'Last day that was simulated.' },
  turnover_per_year: {
    label: 'Turnover a Year',
    definition: 'Share of the portfolio that is replaced in a year: half of what is bought and sold.',
  },
  trades: {
    label: 'Days with Trades',
    definition: 'Days after the first purchase on which anything is traded.',
  },
  excess_return: {
    label: 'Excess Return',
    definition: 'Annualized return less that of the benchmark on the same days.',
  },
  alpha: {
    label: 'Alpha a Year',
    definition:
      'What is left of the mean return when beta times the benchmark is taken off. Cash is not ' +
      'subtracted; the verdict’s alpha is.',
  },
  beta: { label: 'Beta', definition: 'How far the row moves when its benchmark moves by 1.' },
  correlation: {
    label: 'Correlation',
    definition:
      'Of the daily returns with those of the benchmark: 1 moves alike, 0 has nothing to do with it.',
  },
  information_ratio: {
    label: 'Information Ratio',
    definition: 'Mean daily difference from the benchmark over its deviation, for a year.',
  },
  sortino: {
    label: 'Sortino Ratio',
    definition: 'Mean daily return over the deviation of losses alone, for a year.',
  },
  expected_shortfall_95: {
    label: 'Expected Shortfall',
    definition: 'Mean loss of the worst 5% of days.',
  },
  exposure: { label: 'Exposure', definition: 'Mean share of the portfolio that was not cash.' },
  n: { label: 'Daily Returns', definition: 'How many daily returns the row has.' },
  skewness: {
    label: 'Skewness',
    definition: 'Of the daily returns: below 0, large losses are more frequent than large gains.',
  },
  neighbourhood_median: {
    label: 'Median of Neighbours',
    definition: 'Median of the metric over the row and all rows that are one step away from it.',
  },
  kurtosis: {
    label: 'Kurtosis',
    definition: 'Of the daily returns: 3 for a normal distribution, more with fat tails.',
  },
};

const OTHER_FILL = 'other_fill_';

/**
 * What a column is called in words, and what it means; a variable, and a column that is not known, is called
 * by its own name.
 */
export function columnWords(column: string): { readonly label: string; readonly definition?: string } {
  const name = column.replace(/^(?:out|other_fill)_/, '').replace(/_ratio$/, '');
  const known = FURTHER[column] ?? METRICS.find(({ key }) => key === name);
  if (!known) return { label: column };
  const { label, definition } = known;
  if (column.startsWith(OTHER_FILL))
    return {
      label: `${label}, Other Fill`,
      definition:
        `${definition} Here of the same row with the other fill: a day later where the batch trades ` +
        'at the same close, at the same close where it trades a day later.',
    };
  return { label: column.startsWith('out_') ? `${label}, Out of Sample` : label, definition };
}

/**
 * A column's heading: with an out-of-sample date a metric is that of the days before it, and says so; what is
 * of all days says that.
 */
export function columnHeader(column: string, hasOutOfSample: boolean): string {
  const { label } = columnWords(column);
  const ofMetric = (METRIC_COLUMNS as readonly string[]).includes(column) || column.startsWith(OTHER_FILL);
  if (!hasOutOfSample) return label;
  if (ofMetric) return `${label}, In Sample`;
  return FURTHER_COLUMNS.includes(column) ? `${label}, Whole Period` : label;
}

const LETTER = 7.5;
/** Of a chip or a figure in monospace, with what stands around it. */
const WIDE_LETTER = 9;

/** Pixels that a column needs: of a variable so many that its longest value is seen whole. */
export function columnWidth(header: string, values: readonly (string | number)[] = []): number {
  if (header.startsWith('$')) {
    const longest = values.reduce<number>((most, value) => Math.max(most, String(value).length), 0);
    return Math.max(88, header.length * WIDE_LETTER + 56, longest * WIDE_LETTER + 48);
  }
  return Math.max(104, header.length * LETTER + 56);
}
