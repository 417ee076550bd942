import type { BacktestAnswer, BacktestHistory } from '@quantloom/domain/contracts/backtest';
import type { Data, Layout } from 'plotly.js';
import { type KeyboardEvent, memo, useMemo, useState } from 'react';
import { formatPercent, formatUnixDay, plural } from '../../../lib/format.ts';
import { Chart } from '../../../ui/Chart.tsx';
import type { ChartColors } from '../../../ui/plot/theme.ts';
import {
  type DayRange,
  extentOf,
  logTicks,
  movedRange,
  rangeBetween,
  scaledRange,
} from '../model/chart-axis.ts';
import { DAY_AXIS, drawdowns, percentReturns } from '../model/series.ts';
import { rankedTickers, tickerColors } from '../model/ticker-colors.ts';
import { ZoomBar } from './ZoomBar.tsx';

export const CHART_HEIGHT = 300;

/** One more line of the chart: a further benchmark, or the strategy under the other fill. */
export interface FurtherLine {
  readonly name: string;
  /** By day, as long as the history. */
  readonly values: readonly number[];
  readonly isDashed: boolean;
  /** What stood here before: drawn in grey, behind everything. */
  readonly isGhost?: boolean;
}

const NO_LINES: readonly FurtherLine[] = [];

/** Room above and below the lines of a zoom, as a share of what they span. */
const ROOM = 0.05;

/**
 * Strategy against benchmark, as a change in percent of the first value; with a log scale and a drawdown pane
 * on request. Dragging or the keys zoom: the value axis then fits what is in sight, and a bar says so, leads
 * out again and can count returns from the first day in sight.
 */
export const BacktestChart = memo(function BacktestChart({
  answer,
  isLog,
  showsDrawdown,
  showsAllocation,
  further = NO_LINES,
  height = CHART_HEIGHT,
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
  /** Pixels. */
  height?: number;
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
  const [zoomed, setZoomed] = useState<{ readonly of: BacktestHistory; readonly range: DayRange } | null>(
    null,
  );
  const [isRebased, setRebased] = useState(false);
  // Another answer has other days.
  const zoom = zoomed !== null && zoomed.of === history ? zoomed.range : null;
  const setZoom = (range: DayRange | null) => setZoomed(range && history ? { of: history, range } : null);
  const base = zoom !== null && isRebased ? zoom.from : 0;
  const lines = useMemo(() => {
    if (!series) return null;
    const counted = (percents: readonly number[]) => {
      // From the first day that is there: a benchmark may begin later.
      const start = percents.slice(base).find((value) => Number.isFinite(value)) ?? 0;
      const growth = percents.map((value) => (1 + value / 100) / (1 + start / 100));
      return isLog ? growth : growth.map((value) => 100 * (value - 1));
    };
    return {
      strategy: counted(series.strategy),
      benchmark: counted(series.benchmark),
      further: further.map((one) => ({ ...one, values: counted(percentReturns(one.values)) })),
    };
  }, [series, base, isLog, further]);
  const data = useMemo(
    () =>
      (colors: ChartColors): readonly Data[] => {
        const [strategy = '', benchmark = ''] = colors.series;
        // On a log scale the growth of 1 is drawn; a change in percent has no logarithm.
        if (!series || !lines) return [];
        const line = (
          name: string,
          values: readonly number[],
          color: string,
          yaxis: 'y' | 'y2',
          dash: 'solid' | 'dot' | 'dash' = 'solid',
        ): Data => ({
          type: 'scatter',
          mode: 'lines',
          name,
          x: series.days,
          y: [...values],
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
          ...lines.further.map(({ name, values, isDashed, isGhost }, index) => {
            const own = colors.series[(index + 2) % colors.series.length];
            const color = isGhost ? colors.muted : isDashed ? strategy : own;
            return line(name, values, color ?? '', 'y', isGhost ? 'dash' : isDashed ? 'dot' : 'solid');
          }),
          line('SPY', lines.benchmark, benchmark, 'y'),
          line('Strategy', lines.strategy, strategy, 'y'),
        ];
        if (showsDrawdown)
          traces.push(
            line('SPY drawdown', series.benchmarkDrawdown, benchmark, 'y2'),
            line('Drawdown', series.strategyDrawdown, strategy, 'y2'),
          );
        return traces;
      },
    [series, lines, history, isLog, showsDrawdown, showsAllocation],
  );
  const layout = useMemo((): Partial<Layout> => {
    const count = series?.days.length ?? 0;
    const sight = zoom ?? { from: 0, to: count - 1 };
    const extent =
      lines &&
      extentOf([lines.strategy, lines.benchmark, ...lines.further.map(({ values }) => values)], sight);
    const bounds = extent && axisRange(extent, isLog);
    const ticks = extent && isLog && extent[0] > 0 ? logTicks(extent[0], extent[1]) : null;
    return {
      hovermode: 'x unified',
      margin: { l: 56, r: 12, t: 26, b: 28 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.01, yanchor: 'bottom', traceorder: 'reversed' },
      xaxis: {
        ...DAY_AXIS,
        nticks: 10,
        ...(zoom && series
          ? { range: [series.days[zoom.from], series.days[zoom.to]], autorange: false }
          : { autorange: true }),
        ...(showsDrawdown && { anchor: 'y2' as const }),
      },
      yaxis: {
        nticks: 5,
        type: isLog ? 'log' : 'linear',
        ticksuffix: isLog ? '' : '%',
        domain: showsDrawdown ? [0.34, 1] : [0, 1],
        // What is dragged is a range of days; the values follow.
        fixedrange: true,
        ...(bounds && { range: bounds, autorange: false }),
        ...(ticks && { tickmode: 'array', tickvals: [...ticks.values], ticktext: [...ticks.texts] }),
      },
      ...(showsAllocation && {
        // The shades lie behind the lines on an axis of their own, from nothing to everything.
        yaxis3: { overlaying: 'y', range: [0, 100], visible: false, fixedrange: true },
      }),
      ...(showsDrawdown && {
        yaxis2: { nticks: 3, ticksuffix: '%', domain: [0, 0.26], rangemode: 'tozero', fixedrange: true },
      }),
    };
  }, [series, lines, zoom, isLog, showsDrawdown, showsAllocation]);
  if (!series) return null;
  const last = series.strategy.at(-1) ?? null;
  const count = series.days.length;
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    if (key === '+' || key === '=') setZoom(scaledRange(zoom, 0.5, count));
    else if (key === '-') setZoom(scaledRange(zoom, 2, count));
    else if (zoom !== null && (key === 'Escape' || key === '0')) setZoom(null);
    else if (zoom !== null && key === 'ArrowLeft') setZoom(movedRange(zoom, -0.25, count));
    else if (zoom !== null && key === 'ArrowRight') setZoom(movedRange(zoom, 0.25, count));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the zoom are its own
      tabIndex={0}
      role="group"
      aria-label="Chart. Plus and minus zoom, arrow keys move, 0 shows all days"
      onKeyDown={onKeyDown}
      className="rounded-sm focus-visible:outline-2 focus-visible:outline-focus"
    >
      <Chart
        data={data}
        layout={layout}
        config={CONFIG}
        height={height}
        revision={`${zoom?.from}-${zoom?.to}-${isLog}-${isRebased}`}
        description={
          `Return of the strategy from ${series.days[0]} to ${series.days.at(-1)}: ` +
          `${formatPercent(last === null ? null : last / 100)}, SPY ` +
          `${formatPercent((series.benchmark.at(-1) ?? Number.NaN) / 100)}`
        }
        onHover={({ points }) => onHoverDay(points[0]?.pointIndex ?? null)}
        onClick={({ points }) => points[0] && onPinDay(points[0].pointIndex)}
        onUnhover={() => onHoverDay(null)}
        onRelayout={(change) => {
          const range = (change['xaxis.range'] ?? [
            change['xaxis.range[0]'],
            change['xaxis.range[1]'],
          ]) as unknown[];
          if (change['xaxis.autorange'] === true) setZoom(null);
          else if (typeof range[0] === 'string' && typeof range[1] === 'string')
            setZoom(rangeBetween(series.days, range[0], range[1]));
        }}
      />
      {zoom && history && (
        <ZoomBar
          history={history}
          range={zoom}
          isRebased={isRebased}
          onRebase={setRebased}
          onAll={() => setZoom(null)}
        />
      )}
    </div>
  );
});

const CONFIG = { doubleClick: 'autosize' as const };

/**
 * The range of a value axis around what is in sight, as Plotly takes it (a log axis in powers of ten); null
 * where it has none.
 */
function axisRange([low, high]: readonly [number, number], isLog: boolean): [number, number] | null {
  if (isLog && low <= 0) return null;
  const [from, to] = isLog ? [Math.log10(low), Math.log10(high)] : [low, high];
  const room = ROOM * (to - from || Math.abs(to) || 1);
  return [from - room, to + room];
}

/** Most held tickers that get a shade of their own. */
const SHADES = 6;

/** What was held, as stacked areas in percent behind the lines; the rest of the tickers together, cash stays blank. */
function allocationShades(
  { tickers }: BacktestHistory,
  days: readonly string[],
  colors: ChartColors,
): readonly Data[] {
  const ranked = rankedTickers(tickers);
  const own = tickerColors(tickers, colors.series);
  const valuesOf = (name: string) => tickers[name] ?? [];
  const rest = ranked.slice(SHADES);
  const shown = ranked.slice(0, SHADES).map((name) => ({ name, values: [...valuesOf(name)] }));
  if (rest.length > 0)
    shown.push({
      name: plural(rest.length, 'other'),
      values: days.map((_, day) => rest.reduce((total, name) => total + (valuesOf(name)[day] ?? 0), 0)),
    });
  return shown.map(({ name, values }): Data => {
    const color = own.get(name) ?? colors.muted;
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
