import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { useMemo } from 'react';
import { formatPercent } from '../../../lib/format.ts';
import { Panel } from '../../../ui/Page.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { monthlyReturns } from '../model/calendar-returns.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A return that is told by its sign; colour only repeats it. */
function toneOf(value: number | null): string {
  if (value === null || Math.abs(value) < 0.00005) return 'text-muted';
  return value < 0 ? 'text-loss' : 'text-gain';
}

/** Returns of every month and year of a run, the newest year first. */
export function CalendarReturns({ history }: { history: BacktestHistory }) {
  const years = useMemo(() => monthlyReturns(history).reverse(), [history]);
  return (
    <Panel title="Monthly and yearly returns">
      <ScrollRegion label="Table of monthly and yearly returns" className="overflow-x-auto">
        <table className="w-full min-w-200 text-sm">
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
              <th scope="col" className="py-1 pl-3 font-normal">
                Whole year
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
                  <td key={MONTHS[month]} className={`num py-1 text-right ${toneOf(value)}`}>
                    {value === null ? '' : formatPercent(value)}
                  </td>
                ))}
                <td className={`num py-1 pl-3 text-right font-medium ${toneOf(total)}`}>
                  {formatPercent(total)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}
