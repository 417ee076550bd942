import type { BacktestReport, ListedPeriod } from '@quantloom/domain/contracts/backtest-report';
import { useState } from 'react';
import { formatPercent, formatSignedPercent } from '../../../../lib/format.ts';
import { ScrollRegion } from '../../../../ui/ScrollRegion.tsx';
import { SegmentedControl } from '../../../../ui/toolbar-inputs.tsx';
import { heatStyle } from './heat.ts';
import { FigureTable, ReportPanel } from './ReportTable.tsx';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type Shown = 'strategy' | 'benchmark' | 'difference';

/** Returns of months by period, of what is asked for. */
function periodsOf(report: BacktestReport, shown: Shown, key: 'monthly_returns' | 'yearly_returns') {
  const own = new Map(report[key].map((one) => [one.period, one]));
  const other = new Map((report.benchmark?.[key] ?? []).map((one) => [one.period, one]));
  if (shown === 'strategy') return own;
  if (shown === 'benchmark') return other;
  const both: [string, ListedPeriod][] = [];
  for (const [period, one] of own) {
    const compared = other.get(period);
    if (compared) both.push([period, { ...one, return: one.return - compared.return }]);
  }
  return new Map(both);
}

/** Every month and year of a run as a heat table, the newest year first, with the benchmark one press away. */
export function MonthlyReturns({ report, benchmark }: { report: BacktestReport; benchmark: string }) {
  const [shown, setShown] = useState<Shown>('strategy');
  const months = periodsOf(report, shown, 'monthly_returns');
  const years = periodsOf(report, shown, 'yearly_returns');
  const others = new Map(report.benchmark?.monthly_returns.map((one) => [one.period, one.return]));
  const file = {
    name: 'monthly-returns',
    columns: ['month', 'strategy', benchmark, 'is_partial'],
    rows: report.monthly_returns.map(({ period, return: value, is_partial }) => [
      period,
      value,
      others.get(period) ?? null,
      is_partial ? 'yes' : 'no',
    ]),
  };
  return (
    <ReportPanel
      title="Monthly and yearly returns"
      file={file}
      actions={
        report.benchmark && (
          <SegmentedControl
            label="Shown"
            options={[
              { value: 'strategy', label: 'Strategy' },
              { value: 'benchmark', label: benchmark },
              { value: 'difference', label: 'Difference' },
            ]}
            value={shown}
            onChange={setShown}
          />
        )
      }
    >
      <ScrollRegion label="Table of monthly and yearly returns" className="overflow-x-auto">
        <table className="w-full min-w-200 border-separate border-spacing-px text-sm print:min-w-0 print:text-[8pt]">
          <thead>
            <tr className="text-right text-muted">
              <th scope="col" className="py-1 text-left font-normal">
                Year
              </th>
              {MONTHS.map((month) => (
                <th key={month} scope="col" className="py-1 pr-1 font-normal">
                  {month}
                </th>
              ))}
              <th scope="col" className="py-1 pr-1 font-normal">
                Whole year
              </th>
            </tr>
          </thead>
          <tbody>
            {[...years.keys()].reverse().map((year) => (
              <tr key={year}>
                <th scope="row" className="num py-1 text-left font-normal">
                  {year}
                </th>
                {MONTHS.map((month, index) => (
                  <HeatCell
                    key={month}
                    period={months.get(`${year}-${String(index + 1).padStart(2, '0')}`)}
                    kind="month"
                    isSigned={shown === 'difference'}
                  />
                ))}
                <HeatCell period={years.get(year)} kind="year" isSigned={shown === 'difference'} />
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {report.monthly_returns.some(({ is_partial }) => is_partial) && (
        <p className="mt-2 text-xs text-muted">* The run covers a part of this month or year only.</p>
      )}
    </ReportPanel>
  );
}

function HeatCell({
  period,
  kind,
  isSigned,
}: {
  period: ListedPeriod | undefined;
  kind: 'month' | 'year';
  /** A difference says which way. */
  isSigned: boolean;
}) {
  const format = isSigned ? formatSignedPercent : formatPercent;
  return (
    <td
      style={heatStyle(period?.return, kind)}
      className={`num rounded-xs py-1 pr-1 text-right ${kind === 'year' ? 'font-medium' : ''}`}
    >
      {period ? `${format(period.return)}${period.is_partial ? '*' : ''}` : ''}
    </td>
  );
}

/** Years of strategy and benchmark side by side. */
export function YearlyReturns({ report, benchmark }: { report: BacktestReport; benchmark: string }) {
  const others = new Map(report.benchmark?.yearly_returns.map((one) => [one.period, one.return]));
  const rows = [...report.yearly_returns].reverse().map(({ period, return: own, is_partial }) => {
    const other = others.get(period) ?? null;
    return { period, own, other, difference: other === null ? null : own - other, is_partial };
  });
  const heat = (value: number | null) => ({
    text: (
      <span className="-mx-1 rounded-xs px-1" style={heatStyle(value, 'year')}>
        {formatPercent(value)}
      </span>
    ),
  });
  return (
    <ReportPanel
      title="Years beside the benchmark"
      file={{
        name: 'yearly-returns',
        columns: ['year', 'strategy', benchmark, 'difference', 'is_partial'],
        rows: rows.map(({ period, own, other, difference, is_partial }) => [
          period,
          own,
          other,
          difference,
          is_partial ? 'yes' : 'no',
        ]),
      }}
    >
      <FigureTable
        label="years beside the benchmark"
        columns={['Year', 'Strategy', benchmark, 'Difference']}
        rows={rows.map(({ period, own, other, difference, is_partial }) => ({
          key: period,
          name: `${period}${is_partial ? '*' : ''}`,
          cells: [heat(own), heat(other), formatSignedPercent(difference)],
        }))}
      />
    </ReportPanel>
  );
}
