/**
 * Where the guide explains each figure that the product shows: its key, as answers and result columns spell
 * it, to the heading's anchor in `docs/guide/metrics.md`. A figure without an entry does not compile, an
 * entry without a heading fails the guide's test.
 */
const ANCHORS = {
  duration: 'duration',
  start_date: 'first-and-last-day',
  end_date: 'first-and-last-day',
  cumulative_return: 'cumulative-return',
  annualized_return: 'annualized-return',
  standard_deviation: 'standard-deviation',
  max_drawdown: 'max-drawdown',
  calmer: 'calmar-ratio',
  calmer_ratio: 'calmar-ratio',
  sharpe: 'sharpe-ratio',
  sharpe_ratio: 'sharpe-ratio',
  trailing_1_month: 'trailing-1-and-3-months',
  trailing_3_month: 'trailing-1-and-3-months',
  sortino: 'sortino-ratio',
  ulcer_index: 'ulcer-index',
  average_drawdown: 'average-and-longest-drawdown',
  longest_drawdown_days: 'average-and-longest-drawdown',
  value_at_risk_95: 'value-at-risk',
  expected_shortfall_95: 'expected-shortfall',
  n: 'daily-returns',
  skewness: 'skewness',
  kurtosis: 'kurtosis',
  excess_kurtosis: 'kurtosis',
  best_day: 'best-and-worst-day-month-year',
  worst_day: 'best-and-worst-day-month-year',
  best_month: 'best-and-worst-day-month-year',
  worst_month: 'best-and-worst-day-month-year',
  best_year: 'best-and-worst-day-month-year',
  worst_year: 'best-and-worst-day-month-year',
  positive_days: 'days-months-years-up',
  positive_months: 'days-months-years-up',
  positive_years: 'days-months-years-up',
  correlation: 'correlation',
  beta: 'beta',
  alpha: 'alpha',
  timing_alpha: 'alpha-over-the-average-mix',
  tracking_error: 'tracking-error',
  information_ratio: 'information-ratio',
  up_capture: 'up-and-down-capture',
  down_capture: 'up-and-down-capture',
  turnover_per_year: 'turnover',
  trades: 'days-with-trades',
  costs: 'cost',
  exposure: 'exposure',
  excess_return: 'excess-return',
  neighbourhood_median: 'median-of-neighbours',
  neighbours_above_median: 'neighbours-above-the-median',
  alpha_p: 'alpha-by-luck',
  excess_sharpe: 'sharpe-ratio-of-the-excess',
  trials: 'honest-trial-count',
  equivalent_trials: 'equivalent-independent-trials',
  effective_trials: 'effective-number-of-trials',
  expected_best_by_luck: 'best-sharpe-ratio-expected-by-luck',
  deflated_sharpe: 'deflated-sharpe-ratio',
  deflated_sharpe_effective: 'deflated-sharpe-ratio',
  pbo: 'probability-of-backtest-overfitting',
  kept_out_of_sample: 'kept-out-of-sample',
  probability_of_loss: 'probability-of-loss-out-of-sample',
  minimum_years: 'minimum-backtest-length',
  superior_ability: 'superior-ability',
  confidence_set: 'confidence-set',
  out_of_sample_sharpe: 'sharpe-ratio-out-of-sample',
  out_of_sample_rank_correlation: 'rank-correlation-in-to-out-of-sample',
} as const;

/** A figure that the guide explains. */
export type MetricConcept = keyof typeof ANCHORS;

export const METRIC_CONCEPTS = Object.keys(ANCHORS) as readonly MetricConcept[];

/** Address of the part of the guide that explains a figure: formula, how it is read, what it hides. */
export function conceptAddress(concept: MetricConcept): string {
  return `/docs/metrics#${ANCHORS[concept]}`;
}

/**
 * The same of any name; that of a metric in or out of sample (`in_…`, `out_…`) or with the other fill
 * (`other_fill_…`) is the metric's. Undefined for what is no figure.
 */
export function conceptAddressOf(name: string): string | undefined {
  const concept = METRIC_CONCEPTS.find(
    (one) => one === name || one === name.replace(/^(?:in|out|other_fill)_/, ''),
  );
  return concept && conceptAddress(concept);
}
