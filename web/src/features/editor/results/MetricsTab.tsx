import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { useMemo } from 'react';
import { formatPercent } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/feedback.tsx';
import { Panel } from '../../../ui/Page.tsx';
import { monthlyReturns } from '../model/calendar-returns.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** More than the metrics of the run, all computed from the same answer. */
export function MetricsTab({ answer }: { answer: BacktestAnswer | null }) {
  const years = useMemo(() => (answer?.history ? monthlyReturns(answer.history) : []), [answer]);
  if (!answer?.history)
    return (
      <EmptyState title="No backtest yet">Run a backtest to see its returns by month and year.</EmptyState>
    );
  return (
    <div className="flex flex-col gap-4 p-4">
      <Panel title="Monthly and yearly returns" className="overflow-x-auto">
        <table className="w-full min-w-190 text-sm">
          <thead>
            <tr className="text-right text-muted">
              <th scope="col" className="py-1 text-left font-normal">
                Year
              </th>
              {MONTHS.map((month) => (
                <th key={month} scope="col" className="py-1 font-normal">
                  {month}
                </th>
              ))}
              <th scope="col" className="py-1 font-normal">
                Year
              </th>
            </tr>
          </thead>
          <tbody>
            {years.map(({ year, months, total }) => (
              <tr key={year} className="border-t border-line">
                <th scope="row" className="num py-1 text-left font-normal">
                  {year}
                </th>
                {months.map((value, month) => (
                  <td
                    key={MONTHS[month]}
                    className={`num py-1 text-right ${value === null ? 'text-faint' : value < 0 ? 'text-loss' : 'text-gain'}`}
                  >
                    {value === null ? '' : formatPercent(value)}
                  </td>
                ))}
                <td className="num py-1 text-right font-medium">{formatPercent(total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}
