import {
  deflatedSharpe,
  expectedMaximumSharpe,
  minimumBacktestYears,
  probabilisticSharpe,
  type SharpeRecord,
  TRADING_DAYS,
} from './sharpe.ts';

/** What the deflation is computed from. */
export interface TrialEvidence {
  /** The best strategy of the batch. */
  readonly best: SharpeRecord;
  /** Sample deviation of the daily Sharpe ratios across the batch. */
  readonly deviation: number;
  /** Trials of this batch that have a Sharpe ratio. */
  readonly batchTrials: number;
  /** Every trial ever made in the strategy's lineage, this batch included. */
  readonly lineageTrials: number;
  /** Independent trials that all trials amount to; NaN where nobody has measured it. */
  readonly equivalentTrials: number;
}

export interface DeflationVerdict {
  readonly trials: number;
  /** Annualised Sharpe ratio that the best of so many worthless strategies is expected to show. */
  readonly expectedBestByLuck: number;
  /** Probability that the best strategy has skill, with every trial counted. */
  readonly deflatedSharpe: number;
  /**
   * The same with the equivalent number of trials: for strategies that resemble each other. NaN where that is
   * unknown.
   */
  readonly deflatedSharpeEffective: number;
  /** Probability that its Sharpe ratio is above 0, as if it had been the only trial. */
  readonly undeflated: number;
  /** Years of data below which the best of so many worthless strategies is expected to reach a Sharpe ratio of 1. */
  readonly minimumYears: number;
  /** True when the deflated Sharpe ratio exceeds 0.95. */
  readonly isReal: boolean;
}

/** A strategy is called real above this probability. */
export const REAL_ABOVE = 0.95;

/**
 * Deflates the best Sharpe ratio of a batch by everything that was tried. Where more was tried than this
 * batch shows (earlier batches, single runs, clones), the spread of the unseen trials is taken to be at least
 * that of worthless ones, 1/sqrt(n - 1): otherwise a small batch around the winner of a large one would look
 * like skill.
 */
export function deflate(evidence: TrialEvidence): DeflationVerdict {
  const { best, deviation, batchTrials, lineageTrials, equivalentTrials } = evidence;
  const trials = Math.max(1, lineageTrials, batchTrials);
  const worthless = 1 / Math.sqrt(Math.max(1, best.n - 1));
  const own = Number.isFinite(deviation) ? deviation : 0;
  const spread = trials > batchTrials ? Math.max(own, worthless) : own;
  const deflated = deflatedSharpe(best, trials, spread);
  return {
    trials,
    expectedBestByLuck: expectedMaximumSharpe(trials, spread) * Math.sqrt(TRADING_DAYS),
    deflatedSharpe: deflated,
    deflatedSharpeEffective: Number.isNaN(equivalentTrials)
      ? Number.NaN
      : deflatedSharpe(best, equivalentTrials, spread),
    undeflated: probabilisticSharpe(best, 0),
    minimumYears: minimumBacktestYears(trials),
    isReal: deflated > REAL_ABOVE,
  };
}
