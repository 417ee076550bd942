import type { BacktestReport, RollingYear as Rolled } from '@quantloom/domain/contracts/backtest-report';
import type { Data } from 'plotly.js';
import { Chart } from '../../../../ui/Chart.tsx';
import { DAY_AXIS } from '../../model/series.ts';
import { ReportPanel } from './ReportTable.tsx';

/** What a year that ended on each day returned, and its Sharpe ratio. */
export function RollingYear({ report, benchmark }: { report: BacktestReport; benchmark: string }) {
  const own = report.rolling_12_months;
  const other = report.benchmark?.rolling_12_months ?? [];
  const others = new Map(other.map((one) => [one.date, one]));
  if (own.length === 0)
    return (
      <ReportPanel title="Rolling year">
        <p className="text-muted">A rolling year needs a run of more than 252 trading days.</p>
      </ReportPanel>
    );
  const chart = (title: string, value: (one: Rolled) => number | null, unit: string) => (
    <div className="min-w-0">
      <h3 className="text-sm font-medium">{title}</h3>
      <Chart
        height={200}
        description={`${title} of strategy and ${benchmark} by day`}
        layout={{
          hovermode: 'x unified',
          margin: { l: 48, r: 8, t: 24, b: 24 },
          showlegend: true,
          legend: { orientation: 'h', x: 0, y: 1.01, yanchor: 'bottom' },
          xaxis: { ...DAY_AXIS, nticks: 10 },
          yaxis: { nticks: 5, ticksuffix: unit },
        }}
        data={(colors) =>
          [
            { name: benchmark, list: other, color: colors.series[1] },
            { name: 'Strategy', list: own, color: colors.series[0] },
          ]
            .filter(({ list }) => list.length > 0)
            .map(
              ({ name, list, color }): Data => ({
                type: 'scatter',
                mode: 'lines',
                name,
                x: list.map(({ date }) => date),
                y: list.map(value),
                line: { width: 1.5, color: color ?? '' },
                hovertemplate: `%{y:.2f}${unit}<extra>%{fullData.name}</extra>`,
              }),
            )
        }
      />
    </div>
  );
  return (
    <ReportPanel
      title="Rolling year"
      file={{
        name: 'rolling-year',
        columns: ['date', 'return', 'sharpe', `${benchmark} return`, `${benchmark} sharpe`],
        rows: own.map(({ date, return: value, sharpe }) => [
          date,
          value,
          sharpe,
          others.get(date)?.return ?? null,
          others.get(date)?.sharpe ?? null,
        ]),
      }}
    >
      <div className="grid gap-4 xl:grid-cols-2">
        {chart('Return over the last 252 days', ({ return: value }) => value * 100, '%')}
        {chart('Sharpe ratio over the last 252 days', ({ sharpe }) => sharpe, '')}
      </div>
    </ReportPanel>
  );
}
