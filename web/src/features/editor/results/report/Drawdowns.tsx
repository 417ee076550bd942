import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import { formatCount, formatDate, formatPercent } from '../../../../lib/format.ts';
import { FigureTable, ReportPanel } from './ReportTable.tsx';

/** The ten deepest drawdowns; a date leads to its day on the chart, with what was held and why. */
export function Drawdowns({
  report,
  dayOf,
  onExplain,
}: {
  report: BacktestReport;
  /** Index of a date among the days of the run; -1 where it is none. */
  dayOf: (date: string) => number;
  onExplain: (day: number) => void;
}) {
  const { drawdowns } = report;
  const day = (date: string | null) => {
    if (date === null) return 'not yet';
    const index = dayOf(date);
    if (index < 0) return formatDate(date);
    return (
      <button
        type="button"
        title="Show this day on the chart"
        onClick={() => onExplain(index)}
        className="rounded-sm underline decoration-dotted underline-offset-4 hover:bg-hover print:no-underline"
      >
        {formatDate(date)}
      </button>
    );
  };
  return (
    <ReportPanel
      title="Worst drawdowns"
      file={{
        name: 'drawdowns',
        columns: ['depth', 'peak', 'trough', 'recovery', 'days_to_trough', 'days_to_recovery'],
        rows: drawdowns.map(({ depth, peak, trough, recovery, days_to_trough, days_to_recovery }) => [
          depth,
          peak,
          trough,
          recovery,
          days_to_trough,
          days_to_recovery,
        ]),
      }}
    >
      {drawdowns.length === 0 ? (
        <p className="text-muted">The strategy never fell below an earlier value.</p>
      ) : (
        <FigureTable
          label="the worst drawdowns"
          columns={['Depth', 'Peak', 'Trough', 'Recovered', 'Days to trough', 'Days to recovery']}
          rows={drawdowns.map(({ depth, peak, trough, recovery, days_to_trough, days_to_recovery }) => ({
            key: peak,
            name: <span className="num font-medium">{formatPercent(-depth)}</span>,
            cells: [
              day(peak),
              day(trough),
              day(recovery),
              formatCount(days_to_trough),
              days_to_recovery === null ? 'not yet' : formatCount(days_to_recovery),
            ],
          }))}
        />
      )}
    </ReportPanel>
  );
}
