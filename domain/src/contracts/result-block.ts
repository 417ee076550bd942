/**
 * Result rows travel in columns. A block is a contiguous range of combinations of one batch; its identity is
 * (batch, from), so writing it twice changes nothing. NaN stands for null in float columns, `NO_DAY` in day columns.
 */
export const NO_DAY = -2147483648;

/*
 * The columns of a result row are declared here and nowhere else: the schemas of all result stores follow from these lists. A new column is
 * one line in one of them. Rows that were stored before it was there have null in it (NaN in a block), and so have blocks that do not
 * bring it. A name is never used again for another meaning, and never leaves: stored rows still have it.
 */

/** float64 columns that users see, in the order of `engine.md` section 7. */
export const METRIC_COLUMNS = [
  'cumulative_return',
  'annualized_return',
  'standard_deviation',
  'max_drawdown',
  'calmer_ratio',
  'sharpe_ratio',
  'trailing_1_month',
  'trailing_3_month',
] as const;
export type MetricColumn = (typeof METRIC_COLUMNS)[number];

/** Whether the best value of a metric is its smallest: less risk is better, of everything else more is. */
export function isLowerBetter(metric: MetricColumn): boolean {
  return metric === 'standard_deviation' || metric === 'max_drawdown';
}

/** Number of equal blocks of the batch's date range that block sums are kept for. */
export const STATISTICS_BLOCKS = 10;

const blocks = (name: string) => Array.from({ length: STATISTICS_BLOCKS }, (_, i) => `${name}_${i}`);

/**
 * Statistics of the daily returns R that cannot be recovered later; float32 would do for none of the sums, so
 * all are float64.
 */
export const STATISTICS_COLUMNS: readonly string[] = [
  'n',
  'skewness',
  'kurtosis',
  ...blocks('block_count'),
  ...blocks('block_sum'),
  ...blocks('block_sum_squares'),
];

/** The metrics before (`in_…`) and from (`out_…`) the out-of-sample date; NaN where the batch names none. */
export const SPLIT_COLUMNS: readonly string[] = [
  ...METRIC_COLUMNS.map((name) => `in_${name}`),
  ...METRIC_COLUMNS.map((name) => `out_${name}`),
];

/**
 * The columns whose values know the days from the out-of-sample date on: they stay shut until somebody opens
 * that part.
 */
export function knowsTheFuture(column: string): boolean {
  return (
    column.startsWith('out_') ||
    STATISTICS_COLUMNS.includes(column) ||
    (MORE_COLUMNS as readonly string[]).includes(column)
  );
}

/**
 * The column that stands for `name` in a batch with an out-of-sample date: a metric is that of the days
 * before it, whatever is ranked, filtered or painted.
 */
export function inSampleColumn(name: string): string {
  return (METRIC_COLUMNS as readonly string[]).includes(name) ? `in_${name}` : name;
}

/**
 * How much a row trades, and how it compares with its benchmark (`engine.md` section 17): beside the visible
 * columns, after them in a file that asks for them.
 */
export const MORE_COLUMNS = [
  'turnover_per_year',
  'trades',
  'excess_return',
  'alpha',
  'beta',
  'correlation',
  'information_ratio',
  'sortino',
] as const;
export type MoreColumn = (typeof MORE_COLUMNS)[number];

/**
 * Four metrics of the same combination with the other fill (`engine.md` section 13), in batches that ask for
 * `both_fills`; null in all others. Where the batch names an out-of-sample date they are those of the days
 * before it, like every metric that is ranked: so they know nothing of what is locked away.
 */
export const OTHER_FILL_COLUMNS = [
  'other_fill_annualized_return',
  'other_fill_cumulative_return',
  'other_fill_max_drawdown',
  'other_fill_sharpe_ratio',
] as const satisfies readonly `other_fill_${MetricColumn}`[];

/**
 * What every row has. A batch's hash names these, so the list stays as it is whatever columns come that only
 * some batches have.
 */
export const COMMON_COLUMNS: readonly string[] = [
  ...METRIC_COLUMNS,
  ...STATISTICS_COLUMNS,
  ...SPLIT_COLUMNS,
  ...MORE_COLUMNS,
];

export const FLOAT_COLUMNS: readonly string[] = [...COMMON_COLUMNS, ...OTHER_FILL_COLUMNS];

export interface ResultBlock {
  readonly batchId: string;
  /** Number of the first combination. */
  readonly from: number;
  readonly count: number;
  /** First and last simulated day of each combination, days since 1970-01-01. */
  readonly startDay: Int32Array;
  readonly endDay: Int32Array;
  /** One column per variable, in the template's order: index into that variable's distinct values. */
  readonly variables: readonly Int32Array[];
  /** By name of `FLOAT_COLUMNS`, each of length `count`. A column that is left out is null in every row. */
  readonly floats: Readonly<Record<string, Float64Array>>;
  /** Combination number → why it could not be simulated. */
  readonly failures: readonly { readonly combination: number; readonly reason: string }[];
}
