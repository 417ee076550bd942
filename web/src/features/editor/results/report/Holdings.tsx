import { formatCount, formatPercent } from '../../../../lib/format.ts';
import type { ReportedRun } from '../../model/report-query.ts';
import { FigureTable, ReportPanel } from './ReportTable.tsx';

/** What each holding did for the portfolio, the greatest contribution first. */
export function Holdings({ run: { report } }: { run: Pick<ReportedRun, 'report'> }) {
  const rows = Object.entries(report.holdings)
    .map(([ticker, held]) => ({ ticker, ...held }))
    .sort((a, b) => b.contribution - a.contribution);
  if (rows.length === 0) return null;
  return (
    <ReportPanel
      title="Contribution of each holding"
      file={{
        name: 'holdings',
        columns: ['ticker', 'average_weight', 'days_held', 'contribution'],
        rows: rows.map(({ ticker, average_weight, days_held, contribution }) => [
          ticker,
          average_weight,
          days_held,
          contribution,
        ]),
      }}
    >
      <FigureTable
        label="the contribution of each holding"
        columns={['Holding', 'Mean weight', 'Days held', 'Contribution']}
        rows={rows.map(({ ticker, average_weight, days_held, contribution }) => ({
          key: ticker,
          name: <span className="font-mono">{ticker}</span>,
          cells: [formatPercent(average_weight), formatCount(days_held), formatPercent(contribution)],
        }))}
      />
      <p className="mt-2 text-xs text-muted">
        What it earned over all days on which it was held, in percent of the starting balance, before costs.
      </p>
    </ReportPanel>
  );
}
