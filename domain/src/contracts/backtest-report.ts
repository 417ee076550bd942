/** The report of a single backtest (`docs/engine.md`, section 16). Fractions unless said; null where undefined. */

/**
 * `YYYY-MM-DD`; a drawdown begins at the last day of a peak and ends on the first day with a value of at
 * least that peak.
 */
export interface Drawdown {
  readonly peak: string;
  readonly trough: string;
  /** Null where it has not happened. */
  readonly recovery: string | null;
  readonly depth: number;
  /** Calendar days from the peak, as is `days_to_recovery`. */
  readonly days_to_trough: number;
  readonly days_to_recovery: number | null;
}

export interface DayReturn {
  readonly date: string;
  readonly return: number;
}

/** `2015-01` or `2015`. */
export interface PeriodReturn {
  readonly period: string;
  readonly return: number;
}

export interface ListedPeriod extends PeriodReturn {
  /** Whether the strategy's days do not cover the whole period. */
  readonly is_partial: boolean;
}

export interface RollingYear extends DayReturn {
  readonly sharpe: number | null;
}

/** What is said of the strategy and, over the same days, of the benchmark. */
export interface SeriesReport {
  readonly sortino: number | null;
  readonly skewness: number | null;
  readonly excess_kurtosis: number | null;
  readonly value_at_risk_95: number | null;
  readonly expected_shortfall_95: number | null;
  readonly ulcer_index: number | null;
  readonly average_drawdown: number | null;
  /** Calendar days; null where there was no drawdown. */
  readonly longest_drawdown_days: number | null;
  /** The ten deepest, the deepest first. */
  readonly drawdowns: readonly Drawdown[];
  readonly best_day: DayReturn | null;
  readonly worst_day: DayReturn | null;
  readonly positive_days: number | null;
  readonly monthly_returns: readonly ListedPeriod[];
  readonly yearly_returns: readonly ListedPeriod[];
  readonly best_month: PeriodReturn | null;
  readonly worst_month: PeriodReturn | null;
  readonly positive_months: number | null;
  readonly best_year: PeriodReturn | null;
  readonly worst_year: PeriodReturn | null;
  readonly positive_years: number | null;
  /** One per day from the 252nd return on, over the last 252 returns. */
  readonly rolling_12_months: readonly RollingYear[];
}

/** What one ticker did for the portfolio, over the days on which its weight earned. */
export interface HoldingReport {
  readonly average_weight: number;
  readonly days_held: number;
  /** In units of the starting balance. */
  readonly contribution: number;
}

export interface BacktestReport extends SeriesReport {
  readonly correlation: number | null;
  readonly beta: number | null;
  readonly alpha: number | null;
  readonly tracking_error: number | null;
  readonly information_ratio: number | null;
  readonly up_capture: number | null;
  readonly down_capture: number | null;
  readonly turnover_per_year: number | null;
  /** Days after the first on which anything was traded. */
  readonly trades: number;
  /** Money spent on slippage, in units of the starting balance. */
  readonly costs: number;
  /** Mean share of the portfolio that was not cash. */
  readonly exposure: number | null;
  readonly holdings: Readonly<Record<string, HoldingReport>>;
  /** Null without a benchmark. */
  readonly benchmark: SeriesReport | null;
}
