import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import type { Data } from 'plotly.js';
import { useMemo } from 'react';
import { formatPercent, formatUnixDay, plural } from '../../../../lib/format.ts';
import { Chart } from '../../../../ui/Chart.tsx';
import { dailyReturns } from '../../model/series.ts';
import { ReportPanel } from './ReportTable.tsx';

/** The day or the month, and what it returned. */
type Return = readonly [string, number];

/** How often days and months had which return. */
export function Distributions({ history, report }: { history: BacktestHistory; report: BacktestReport }) {
  const days = useMemo(() => {
    const dates = history.timestamps.map(formatUnixDay);
    return dailyReturns(history.value).map((value, index): Return => [dates[index + 1] ?? '', value]);
  }, [history]);
  const months = report.monthly_returns.map(({ period, return: value }): Return => [period, value]);
  return (
    <>
      <Histogram
        title="Distribution of daily returns"
        name="daily-returns"
        returns={days}
        unit="day"
        bins={80}
      />
      <Histogram
        title="Distribution of monthly returns"
        name="months"
        returns={months}
        unit="month"
        bins={40}
      />
    </>
  );
}

function Histogram({
  title,
  name,
  returns,
  unit,
  bins,
}: {
  title: string;
  name: string;
  returns: readonly Return[];
  unit: 'day' | 'month';
  bins: number;
}) {
  if (returns.length < 2) return null;
  const values = returns.map(([, value]) => value);
  const lowest = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const highest = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  return (
    <ReportPanel
      title={title}
      file={{ name, columns: [unit === 'day' ? 'date' : 'month', 'return'], rows: returns }}
    >
      <Chart
        height={180}
        description={
          `Histogram of ${plural(values.length, unit)} from ${formatPercent(lowest)} to ` +
          `${formatPercent(highest)}`
        }
        data={(colors) => [
          {
            type: 'histogram',
            x: values.map((value) => value * 100),
            nbinsx: bins,
            marker: { color: colors.series[0] },
            hovertemplate: `%{x}%: %{y} ${unit}s<extra></extra>`,
          } as Data,
        ]}
        layout={{
          margin: { l: 40, r: 8, t: 8, b: 24 },
          bargap: 0.05,
          xaxis: { ticksuffix: '%' },
          yaxis: { nticks: 5 },
        }}
      />
    </ReportPanel>
  );
}
