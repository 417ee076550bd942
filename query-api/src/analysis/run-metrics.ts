import type { Metrics } from '@quantloom/domain/contracts/backtest';
import type { MetricColumn } from '@quantloom/domain/contracts/result-block';

/** Stored column → metric of a single backtest. */
export const METRIC_OF_COLUMN: Readonly<Record<MetricColumn, Exclude<keyof Metrics, 'duration'>>> = {
  cumulative_return: 'cumulative_return',
  annualized_return: 'annualized_return',
  standard_deviation: 'standard_deviation',
  max_drawdown: 'max_drawdown',
  calmer_ratio: 'calmer',
  sharpe_ratio: 'sharpe',
  trailing_1_month: 'trailing_1_month',
  trailing_3_month: 'trailing_3_month',
};
