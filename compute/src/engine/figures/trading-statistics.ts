import { TRADED } from '@quantloom/domain/statistics/rounding';
import type { Run } from '../reference/run.ts';

/** Trading days of a year. */
const YEAR = 252;

export interface TradingStatistics {
  /** Share of the portfolio that is replaced in a year: half of what is bought and sold. */
  readonly turnover_per_year: number;
  /** Days on which anything is traded. */
  readonly trades: number;
}

/**
 * How much a run trades after its first day (`docs/engine.md` section 16). What the first decision buys does
 * not count: on the first day where it is filled at the close, on the second where it is filled at the next one.
 */
export function tradingStatistics({ turnover, terms }: Pick<Run, 'turnover' | 'terms'>): TradingStatistics {
  if (turnover === null) throw new Error('The run was made without its turnover');
  const n = turnover.length - 1;
  let sum = 0;
  let trades = 0;
  for (let t = terms.fill === 'next-close' ? 2 : 1; t <= n; t++) {
    const traded = turnover[t] as number;
    sum += traded;
    if (traded > TRADED) trades++;
  }
  return { turnover_per_year: ((YEAR / n) * sum) / 2, trades };
}
