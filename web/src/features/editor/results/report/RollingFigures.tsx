import type { BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { Data, Layout } from 'plotly.js';
import { useMemo, useState } from 'react';
import { formatUnixDay } from '../../../../lib/format.ts';
import { Chart } from '../../../../ui/Chart.tsx';
import { SegmentedControl } from '../../../../ui/toolbar-inputs.tsx';
import { rollingFigures } from '../../model/performance.ts';
import { DAY_AXIS, drawdowns } from '../../model/series.ts';
import { ReportPanel, type TableFile } from './ReportTable.tsx';

const WINDOWS = [
  { value: '63', label: '3 months' },
  { value: '126', label: '6 months' },
  { value: '252', label: '1 year' },
] as const;
type Window = (typeof WINDOWS)[number]['value'];

/** Volatility, Sharpe ratio and drawdown by day, over a window that is chosen. */
export function RollingFigures({
  history,
  benchmark: benchmarkName,
}: {
  history: BacktestHistory;
  benchmark: string;
}) {
  const [window, setWindow] = useState<Window>('126');
  const series = useMemo(() => {
    const benchmark = (history.benchmark_value ?? []).map((value) => value ?? Number.NaN);
    return {
      days: history.timestamps.map(formatUnixDay),
      strategy: { ...rollingFigures(history.value, Number(window)), drawdown: drawdowns(history.value) },
      benchmark: { ...rollingFigures(benchmark, Number(window)), drawdown: drawdowns(benchmark) },
    };
  }, [history, window]);
  const chart = (title: string, key: 'volatility' | 'sharpe' | 'drawdown', factor: number, unit: string) => {
    const layout: Partial<Layout> = {
      hovermode: 'x unified',
      margin: { l: 48, r: 8, t: 24, b: 24 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.01, yanchor: 'bottom' },
      xaxis: { ...DAY_AXIS, nticks: 10 },
      yaxis: { nticks: 5, ticksuffix: unit },
    };
    return (
      <div className="min-w-0">
        <h3 className="text-sm font-medium">{title}</h3>
        <Chart
          height={200}
          description={`${title} of strategy and ${benchmarkName} by day`}
          layout={layout}
          data={(colors) =>
            (['benchmark', 'strategy'] as const).map(
              (which): Data => ({
                type: 'scatter',
                mode: 'lines',
                name: which === 'strategy' ? 'Strategy' : benchmarkName,
                x: series.days,
                y: series[which][key].map((value) => value * factor),
                line: { width: 1.5, color: colors.series[which === 'strategy' ? 0 : 1] },
                hovertemplate: `%{y:.2f}${unit}<extra>%{fullData.name}</extra>`,
              }),
            )
          }
        />
      </div>
    );
  };
  return (
    <ReportPanel
      title="Rolling figures"
      file={rollingFile(series, window, benchmarkName)}
      actions={
        <SegmentedControl
          label="Window"
          options={WINDOWS}
          value={window}
          onChange={(next) => setWindow(next)}
        />
      }
    >
      <div className="flex flex-col gap-4">
        {chart('Volatility, annualized', 'volatility', 100, '%')}
        {chart('Sharpe ratio', 'sharpe', 1, '')}
        {chart('Drawdown', 'drawdown', 1, '%')}
      </div>
    </ReportPanel>
  );
}

type Rolled = Readonly<Record<'volatility' | 'sharpe' | 'drawdown', readonly number[]>>;

/** What the charts show, day by day: fractions, as in the other files; empty where a window is not full yet. */
export function rollingFile(
  {
    days,
    strategy,
    benchmark,
  }: { readonly days: readonly string[]; readonly strategy: Rolled; readonly benchmark: Rolled },
  window: string,
  name: string,
): TableFile {
  const cells = ({ volatility, sharpe, drawdown }: Rolled, day: number) => [
    known(volatility[day]),
    known(sharpe[day]),
    known(drawdown[day] === undefined ? undefined : drawdown[day] / 100),
  ];
  const columns = ['volatility', 'sharpe', 'drawdown'];
  return {
    name: `rolling-${window}-days`,
    columns: ['date', ...columns, ...columns.map((column) => `${name} ${column}`)],
    rows: days.map((date, day) => [date, ...cells(strategy, day), ...cells(benchmark, day)]),
  };
}

const known = (value: number | undefined): number | null =>
  value === undefined || !Number.isFinite(value) ? null : value;
