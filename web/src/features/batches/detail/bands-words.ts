import type { BandsAnswer } from '@quantloom/domain/contracts/http/stability';
import { formatPercent } from '../../../lib/format.ts';
import { combinationLabel } from '../analysis/metric-names.ts';

type Row = Pick<BandsAnswer['rows'][number], 'values' | 'bands' | 'best_share'>;

/** What the bands say of the rows, in words. */
export function bandsInWords(rows: readonly Row[]): string {
  const [first] = rows;
  const low = first?.bands?.sharpe.low ?? null;
  if (rows.length === 1 && low === null) return 'These days give this row no Sharpe ratio.';
  if (rows.length === 1)
    // One draw in twenty is below the low end: it is not the lowest of all.
    return low !== null && low > 0
      ? 'In at least nineteen of twenty draws the Sharpe ratio is above 0. That says that it earned ' +
          'something, not that it beat what one could simply hold.'
      : 'In at least one of twenty draws nothing was earned: these days alone do not tell this row ' +
          'from one that earns nothing.';
  const leader = rows.reduce((best, row) => ((row.best_share ?? 0) > (best.best_share ?? 0) ? row : best));
  const share = leader.best_share ?? 0;
  const which = combinationLabel(leader.values);
  return share >= 0.9
    ? `${which} has the best Sharpe ratio in ${formatPercent(share)} of the draws: the order of ` +
        'these rows does not depend on single months.'
    : `${which} leads most often, in ${formatPercent(share)} of the draws. Which of these rows is ` +
        'the best depends on which months came.';
}
