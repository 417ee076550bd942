import { normalCdf, upperQuantile } from './normal.ts';

/** Euler-Mascheroni constant. */
const EULER_GAMMA = 0.5772156649015329;
export const TRADING_DAYS = 252;

/**
 * Expected maximum of N independent standard normal numbers, 0 for one trial: (1-γ) Z⁻¹(1 - 1/N) + γ Z⁻¹(1 - 1/(N e)).
 * D. H. Bailey and M. López de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management 40 (2014), eq. 6.
 */
export function expectedMaximum(trials: number): number {
  if (!(trials > 1)) return 0;
  return (1 - EULER_GAMMA) * upperQuantile(1 / trials) + EULER_GAMMA * upperQuantile(1 / (trials * Math.E));
}

/**
 * Sharpe ratio that the best of N worthless strategies is expected to show by luck, in the unit of `deviation`.
 *
 * @param deviation standard deviation of the Sharpe ratios across the trials
 */
export function expectedMaximumSharpe(trials: number, deviation: number): number {
  return deviation * expectedMaximum(trials);
}

/** The four figures of a track record that say how far its Sharpe ratio can be trusted. All per day, not annualised. */
export interface SharpeRecord {
  /** Mean over sample standard deviation of the daily returns. */
  readonly sharpe: number;
  /** Number of daily returns. */
  readonly n: number;
  readonly skewness: number;
  /** Raw kurtosis: 3 for a normal distribution. */
  readonly kurtosis: number;
}

/**
 * Standard deviation of the estimated daily Sharpe ratio: sqrt((1 - γ3 SR + (γ4 - 1)/4 SR²) / (n - 1)); γ4 is
 * the raw kurtosis. A. W. Lo, "The Statistics of Sharpe Ratios", Financial Analysts Journal 58 (2002);
 * Mertens (2002) for the higher moments.
 */
export function sharpeError({ sharpe, n, skewness, kurtosis }: SharpeRecord): number {
  const factor = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  return Math.sqrt(Math.max(factor, 0) / (n - 1));
}

/**
 * Probability that the true Sharpe ratio exceeds `benchmark` (per day). D. H. Bailey and M. López de Prado,
 * "The Sharpe Ratio Efficient Frontier", Journal of Risk 15 (2012), eq. 11. NaN where there are fewer than 3 returns.
 */
export function probabilisticSharpe(record: SharpeRecord, benchmark: number): number {
  if (record.n < 3) return Number.NaN;
  const error = sharpeError(record);
  if (error === 0) return record.sharpe > benchmark ? 1 : 0;
  return normalCdf((record.sharpe - benchmark) / error);
}

/**
 * Deflated Sharpe ratio: probability that the best of many trials has skill, that is, that its true Sharpe
 * ratio exceeds what the best of N worthless ones is expected to show. Above 0.95 it is called real. Bailey
 * and López de Prado (2014), eq. 9.
 *
 * @param trials independent trials, at least 1
 * @param deviation standard deviation of the daily Sharpe ratios across the trials
 */
export function deflatedSharpe(record: SharpeRecord, trials: number, deviation: number): number {
  return probabilisticSharpe(record, expectedMaximumSharpe(trials, deviation));
}

/**
 * Years of data below which the best of N worthless strategies is expected to reach `targetSharpe`
 * (annualised): (E[max_N] / target)². D. H. Bailey, J. M. Borwein, M. López de Prado and Q. J. Zhu,
 * "Pseudo-Mathematics and Financial Charlatanism", Notices of the AMS 61 (2014), theorem 2.
 */
export function minimumBacktestYears(trials: number, targetSharpe = 1): number {
  return (expectedMaximum(trials) / targetSharpe) ** 2;
}
