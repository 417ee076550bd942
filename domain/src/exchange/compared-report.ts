import type { Comparison } from './answer-comparison.ts';
import type { FidelityItem, FidelityReport } from './fidelity-report.ts';

/** The report with the lines of what was compared. */
export function withComparisons(report: FidelityReport, comparisons: readonly Comparison[]): FidelityReport {
  const items = comparisons.flatMap(comparisonItems);
  const differs = report.counts.differs + items.filter(({ kind }) => kind === 'differs').length;
  return { ...report, counts: { ...report.counts, differs }, items: [...report.items, ...items] };
}

/** The lines of a report for what differs, and one for all that agrees. */
export function comparisonItems(comparison: Comparison): FidelityItem[] {
  const { counts, date, prices, rows } = comparison;
  const line = (kind: FidelityItem['kind'], said: string, became: string, effect: string): FidelityItem => ({
    kind,
    path: '/latest-feat-vals',
    said,
    became,
    effect,
    block_id: null,
  });
  const differing = rows.filter(({ agrees }) => agrees === false);
  return [
    ...differing.map(({ feature, ticker, window, theirs, ours, reason, relative_difference: difference }) =>
      line(
        'differs',
        `${feature}${window === null ? '' : ` over ${window} days`} of ${ticker} on ${date}: ${theirs}`,
        `${ours}, on ${prices} prices`,
        `${difference === null ? 'Theirs is 0' : `${(difference * 100).toPrecision(3)}% of the value`}: ${
          reason ?? 'not explained by prices or history'
        }`,
      ),
    ),
    line(
      'taken',
      `${rows.length} indicator values of ${date}`,
      `${counts.agree} agree as far as the digits of answer and prices go, ${counts.differ} differ, ${counts.missing} have no counterpart${
        counts.left_out > 0 ? `, ${counts.left_out} were not looked at` : ''
      } (${prices} prices)`,
      'None',
    ),
  ];
}
