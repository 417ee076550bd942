import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import type { Data } from 'plotly.js';
import { useMemo } from 'react';
import { formatPercent, plural } from '../../../../lib/format.ts';
import { Chart } from '../../../../ui/Chart.tsx';
import { dailyReturns } from '../../model/series.ts';
import { ReportPanel } from './ReportTable.tsx';

/** How often days and months had which return. */
export function Distributions({ history, report }: { history: BacktestHistory; report: BacktestReport }) {
  const days = useMemo(() => dailyReturns(history.value), [history]);
  const months = report.monthly_returns.map(({ return: value }) => value);
  return (
    <>
      <Histogram
        title="Distribution of daily returns"
        name="daily-returns"
        values={days}
        unit="day"
        bins={80}
      />
      <Histogram
        title="Distribution of monthly returns"
        name="months"
        values={months}
        unit="month"
        bins={40}
      />
    </>
  );
}

function Histogram({
  title,
  name,
  values,
  unit,
  bins,
}: {
  title: string;
  name: string;
  values: readonly number[];
  unit: 'day' | 'month';
  bins: number;
}) {
  if (values.length < 2) return null;
  const lowest = values.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const highest = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  return (
    <ReportPanel title={title} file={{ name, columns: ['return'], rows: values.map((value) => [value]) }}>
      <Chart
        height={180}
        description={`Histogram of ${plural(values.length, unit)} from ${formatPercent(lowest)} to ${formatPercent(highest)}`}
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
