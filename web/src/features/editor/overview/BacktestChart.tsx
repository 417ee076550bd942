import type { BacktestAnswer, BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { Data, Layout } from 'plotly.js';
import { memo, useMemo } from 'react';
import { formatPercent, formatUnixDay } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import { DAY_AXIS, drawdowns, percentReturns } from '../model/series.ts';

export const CHART_HEIGHT = 300;

/** One more line of the chart: a further benchmark, or the strategy under the other fill. */
export interface FurtherLine {
  readonly name: string;
  /** By day, as long as the history. */
  readonly values: readonly number[];
  readonly isDashed: boolean;
}

const NO_LINES: readonly FurtherLine[] = [];

/** Strategy against benchmark, as a change in percent of the first value; with a log scale and a drawdown pane on request. */
export const BacktestChart = memo(function BacktestChart({
  answer,
  isLog,
  showsDrawdown,
  showsAllocation,
  further = NO_LINES,
  onHoverDay,
  onPinDay,
}: {
  answer: BacktestAnswer;
  isLog: boolean;
  showsDrawdown: boolean;
  /** Shades the pane by what was held. */
  showsAllocation: boolean;
  /** A list that stays the same object as long as nothing in it changes. */
  further?: readonly FurtherLine[];
  /** Index into `timestamps`, null when the pointer leaves. */
  onHoverDay: (index: number | null) => void;
  onPinDay: (index: number) => void;
}) {
  const history = answer.history;
  const series = useMemo(() => {
    if (!history) return null;
    const days = history.timestamps.map(formatUnixDay);
    const benchmark = (history.benchmark_value ?? []).map((value) => value ?? Number.NaN);
    return {
      days,
      strategy: percentReturns(history.value),
      benchmark: percentReturns(benchmark),
      strategyDrawdown: drawdowns(history.value),
      benchmarkDrawdown: drawdowns(benchmark),
    };
  }, [history]);
  const data = useMemo(
    () =>
      (colors: ChartColors): readonly Data[] => {
        const [strategy = '', benchmark = ''] = colors.series;
        if (!series) return [];
        // On a log scale the growth of 1 is drawn; a change in percent has no logarithm.
        const y = (values: readonly number[]) =>
          isLog ? values.map((value) => 1 + value / 100) : [...values];
        const line = (
          name: string,
          values: readonly number[],
          color: string,
          yaxis: 'y' | 'y2',
          dash: 'solid' | 'dot' = 'solid',
        ): Data => ({
          type: 'scatter',
          mode: 'lines',
          name,
          x: series.days,
          y: yaxis === 'y' ? y(values) : [...values],
          yaxis,
          line: { color, width: 1.5, dash },
          hovertemplate:
            isLog && yaxis === 'y'
              ? '%{y:.3f} ×<extra>%{fullData.name}</extra>'
              : '%{y:.2f}%<extra>%{fullData.name}</extra>',
          showlegend: yaxis === 'y',
        });
        const traces: Data[] = [
          ...(showsAllocation && history ? allocationShades(history, series.days, colors) : []),
          ...further.map(({ name, values, isDashed }, index) => {
            const color = isDashed ? strategy : colors.series[(index + 2) % colors.series.length];
            return line(name, percentReturns(values), color ?? '', 'y', isDashed ? 'dot' : 'solid');
          }),
          line('SPY', series.benchmark, benchmark, 'y'),
          line('Strategy', series.strategy, strategy, 'y'),
        ];
        if (showsDrawdown)
          traces.push(
            line('SPY drawdown', series.benchmarkDrawdown, benchmark, 'y2'),
            line('Drawdown', series.strategyDrawdown, strategy, 'y2'),
          );
        return traces;
      },
    [series, history, isLog, showsDrawdown, showsAllocation, further],
  );
  const layout = useMemo(
    (): Partial<Layout> => ({
      hovermode: 'x unified',
      margin: { l: 56, r: 12, t: 26, b: 28 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.01, yanchor: 'bottom', traceorder: 'reversed' },
      xaxis: { ...DAY_AXIS, nticks: 10, ...(showsDrawdown && { anchor: 'y2' as const }) },
      yaxis: {
        nticks: 5,
        type: isLog ? 'log' : 'linear',
        ticksuffix: isLog ? ' ×' : '%',
        domain: showsDrawdown ? [0.34, 1] : [0, 1],
      },
      ...(showsAllocation && {
        // The shades lie behind the lines on an axis of their own, from nothing to everything.
        yaxis3: { overlaying: 'y', range: [0, 100], visible: false, fixedrange: true },
      }),
      ...(showsDrawdown && {
        yaxis2: { nticks: 3, ticksuffix: '%', domain: [0, 0.26], rangemode: 'tozero' },
      }),
    }),
    [isLog, showsDrawdown, showsAllocation],
  );
  if (!series) return null;
  const last = series.strategy.at(-1) ?? null;
  return (
    <Chart
      data={data}
      layout={layout}
      height={CHART_HEIGHT}
      description={`Return of the strategy from ${series.days[0]} to ${series.days.at(-1)}: ${formatPercent(last === null ? null : last / 100)}, SPY ${formatPercent((series.benchmark.at(-1) ?? Number.NaN) / 100)}`}
      onHover={({ points }) => onHoverDay(points[0]?.pointIndex ?? null)}
      onClick={({ points }) => points[0] && onPinDay(points[0].pointIndex)}
      onUnhover={() => onHoverDay(null)}
    />
  );
});

/** Most held tickers that get a shade of their own. */
const SHADES = 6;

/** What was held, as stacked areas in percent behind the lines; the rest of the tickers together, cash stays blank. */
function allocationShades(
  { tickers }: BacktestHistory,
  days: readonly string[],
  colors: ChartColors,
): readonly Data[] {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const ranked = Object.entries(tickers)
    .map(([name, values]) => ({ name, values, total: sum(values) }))
    .sort((a, b) => b.total - a.total);
  const rest = ranked.slice(SHADES);
  const shown = ranked.slice(0, SHADES).map(({ name, values }) => ({ name, values: [...values] }));
  if (rest.length > 0)
    shown.push({
      name: `${rest.length} others`,
      values: days.map((_, day) => rest.reduce((total, { values }) => total + (values[day] ?? 0), 0)),
    });
  return shown.map(({ name, values }, index): Data => {
    const color = colors.series[(index + 2) % colors.series.length] ?? colors.muted;
    return {
      type: 'scatter',
      mode: 'lines',
      name,
      x: [...days],
      y: values,
      yaxis: 'y3',
      stackgroup: 'held',
      line: { width: 0, shape: 'hv', color },
      fillcolor: color.replace('rgb(', 'rgba(').replace(')', ', 0.22)'),
      hoverinfo: 'skip',
    };
  });
}
